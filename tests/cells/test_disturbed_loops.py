"""Closed loops beside other programs, analysed: figures of quiet time, and what is said of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from cells.conftest import ResultOf
from synthetic import MS, Client, SyntheticRun, closed_run, closed_scenario
from synthetic.neighbour import bursts, every, hold_up, quiet_host, record_host
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.report import terminal, write
from wirelab.samples.run_folder import read_result
from wirelab.stats.ratio import ratio
from wirelab.words.numbers import at_least

GATE = "host-disturbed"
CLIENT = Client(median_ms=20.0, spread=0.4, trial_spread=0.001)
TICKS = 1500
ALONE = {"swift": CLIENT}

Analysed = Callable[[SyntheticRun], dict[str, Cell]]


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The cells of a run by step, analysed from the command line."""

    def of(run: SyntheticRun) -> dict[str, Cell]:
        return {cell.step: cell for cell in result_of(run).cells}

    return of


def loops(
    clients: Mapping[str, Client] = ALONE,
    *,
    without: Collection[str] = ("delivery",),
    handed_over: bool = True,
) -> SyntheticRun:
    """Three trials of two steps of 33 s; what is sent is delivered and counted, or it is not; or
    what is counted is a span of what is sent.
    """
    operations = closed_scenario().model_dump(mode="json")["operations"]
    if handed_over:
        operations["delivery"]["sent_by"] = "rtt"
    kept = {name: one for name, one in operations.items() if name not in without}
    rankings = [{"metric": name} for name in ("step.elapsed", "rtt.latency.p50", "rtt.rate")]
    scenario = closed_scenario(operations=kept, rankings=rankings)
    run = closed_run(clients, scenario=scenario, ticks=TICKS)
    gone = [one["code"] for name, one in operations.items() if name in without]
    for trial in run.trials:
        trial.drop(np.isin(trial.samples["op"], gone))
        if "delivery" in without:
            trial.intervals = []
    return run


def beside(run: SyntheticRun, share: float = 0.3, *, recorded: bool = True) -> SyntheticRun:
    """The same with others running for a share of the time, which makes everything slower."""
    for trial in run.trials:
        busy = bursts(trial, share)
        hold_up(trial, busy, 3.0)
        if recorded:
            record_host(trial, busy)
    return run


def figure(cell: Cell, name: str) -> Metric:
    found = cell.metrics[name]
    assert found.value is not None, name
    return found


def value(cell: Cell, name: str) -> float:
    return figure(cell, name).value or 0.0


KEYS = ("rtt.latency.p50", "rtt.latency.p95", "rtt.latency.p99", "rtt.rate", "step.elapsed")


def test_a_closed_loop_beside_other_programs_has_the_figures_of_the_quiet_host(
    analysed: Analysed,
) -> None:
    quiet, noisy = analysed(quiet_host(loops())), analysed(beside(loops()))
    unseen = analysed(beside(loops(), recorded=False))
    for step in ("few", "more"):
        for key in KEYS:
            true = value(quiet[step], key)
            within = 0.06 if key.endswith("p99") else 0.03
            assert value(noisy[step], key) == pytest.approx(true, rel=within), (step, key)
            beside_it = figure(noisy[step], key).uncensored
            assert beside_it == pytest.approx(value(unseen[step], key)), (step, key)
            assert figure(unseen[step], key).uncensored is None
            assert figure(noisy[step], key).is_usable
        for key in ("rtt.rate", "step.elapsed", "rtt.latency.p95"):
            assert abs(value(unseen[step], key) / value(quiet[step], key) - 1) > 0.1
        for key in ("rtt.elapsed.100", "rtt.elapsed.1000", "all.first", "all.last"):
            assert value(noisy[step], key) == pytest.approx(value(quiet[step], key), rel=0.1)
        said_of = next(one for one in noisy[step].findings if one.gate == GATE)
        assert 0.3 < said_of.evidence["share"] < 0.8
        assert said_of.evidence["figures"]["rtt.rate"]["unit"] == "message/s"
        assert [f.gate for f in quiet[step].findings if f.gate == GATE] == []


def test_a_quiet_host_that_was_recorded_changes_no_figure(analysed: Analysed) -> None:
    stored, recorded = analysed(loops(without=())), analysed(quiet_host(loops(without=())))
    assert stored.keys() == {"", "few", "more"}
    for step, cell in stored.items():
        assert cell.metrics == recorded[step].metrics
        assert cell.findings == recorded[step].findings


def stalled() -> SyntheticRun:
    """Loops of which one operation in 25 takes 200 ms longer; all after it on its lane is late."""
    run = loops(without=("delivery", "all"))
    for trial in run.trials:
        begin, end = trial.record["steps"]["more"]
        random = np.random.default_rng(trial.planned.seed)
        samples = trial.samples
        for lane in range(4):
            inside = (samples["start_ns"] >= begin) & (samples["start_ns"] < end)
            own = np.flatnonzero(inside & (samples["lane"] == lane))
            own = own[np.argsort(samples["start_ns"][own], kind="stable")]
            longer = np.where(random.random(len(own)) < 0.04, 200 * MS, 0)
            samples["end_ns"][own] += np.cumsum(longer)
            samples["start_ns"][own] += np.cumsum(longer) - longer
        trial.columns(intended_ns=samples["start_ns"].copy())
        trial.record["steps"]["more"] = begin, int(samples["end_ns"].max()) + MS
    return run


def test_stalls_of_the_contender_stay_in_its_figures(analysed: Analysed) -> None:
    quiet, noisy = analysed(quiet_host(stalled()))["more"], analysed(beside(stalled()))["more"]
    for key in ("rtt.latency.p99", "rtt.rate", "step.elapsed"):
        assert value(noisy, key) == pytest.approx(value(quiet, key), rel=0.05)
    assert value(noisy, "rtt.latency.p99") > 200


def test_the_time_of_a_step_that_ends_with_deliveries_is_at_least_its_quiet_time(
    analysed: Analysed, tmp_path: Path
) -> None:
    clients = {"slow": Client(median_ms=30.0, trial_spread=0.001), "swift": CLIENT}
    quiet = analysed(quiet_host(loops(clients, without=())))["few"]
    cell = analysed(beside(loops(clients, without=())))["few"]
    elapsed = figure(cell, "step.elapsed")
    assert elapsed.at_least
    assert elapsed.interval is None
    assert 0 < value(cell, "step.elapsed") < value(quiet, "step.elapsed")
    assert "step.elapsed" not in cell.ranks
    assert cell.ranks["rtt.latency.p50"] == quiet.ranks["rtt.latency.p50"] == 1
    assert ratio(elapsed, figure(quiet, "step.elapsed")) is None
    fairness = cell.metrics["all.fairness"]
    assert fairness.value is None
    assert fairness.unsupported is not None
    assert fairness.unsupported.code == GATE
    shown = at_least(f"{elapsed.value:.1f}")
    for language in ("en", "ko"):
        for page in write(tmp_path / "run-1", language, ["md", "html"]):
            assert shown in page.read_text("utf-8"), page
        console = Console(file=io.StringIO(), width=250)
        terminal.outcome(read_result(tmp_path / "run-1"), console, language)
        assert shown in console.file.getvalue()  # type: ignore[attr-defined]


def test_the_time_of_a_step_is_known_where_what_is_counted_is_within_what_is_sampled(
    analysed: Analysed,
) -> None:
    quiet = analysed(quiet_host(loops(without=(), handed_over=False)))["few"]
    noisy = analysed(beside(loops(without=(), handed_over=False)))["few"]
    assert noisy.statuses["delivery"]
    elapsed = figure(noisy, "step.elapsed")
    assert not elapsed.at_least
    assert elapsed.value == pytest.approx(value(quiet, "step.elapsed"), rel=0.03)


def test_a_loop_that_is_disturbed_all_the_time_is_invalid_and_keeps_its_counts(
    analysed: Analysed,
) -> None:
    cell = analysed(beside(loops(), 1.0))["few"]
    found = next(one for one in cell.findings if one.gate == GATE)
    assert found.verdict is Verdict.INVALID
    assert cell.verdict is Verdict.INVALID
    assert cell.metrics["rtt.latency.p50"].value is None
    assert value(cell, "rtt.rate") > 0
    assert cell.metrics["rtt.rate"].verdict is Verdict.INVALID
    assert cell.metrics["rtt.error.count"].value == 0
    assert sum(cell.statuses["rtt"].values()) == 3 * 2 * TICKS


def test_a_step_without_quiet_time_takes_at_least_what_others_left(analysed: Analysed) -> None:
    elapsed = figure(analysed(beside(loops(without=()), 1.0))["few"], "step.elapsed")
    assert elapsed.at_least
    assert elapsed.uncensored
    assert elapsed.value == pytest.approx(0.3 * elapsed.uncensored, rel=0.05)


def test_a_step_of_which_others_took_all_has_no_least_time_of_nothing(
    analysed: Analysed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synthetic.neighbour.BUSY_NS", 200 * MS)
    cell = analysed(beside(loops(without=()), 1.0))["few"]
    elapsed = cell.metrics["step.elapsed"]
    assert elapsed.uncensored
    assert elapsed.value is None
    assert elapsed.unsupported is not None
    assert elapsed.unsupported.code == GATE


def test_users_that_join_beside_other_programs_are_told_of_quiet_time(analysed: Analysed) -> None:
    run = loops()
    for trial in run.trials:
        record_host(trial, every(trial, 3))
    cell = analysed(run)["few"]
    assert cell.statuses["connect"] == {"ok": 6}
    assert value(cell, "connect.rate") > 0

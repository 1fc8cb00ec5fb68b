"""Figures of closed loops: the time of steps, marks, single users, and what is left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from synthetic import FANOUT, MS, Client, SyntheticRun, Trial, closed_run, closed_scenario, spoil
from wirelab.cells.analysis import analyse
from wirelab.cells.closed import fairness
from wirelab.model.result import Cell

RTT, CONNECT, ALL = 1, 3, 4
Cells = dict[str, Cell]
Analysed = Callable[[SyntheticRun], Cells]


@pytest.fixture
def analysed(tmp_path: Path) -> Analysed:
    """Write a run, analyse it, and hand back its cells by step."""
    return lambda run: {cell.step: cell for cell in analyse(run.write(tmp_path / "run"))[0].cells}


@pytest.fixture
def run() -> SyntheticRun:
    """A run for a test to spoil."""
    return closed_run({"swift": Client()})


@pytest.fixture(scope="module")
def fine() -> SyntheticRun:
    """A run that nobody spoils."""
    return closed_run({"swift": Client()})


@pytest.fixture(scope="module")
def cells(fine: SyntheticRun, tmp_path_factory: pytest.TempPathFactory) -> Cells:
    """Its cells by step."""
    result = analyse(fine.write(tmp_path_factory.mktemp("fine") / "run"))[0]
    return {cell.step: cell for cell in result.cells}


def value(cell: Cell, metric: str) -> float:
    found = cell.metrics[metric].value
    assert found is not None, metric
    return found


def seconds_of(trial: Trial, step: str) -> float:
    begin, end = trial.record["steps"][step]
    return float(end - begin) / 1e9


def test_a_step_takes_as_long_as_its_worker_said(fine: SyntheticRun, cells: Cells) -> None:
    for step in ("few", "more"):
        elapsed = cells[step].metrics["step.elapsed"]
        took = [seconds_of(trial, step) for trial in fine.of("swift")]
        assert elapsed.per_trial == pytest.approx(took)
        assert elapsed.value == pytest.approx(np.mean(took))
        assert elapsed.unit == "s"
        assert elapsed.interval is not None
    assert "step.elapsed" not in cells[""].metrics


def test_operations_of_a_step_are_those_after_settling(cells: Cells) -> None:
    assert cells["few"].statuses["rtt"] == {"ok": 3 * 2 * 600}
    assert cells["more"].statuses["rtt"] == {"ok": 3 * 4 * 600}
    assert cells[""].statuses["rtt"] == {"ok": 3 * 6 * 600}
    assert cells["more"].statuses["connect"] == {"ok": 3 * 2}
    assert cells["more"].statuses["all"] == {"ok": 3 * 4}
    assert cells[""].statuses["all"] == {"ok": 3 * 6}
    assert cells["few"].statuses["delivery"] == {"ok": 3 * 2 * 600 * FANOUT}
    assert cells[""].statuses["delivery"] == {"ok": 3 * 6 * 600 * FANOUT}


def test_rates_divide_by_the_time_that_it_took(fine: SyntheticRun, cells: Cells) -> None:
    rates = [2 * 600 / seconds_of(trial, "few") for trial in fine.of("swift")]
    assert value(cells["few"], "rtt.rate") == pytest.approx(np.mean(rates))
    assert value(cells["few"], "delivery.rate") == pytest.approx(np.mean(rates) * FANOUT)
    both = [6 * 600 / sum(seconds_of(t, s) for s in ("few", "more")) for t in fine.of("swift")]
    assert value(cells[""], "rtt.rate") == pytest.approx(np.mean(both))


def test_users_join_one_after_the_other(cells: Cells) -> None:
    # A millisecond each; what settles after them is not their time.
    assert value(cells["more"], "connect.rate") == pytest.approx(1000)
    assert value(cells[""], "connect.rate") == pytest.approx(1000)


def test_connecting_is_told_of_everybody_and_summed_with_the_step(
    fine: SyntheticRun, cells: Cells
) -> None:
    joined = {step: [value(cells[step], "connect.elapsed")] for step in ("few", "more")}
    # A millisecond for each user; those of the step before count, and its own time does not.
    assert joined == {"few": [pytest.approx(0.002)], "more": [pytest.approx(0.004)]}
    took = [seconds_of(trial, "more") + 0.004 for trial in fine.of("swift")]
    assert cells["more"].metrics["connect.elapsed.summed"].per_trial == pytest.approx(took)
    assert "connect.elapsed" not in cells[""].metrics


def test_whoever_did_not_join_leaves_no_time_of_joining(
    run: SyntheticRun, analysed: Analysed
) -> None:
    for trial in run.of("swift"):
        first = np.flatnonzero(trial.samples["op"] == CONNECT)[0]
        trial.samples["status"][first] = 1
    metrics = analysed(run)["more"].metrics
    for name in ("connect.elapsed", "connect.elapsed.summed"):
        missing = metrics[name]
        assert missing.value is None
        assert missing.unsupported is not None
        assert missing.unsupported.code == "never-reached"


def test_the_first_and_the_last_user_are_told_of_what_they_repeat(
    fine: SyntheticRun, cells: Cells
) -> None:
    for who, lane in (("first", 0), ("last", 3)):
        took = []
        for trial in fine.of("swift"):
            begin = trial.record["steps"]["more"][0]
            own = (trial.samples["op"] == RTT) & (trial.samples["lane"] == lane)
            took.append((int(trial.samples["end_ns"][own].max()) - begin) / 1e6)
        assert cells["more"].metrics[f"rtt.{who}"].per_trial == pytest.approx(took)
    assert "rtt.fairness" not in cells["more"].metrics


def test_a_user_who_did_not_get_all_has_no_time(run: SyntheticRun, analysed: Analysed) -> None:
    for trial in run.of("swift"):
        own = (trial.samples["op"] == RTT) & (trial.samples["lane"] == 0)
        trial.samples["status"][np.flatnonzero(own)[-1]] = 1
    metrics = analysed(run)["more"].metrics
    assert metrics["rtt.first"].value is None
    assert metrics["rtt.last"].value is not None


def test_nothing_is_due_at_a_time(cells: Cells) -> None:
    assert set(cells) == {"few", "more", ""}
    for cell in cells.values():
        told = {name for name in cell.metrics if ".response." in name or "attainment" in name}
        assert not told
        assert "tick.drift.p50" not in cell.metrics


def test_service_times_are_those_that_were_drawn(cells: Cells) -> None:
    few = cells["few"].metrics
    assert few["rtt.latency.p50"].value == pytest.approx(2.0, rel=0.05)
    assert few["rtt.latency.p50"].interval is not None
    assert few["delivery.latency.mean"].value == pytest.approx(2.4, rel=0.1)


def test_a_mark_is_reached_when_so_many_are_completed(fine: SyntheticRun, cells: Cells) -> None:
    reached = []
    for trial in fine.of("swift"):
        begin, end = trial.record["steps"]["few"]
        own = (trial.samples["op"] == RTT) & (trial.samples["start_ns"] >= begin)
        ends = np.sort(trial.samples["end_ns"][own & (trial.samples["start_ns"] < end)])
        reached.append((ends[999] - begin) / 1e9)
    assert cells["few"].metrics["rtt.elapsed.1000"].per_trial == pytest.approx(reached)
    assert value(cells["few"], "rtt.elapsed.100") < value(cells["few"], "rtt.elapsed.1000")
    assert value(cells["few"], "rtt.elapsed.1000") < value(cells["few"], "step.elapsed")
    assert "rtt.elapsed.100" not in cells[""].metrics


def test_a_mark_beyond_the_step_is_not_asked_for_and_one_not_reached_is_told(
    analysed: Analysed,
) -> None:
    run = closed_run({"swift": Client()}, ticks=300)
    spoil(run, "swift", lambda trial: fail(trial, "more", lane=3))
    cells = analysed(run)
    assert "rtt.elapsed.1000" not in cells["few"].metrics  # 600 are due
    missing = cells["more"].metrics["rtt.elapsed.1000"]  # 1,200 are due, 900 are good
    assert missing.value is None
    assert missing.unsupported is not None
    assert missing.unsupported.code == "never-reached"


def fail(trial: Trial, step: str, lane: int) -> None:
    """Everything that a user does in a step times out."""
    begin, _ = trial.record["steps"][step]
    own = (trial.samples["start_ns"] >= begin) & (trial.samples["lane"] == lane)
    trial.columns(status=np.where(own, 2, trial.samples["status"]))


def test_users_of_a_step_are_told_by_themselves(fine: SyntheticRun, cells: Cells) -> None:
    more = cells["more"]
    first, last = [], []
    for trial in fine.of("swift"):
        own = trial.samples["op"] == ALL
        own &= trial.samples["start_ns"] >= trial.record["steps"]["more"][0]
        took = (trial.samples["end_ns"] - trial.samples["start_ns"])[own] / MS
        lanes = trial.samples["lane"][own]
        first.append(took[lanes == 0][0])
        last.append(took[lanes == 3][0])
    assert more.metrics["all.first"].per_trial == pytest.approx(first)
    assert more.metrics["all.last"].per_trial == pytest.approx(last)
    assert more.metrics["all.first"].interval is not None
    assert 0.99 < value(more, "all.fairness") <= 1
    assert more.metrics["all.latency.mean"].value == pytest.approx(np.mean([*first, *last]), 0.05)


def test_who_never_completed_is_served_at_the_rate_zero(
    run: SyntheticRun, analysed: Analysed
) -> None:
    spoil(run, "swift", lambda trial: fail(trial, "more", lane=3))
    more = analysed(run)["more"]
    assert value(more, "all.fairness") == pytest.approx(3 / 4, rel=0.01)
    assert more.metrics["all.last"].unsupported is not None
    assert more.metrics["all.first"].value is not None


@pytest.mark.parametrize(
    ("durations", "users", "index"),
    [([2, 2, 2], 3, 1), ([1], 4, 1 / 4), ([1, 1], 4, 1 / 2), ([1, 3], 2, (4 / 3) ** 2 / (20 / 9))],
)
def test_jains_index(durations: list[float], users: int, index: float) -> None:
    assert fairness([1 / each for each in durations], users) == pytest.approx(index)
    assert fairness([], users) is None


def test_a_step_that_the_probe_cannot_resolve_has_no_use(analysed: Analysed) -> None:
    run = closed_run({"swift": Client()}, ticks=200)  # 0.4 s, rows every 0.1 s
    cells = analysed(run)
    for metric in ("cpu.mean", "rss.max", "server.cpu.mean", "net.loopback.rx", "gc.count"):
        found = cells["few"].metrics[metric]
        assert found.value is None, metric
        assert found.unsupported is not None
        assert found.unsupported.code == "too-short"
    assert "resource-sanity" not in {finding.gate for finding in cells["few"].findings}
    assert value(cells["few"], "startup.time") == pytest.approx(400)


def test_a_step_that_is_long_enough_has_that_of_its_window(cells: Cells) -> None:
    assert value(cells["few"], "cpu.mean") == pytest.approx(5, rel=0.15)
    assert value(cells[""], "cpu.mean") == pytest.approx(5, rel=0.15)
    assert value(cells["few"], "delivery.per.cpu") > 0
    assert cells[""].metrics["delivery.per.cpu"].value is None


def test_steps_are_ranked_by_the_time_they_took(tmp_path: Path) -> None:
    scenario = closed_scenario(rankings=[])
    run = closed_run({"swift": Client(), "slow": Client(median_ms=6.0)}, scenario=scenario)
    cells = analyse(run.write(tmp_path / "run"))[0].cells
    places = {(c.step, c.contender): c.ranks.get("step.elapsed") for c in cells if c.step}
    assert places == {
        (step, name): place
        for step in ("few", "more")
        for name, place in (("swift", 1), ("slow", 2))
    }


def test_a_trial_whose_worker_did_not_say_its_steps_counts_nowhere(
    run: SyntheticRun, analysed: Analysed
) -> None:
    trial = run.trial("swift")
    del trial.record["steps"]["more"]
    cells = analysed(run)
    assert set(cells) == {"few", "more", ""}
    for cell in cells.values():
        assert cell.other_trials == {trial.planned.id: "no-steps"}
        (finding,) = [f for f in cell.findings if f.gate == "trial-failed"]
        assert finding.evidence["failed"][trial.planned.id]["reason"] == "no-steps"


def test_as_many_are_under_way_as_there_are_users(tmp_path: Path) -> None:
    """Users of this run wait for nothing: two of them first, then four, each step for seconds."""
    run = closed_run({"swift": Client(median_ms=2.0)}, trials=1, ticks=3_000)
    _, series = analyse(run.write(tmp_path))
    (line,) = series.cells["demo/closed/swift"].operations["rtt"]
    users = [round(each or 0, 1) for each in line.values["under_way"]]
    assert len(users) > 10
    assert max(users) <= 4
    assert users.count(2.0) >= 4
    assert users.count(4.0) >= 4

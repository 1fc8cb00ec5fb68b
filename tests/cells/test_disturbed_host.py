"""Runs beside other programs, analysed: figures of quiet time, and what is said of them."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from itertools import compress
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from cells.conftest import ResultOf
from cli.command_lines import said
from synthetic import MS, Client, SyntheticRun, Trial, load_run, load_scenario
from synthetic.neighbour import (
    BUSY_NS,
    IDLE_NS,
    as_by_threads,
    bursts,
    disturb,
    every,
    quiet_host,
    record_host,
    slow_down,
)
from wirelab.gates.wording import evidence_lines, title_of
from wirelab.model.result import Cell, Finding, Verdict
from wirelab.report import terminal, write
from wirelab.samples.run_folder import read_result
from wirelab.stats.ratio import quotient, ratio
from wirelab.words.numbers import at_least, percent
from wirelab.words.translation import words

GATE = "host-disturbed"
READ = load_scenario().operations["read"].code
CLIENT = Client(median_ms=40.0, spread=0.4, trial_spread=0.001)

Analysed = Callable[[SyntheticRun], Cell]


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The first cell of a run, analysed from the command line."""

    def of(run: SyntheticRun) -> Cell:
        return result_of(run).cells[0]

    return of


def long_run(client: Client = CLIENT) -> SyntheticRun:
    """Three included trials of 200 s."""
    return load_run({"swift": client}, trials=4, count=2000)


def figure(cell: Cell, name: str) -> float:
    found = cell.metrics[name].value
    assert found is not None
    return found


def finding(cell: Cell) -> Finding | None:
    return next((one for one in cell.findings if one.gate == GATE), None)


def known(cell: Cell) -> Finding:
    found = finding(cell)
    assert found is not None
    return found


def test_figures_beside_other_programs_are_those_of_the_quiet_host(analysed: Analysed) -> None:
    quiet = analysed(quiet_host(long_run()))
    beside, unseen = long_run(), long_run()
    disturb(beside.trials, 0.3, slower=3.0)
    disturb(unseen.trials, 0.3, slower=3.0, recorded=False)
    noisy, uncensored = analysed(beside), analysed(unseen)
    for kind in ("latency", "response"):
        for level, within in (("p50", 0.03), ("p95", 0.06)):
            key = f"read.{kind}.{level}"
            true = figure(quiet, key)
            assert figure(noisy, key) == pytest.approx(true, rel=within)
            assert figure(uncensored, key) > 1.1 * true
            # The figure with what was disturbed stands beside it.
            assert noisy.metrics[key].uncensored == pytest.approx(figure(uncensored, key))
            assert uncensored.metrics[key].uncensored is None
            interval = noisy.metrics[key].interval
            assert interval is not None
            assert interval[0] <= figure(noisy, key) <= interval[1]
    said_of = known(noisy)
    assert 0.3 < said_of.evidence["share"] < 0.8
    assert set(said_of.evidence["trials"]) == set(noisy.trials)
    assert finding(quiet) is None
    assert finding(uncensored) is None


def test_the_first_screen_says_how_much_is_left_out_and_what_that_did(
    analysed: Analysed, tmp_path: Path
) -> None:
    beside = long_run()
    disturb(beside.trials, 0.3, slower=3.0)
    cell = analysed(beside)
    share = percent(known(cell).evidence["share"])
    result = read_result(tmp_path / "run-0")
    changed = {
        key: abs(math.log((metric.uncensored or 1.0) / (metric.value or 1.0)))
        for ranking in result.scenarios[cell.scenario].rankings
        if (metric := cell.metrics[key := ranking.metric]).uncensored and metric.is_usable
    }
    most = cell.metrics[max(changed, key=lambda key: changed[key])]
    assert most.value is not None
    assert most.uncensored is not None
    for language, word in (("en", "Other programs ran for up to"), ("ko", "다른 프로그램이")):
        (page,) = write(tmp_path / "run-0", language, ["md"])
        line = next(one for one in page.read_text("utf-8").splitlines() if one.startswith(word))
        figures = [float(found) for found in re.findall(r"([\d.]+)\u00a0ms", line)]
        assert figures == pytest.approx([most.value, most.uncensored], rel=0.02)
        console = Console(file=io.StringIO(), width=250)
        terminal.outcome(result, console, language)
        printed = console.file.getvalue()  # type: ignore[attr-defined]
        assert share in line
        assert any(share in one for one in printed.splitlines() if one.startswith(word))


def test_a_quiet_host_that_was_recorded_changes_no_figure(analysed: Analysed) -> None:
    stored, recorded = analysed(long_run()), analysed(quiet_host(long_run()))
    assert stored.metrics == recorded.metrics
    assert stored.findings == recorded.findings


def test_a_percentile_that_is_not_reached_is_at_least(analysed: Analysed, tmp_path: Path) -> None:
    client = Client(median_ms=400.0, spread=0.25, trial_spread=0.001)
    run = long_run(client)
    for trial in run.trials:
        record_host(trial, every(trial, 7))
    cell = analysed(run)
    p95 = cell.metrics["read.latency.p95"]
    assert p95.at_least
    assert p95.interval is None
    assert p95.value is not None
    assert 0 < p95.value <= 400 * math.exp(1.645 * 0.25) * 1.05
    assert not p95.is_usable
    assert "read.latency.p95" not in cell.ranks
    assert known(cell).evidence["figures"]["read.latency.p95"]["at_least"]
    # Who takes at least so long at p95 takes no less at p99.
    bounds = [cell.metrics[f"read.latency.{level}"].value for level in ("p95", "p99")]
    assert bounds == sorted(bounds, key=lambda bound: bound or 0.0)
    shown = at_least(f"{p95.value:.0f}")
    for language in ("en", "ko"):
        for page in write(tmp_path / "run-0", language, ["md", "html"]):
            assert shown in page.read_text("utf-8")
        console = Console(file=io.StringIO(), width=250)
        terminal.outcome(read_result(tmp_path / "run-0"), console, language)
        assert shown in console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("median", "looks"), [(200.0, 10), (300.0, 7), (400.0, 10), (400.0, 7)])
def test_a_mean_of_durations_cut_off_is_the_true_one_or_at_least(
    analysed: Analysed, median: float, looks: int
) -> None:
    client = Client(median_ms=median, trial_spread=0.003)
    quiet, beside = (load_run({"swift": client}, trials=9, count=200, seed=s) for s in (7, 8))
    for trial in beside.trials:
        record_host(trial, every(trial, looks))
    true, found = (analysed(run).metrics["read.latency.mean"] for run in (quiet, beside))
    assert true.value is not None
    assert found.value is not None
    assert found.at_least == (looks == 7)
    if found.at_least:
        assert found.value < true.value
        assert found.interval is None
        assert found.per_trial == []
    else:
        assert found.interval is not None
        assert found.interval[0] < true.value < found.interval[1]


def test_a_figure_that_is_not_reached_wins_nothing(tmp_path: Path) -> None:
    """Its lower bound is below the figure of the other, which is the better one."""
    clients = {
        "slow": Client(median_ms=400.0, spread=0.25, trial_spread=0.001),
        "swift": Client(median_ms=390.0, spread=0.25, trial_spread=0.001),
    }
    run = load_run(clients, trials=4, count=2000)
    for trial in run.of("slow"):
        record_host(trial, every(trial, 5))
    folder = run.write(tmp_path / "run")
    ended = said("analyse", str(folder), cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    slow, swift = sorted(read_result(folder).cells, key=lambda cell: cell.contender)
    for level in ("p50", "p95"):
        key = f"read.latency.{level}"
        mine, others = slow.metrics[key], swift.metrics[key]
        assert mine.at_least
        assert mine.by_block is None
        assert (mine.value or 0.0) < (others.value or 0.0) * 1.1
        assert key not in slow.ranks
        assert ratio(mine, others) is None
        assert quotient(others, mine) is None


def test_stalls_beside_other_programs_alone_are_left_out_and_shown(analysed: Analysed) -> None:
    run, quiet = long_run(Client(median_ms=5.0)), long_run(Client(median_ms=5.0))
    for trial in run.trials:
        busy = bursts(trial, 0.2)
        record_host(trial, busy)
        slow_down(trial, busy, 40.0)
    cell, true = analysed(run), analysed(quiet_host(quiet))
    key = "read.latency.p95"
    assert figure(cell, key) == pytest.approx(figure(true, key), rel=0.05)
    beside = known(cell).evidence["figures"][key]
    assert beside["quiet"] == figure(cell, key)
    assert beside["everything"] > 4 * beside["quiet"]


def test_a_rate_beside_other_programs_is_at_most_what_is_asked_for(analysed: Analysed) -> None:
    run = long_run()
    disturb(run.trials, 0.3, slower=3.0)
    asked = figure(analysed(quiet_host(long_run())), "read.rate")
    assert figure(analysed(run), "read.rate") == pytest.approx(asked, rel=1e-9)


def test_a_run_that_is_disturbed_all_the_time_is_invalid_and_keeps_its_counts(
    analysed: Analysed, tmp_path: Path
) -> None:
    run = long_run()
    disturb(run.trials, 1.0, slower=3.0)
    cell = analysed(run)
    found = known(cell)
    assert found.verdict is Verdict.INVALID
    assert found.evidence["share"] == pytest.approx(1.0)
    assert cell.verdict is Verdict.INVALID
    median = cell.metrics["read.latency.p50"]
    assert median.value is None
    assert median.uncensored is not None
    console = Console(file=io.StringIO(), width=200)
    terminal.outcome(read_result(tmp_path / "run-0"), console, "en")
    assert f"({median.uncensored:.0f})" in console.file.getvalue()  # type: ignore[attr-defined]
    assert figure(cell, "read.miss.count") > 0
    assert figure(cell, "read.error.count") == 0
    assert figure(cell, "read.rate") > 0
    assert cell.metrics["read.rate"].verdict is Verdict.INVALID
    assert sum(cell.statuses["read"].values()) > 5000
    for language, expected in (("en", "is left out"), ("ko", "제외")):
        lines = evidence_lines(found, cell.id, words(language))
        assert expected in lines[0]
        (page,) = write(tmp_path / "run-0", language, ["md"])
        assert title_of(GATE, words(language)) in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("share", "verdict"), [(0.1, Verdict.VALID), (0.55, Verdict.WARN), (0.9, Verdict.INVALID)]
)
def test_how_much_is_left_out_decides_what_the_gate_says(
    analysed: Analysed, share: float, verdict: Verdict
) -> None:
    run = long_run(Client(median_ms=5.0))
    disturb(run.trials, share, slower=1.5)
    found = known(analysed(run))
    bounds = {Verdict.VALID: (0, 0.5), Verdict.WARN: (0.5, 0.8), Verdict.INVALID: (0.8, 1)}
    low, high = bounds[verdict]
    assert low < found.evidence["share"] <= high
    assert found.verdict is verdict


def test_what_nobody_can_place_disturbs_the_second_before_it_was_seen(
    analysed: Analysed,
) -> None:
    run = quiet_host(long_run())
    for trial in run.trials:
        steps = np.where(every(trial, 100), 50 * MS, 0)
        trial.host["foreign_ran_unplaced_ns"] = np.cumsum(steps)
    # A second and a period of every ten seconds.
    assert known(analysed(run)).evidence["share"] == pytest.approx(0.11, abs=0.02)


def test_whom_a_contender_keeps_waiting_disturbs_nothing(analysed: Analysed) -> None:
    """The record of some runs has what others waited for beside what they ran."""
    run = quiet_host(long_run())
    for trial in run.trials:
        trial.host["foreign_ns"] = np.cumsum(np.where(every(trial, 2), BUSY_NS, IDLE_NS))
        trial.host["foreign_unplaced_ns"] = trial.host["foreign_ran_unplaced_ns"]
    assert finding(analysed(run)) is None


def test_a_run_without_execution_alone_is_judged_by_demand(analysed: Analysed) -> None:
    run = long_run()
    disturb(run.trials, 0.3, slower=3.0)
    share = known(analysed(run)).evidence["share"]
    for trial in run.trials:
        as_by_threads(trial)
    assert known(analysed(run)).evidence["share"] == share > 0.2


@pytest.mark.parametrize(("ran", "is_disturbed"), [(4 * MS, False), (6 * MS, True)])
def test_who_makes_the_monitor_late_gets_no_time_left_out(
    analysed: Analysed, ran: int, is_disturbed: bool
) -> None:
    run = quiet_host(long_run())
    for trial in run.trials:
        looks = len(trial.host["monotonic_ns"])
        trial.host["foreign_ran_ns"] = np.arange(looks) * ran
        # Looks are missing now and then, and what was run between them adds up.
        seen = np.arange(looks) % 10 < 6
        trial.host = {
            name: column[seen] if isinstance(column, np.ndarray) else [*compress(column, seen)]
            for name, column in trial.host.items()
        }
    assert (finding(analysed(run)) is not None) is is_disturbed


def before_load(trial: Trial) -> np.ndarray:
    """The looks of a trial before its first tick."""
    looks: np.ndarray = trial.probe["host"]["monotonic_ns"] < trial.record["tick0_ns"]
    return looks


def failing(run: SyntheticRun, share: float, *, in_quiet: bool) -> SyntheticRun:
    """Others run for a tenth of the time; reads fail then, or at any other time."""
    random = np.random.default_rng(3)
    for trial in run.trials:
        busy = bursts(trial, 0.1)
        record_host(trial, busy)
        at = np.searchsorted(trial.host["monotonic_ns"], trial.samples["intended_ns"])
        # Within a window and not near its end: nothing is known to the period.
        around = [np.roll(busy, by) for by in (-3, -2, -1, 0, 1, 2, 3)]
        chosen = ~np.any(around, axis=0) if in_quiet else busy
        fails = chosen[at] & (random.random(len(at)) < share) & (trial.samples["op"] == READ)
        trial.columns(status=np.where(fails, 5, trial.samples["status"]))
    return run


def test_what_fails_while_others_run_is_nobodys(analysed: Analysed) -> None:
    cell = analysed(failing(long_run(), 0.5, in_quiet=False))
    (found,) = (one for one in cell.findings if one.gate == "loss-or-error")
    of_reads = found.evidence["operations"]["read"]
    assert of_reads["failed"] == of_reads["unattributed"] > 50
    assert (found.verdict, found.evidence["ratio"]) == (Verdict.WARN, 0.0)
    assert figure(cell, "read.error.count") == of_reads["failed"]


def missing_deadlines(run: SyntheticRun, *, in_quiet: bool) -> SyntheticRun:
    """As ``failing``, but reads succeed, after their deadline of 100 ms."""
    failing(run, 0.5, in_quiet=in_quiet)
    for trial in run.trials:
        late = trial.samples["status"] != 0
        begun = trial.samples["intended_ns"]
        ended = np.where(
            late,
            trial.samples["start_ns"] + 150 * MS,
            np.minimum(trial.samples["end_ns"], begun + 90 * MS),
        )
        trial.columns(status=np.zeros_like(trial.samples["status"]), end_ns=ended)
        order = np.argsort(ended, kind="stable")
        trial.columns(**{name: column[order] for name, column in trial.samples.items()})
    return run


def test_who_misses_deadlines_while_others_run_is_not_known(analysed: Analysed) -> None:
    cell = analysed(missing_deadlines(long_run(), in_quiet=False))
    missed = figure(cell, "read.miss.count")
    assert known(cell).evidence["misses"]["read"] == {"missed": missed, "beside": missed}
    assert missed > 50
    ratio_of_misses = cell.metrics["read.miss.ratio"]
    assert (ratio_of_misses.verdict, ratio_of_misses.gates) == (Verdict.WARN, [GATE])
    assert cell.verdict is Verdict.WARN
    assert cell.metrics["write.miss.ratio"].verdict is Verdict.VALID
    for language, expected in (("en", "deadline misses fall into time"), ("ko", "기한 초과")):
        lines = evidence_lines(known(cell), cell.id, words(language))
        assert sum(expected in line for line in lines) == 1


def test_deadlines_missed_in_quiet_time_are_the_contenders(analysed: Analysed) -> None:
    cell = analysed(missing_deadlines(long_run(), in_quiet=True))
    assert figure(cell, "read.miss.count") > 50
    assert known(cell).evidence["misses"] == {}
    assert cell.metrics["read.miss.ratio"].verdict is Verdict.VALID


def test_what_fails_in_quiet_time_is_the_contenders(analysed: Analysed) -> None:
    cell = analysed(failing(long_run(), 0.05, in_quiet=True))
    (found,) = (one for one in cell.findings if one.gate == "loss-or-error")
    of_reads = found.evidence["operations"]["read"]
    assert of_reads["failed"] - of_reads["unattributed"] > 50
    assert found.verdict is Verdict.INVALID


def test_what_ran_while_programs_were_started_does_not_say_what_queue_is_usual(
    analysed: Analysed,
) -> None:
    scenario = load_scenario(load={"type": "open", "period": "100ms"})
    # Several are always under way, and half of the trial is the start.
    client = Client(median_ms=350.0, spread=0.2, startup_ms=30_000)
    run = load_run({"swift": client}, scenario=scenario, trials=3, count=300)
    kept = {}
    for trial in run.trials:
        begun = before_load(trial)
        kept[trial.planned.id] = bursts(trial, 0.15) & ~begun
        record_host(trial, kept[trial.planned.id])
    share = known(analysed(run)).evidence["share"]
    assert 0.15 < share < 0.45
    for trial in run.trials:
        record_host(trial, kept[trial.planned.id] | (before_load(trial) & every(trial, 3)))
    assert known(analysed(run)).evidence["share"] == share


def test_an_open_load_is_censored_as_well(analysed: Analysed) -> None:
    scenario = load_scenario(load={"type": "open", "period": "100ms"})
    run = load_run({"swift": CLIENT}, scenario=scenario, trials=3)
    disturb(run.trials, 0.3, slower=3.0)
    found = known(analysed(run))
    # A period of the monitor at the least, and what was under way.
    recovery = found.evidence["recovery"]
    assert 100 <= recovery["median_ms"] < recovery["longest_ms"] < 5000
    assert "quiet again" in evidence_lines(found, "", words("en"))[1]
    assert "다시 조용해지기까지" in evidence_lines(found, "", words("ko"))[1]

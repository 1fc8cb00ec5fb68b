"""Deliveries, which are counted by the second, beside other programs: figures of quiet seconds."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cells.conftest import ResultOf
from synthetic import MS, SECOND, Client, SyntheticRun, Trial, crowd_run, crowd_scenario
from synthetic.crowd import BOARD, line_of
from synthetic.neighbour import bursts, every, record_host, slow_down, slowed_ends
from wirelab.model.result import Cell, Finding, Result, Verdict
from wirelab.report import write

GATE = "disturbed-seconds"
USERS, TICKS = 20, 220
SERVER = Client(median_ms=10.0, spread=0.4)
SLOWER = 4.0
LEVELS = {"p50": 0.02, "p95": 0.03, "p99": 0.08}

Analysed = Callable[[SyntheticRun], Cell]
Took = Callable[[np.random.Generator, np.ndarray], np.ndarray]


def usual(random: np.random.Generator, sent_ns: np.ndarray) -> np.ndarray:
    """Lognormal times of deliveries."""
    return np.exp(random.normal(np.log(30.0), 0.5, len(sent_ns))) * MS


def stalling(random: np.random.Generator, sent_ns: np.ndarray) -> np.ndarray:
    """The same of a server that stands still for the last 250 ms of every two seconds."""
    left = 2 * SECOND - sent_ns % (2 * SECOND)
    return usual(random, sent_ns) + np.where(left < SECOND // 4, left, 0)


def run(took: Took = usual, *, share: float = 0.0, fine: int = 0) -> SyntheticRun:
    """Three trials of 218 s, beside others for a share of the time; a test may change them.

    Lines of ``fine`` seconds are of tenths, as of a worker that changes to seconds lest its file
    have too many."""
    return copy.deepcopy(_made(took, share, fine))


@functools.cache
def _made(took: Took, share: float, fine: int) -> SyntheticRun:
    steps = {"all": {"title": {"en": "20 users"}, "users": USERS}}
    scenario = crowd_scenario(steps=steps)
    built = crowd_run({"swift": SERVER}, scenario=scenario, trials=3, ticks=TICKS)
    for trial in built.trials:
        busy = bursts(trial, share)
        deliver(trial, took, busy, SLOWER, fine)
        slow_down(trial, busy, SLOWER)
        record_host(trial, busy)
    return built


def unseen(built: SyntheticRun) -> SyntheticRun:
    """The same, of which the monitor recorded nothing."""
    for trial in built.trials:
        trial.host = {}
    return built


def deliver(trial: Trial, took: Took, busy: np.ndarray, slower: float, fine: int = 0) -> None:
    """Let every message reach the others of its board, more slowly before the looks of ``busy``."""
    random = np.random.default_rng([trial.planned.seed, 7])
    sent = np.repeat(trial.samples["intended_ns"][trial.samples["op"] == 1], BOARD - 1)
    after = sent - trial.record["tick0_ns"]
    durations = slowed_ends(trial, busy, slower, sent, took(random, after)) - sent
    tenths = np.where(after < fine * SECOND, after % SECOND // (SECOND // 10), -1)
    slots, which = np.unique(
        np.stack([after // SECOND, tenths], axis=1), axis=0, return_inverse=True
    )
    which = which.ravel()
    by_slot = durations[np.argsort(which, kind="stable")]
    apart = np.split(by_slot, np.cumsum(np.bincount(which))[:-1])
    trial.intervals = [
        line_of(int(second), len(own), own, None if tenth < 0 else int(tenth))
        for (second, tenth), own in zip(slots, apart, strict=True)
    ]


def cell_of(result: Result) -> Cell:
    """The cell of the step."""
    return next(cell for cell in result.cells if cell.step == "all")


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The cell of the step of a run, analysed from the command line."""
    return lambda built: cell_of(result_of(built))


@pytest.fixture(scope="module")
def quiet(shared_result_of: ResultOf) -> Cell:
    """Usual deliveries on a quiet host."""
    return cell_of(shared_result_of(run()))


@pytest.fixture(scope="module")
def noisy(shared_result_of: ResultOf) -> Cell:
    """Usual deliveries beside others."""
    return cell_of(shared_result_of(run(share=0.15)))


def figure(cell: Cell, key: str) -> float:
    found = cell.metrics[key].value
    assert found is not None, key
    return found


def finding(cell: Cell) -> Finding:
    return next(one for one in cell.findings if one.gate == GATE)


def test_deliveries_beside_other_programs_have_the_figures_of_the_quiet_host(
    analysed: Analysed, quiet: Cell, noisy: Cell
) -> None:
    uncensored = analysed(unseen(run(share=0.15)))
    assert figure(quiet, "delivery.response.p99") > 80
    have_the_figures_of_the_quiet_host(quiet, noisy, uncensored)


def test_what_a_server_does_itself_is_in_the_figures_as_before(analysed: Analysed) -> None:
    quiet, noisy = analysed(run(stalling)), analysed(run(stalling, share=0.15))
    assert figure(quiet, "delivery.response.p99") > 200
    have_the_figures_of_the_quiet_host(quiet, noisy, analysed(unseen(run(stalling, share=0.15))))


def have_the_figures_of_the_quiet_host(quiet: Cell, noisy: Cell, uncensored: Cell) -> None:
    for level, within in LEVELS.items():
        key = f"delivery.response.{level}"
        true, metric = figure(quiet, key), noisy.metrics[key]
        assert figure(noisy, key) == pytest.approx(true, rel=within)
        assert metric.interval is not None
        assert metric.interval[0] <= true <= metric.interval[1]
        assert metric.verdict is Verdict.VALID
        assert figure(uncensored, key) > 1.1 * true
        # The figure with what was disturbed stands beside it.
        assert metric.uncensored == pytest.approx(figure(uncensored, key))
        assert uncensored.metrics[key].uncensored is None
    assert 0.2 < finding(noisy).evidence["shares"]["delivery"] < 0.5
    assert finding(noisy).verdict is Verdict.VALID
    assert set(finding(noisy).trials) == set(noisy.trials)
    beside = next(one for one in noisy.findings if one.gate == "host-disturbed")
    assert beside.evidence["figures"]["delivery.response.p50"]["everything"] == pytest.approx(
        figure(uncensored, "delivery.response.p50")
    )
    assert GATE not in {one.gate for cell in (quiet, uncensored) for one in cell.findings}


def test_a_quiet_host_that_was_recorded_changes_no_figure(analysed: Analysed, quiet: Cell) -> None:
    stored = analysed(unseen(run()))
    assert stored.metrics == quiet.metrics
    assert stored.findings == quiet.findings


def test_tenths_of_a_second_lose_less_and_tell_the_same(
    analysed: Analysed, quiet: Cell, noisy: Cell
) -> None:
    fine = analysed(run(share=0.15, fine=60))
    for level, within in LEVELS.items():
        key = f"delivery.response.{level}"
        assert figure(fine, key) == pytest.approx(figure(quiet, key), rel=within)
        assert fine.metrics[key].uncensored == noisy.metrics[key].uncensored
    shares = [finding(cell).evidence["shares"]["delivery"] for cell in (fine, noisy)]
    assert 0.1 < shares[0] < 0.9 * shares[1]


def test_tenths_of_a_quiet_host_are_whole_seconds(analysed: Analysed, quiet: Cell) -> None:
    built = run(fine=60)
    assert all(len(trial.intervals) > 700 for trial in built.trials)
    fine = analysed(built)
    assert fine.metrics == quiet.metrics
    assert fine.findings == quiet.findings


def test_counts_are_of_all_seconds(quiet: Cell, noisy: Cell) -> None:
    counts = [f"delivery.{name}.count" for name in ("expected", "received", "loss")]
    for key in (*counts, "delivery.rate", "delivery.loss.ratio"):
        assert figure(noisy, key) == pytest.approx(figure(quiet, key))


@pytest.mark.parametrize(("in_quiet", "verdict"), [(True, Verdict.INVALID), (False, Verdict.WARN)])
def test_deliveries_lost_while_others_run_are_nobodys(
    analysed: Analysed, *, in_quiet: bool, verdict: Verdict
) -> None:
    built = run(share=0.15)
    for trial in built.trials:
        looks = trial.host["monotonic_ns"]
        ran = np.diff(trial.host["foreign_ran_ns"], prepend=0) > 5 * MS
        busy = set(((looks[ran] - trial.record["tick0_ns"]) // SECOND).tolist())
        near = {second + by for second in busy for by in range(-1, 3)}
        seconds = {line["second"] for line in trial.intervals} - near if in_quiet else busy
        chosen = [line for line in trial.intervals if line["second"] in seconds]
        assert len(chosen) > 20
        for line in chosen:
            line["counts"]["received"] -= 5
    cell = analysed(built)
    (found,) = (one for one in cell.findings if one.gate == "loss-or-error")
    assert found.verdict is verdict
    assert found.evidence["operations"]["delivery"]["failed"] > 100


def test_most_seconds_left_out_are_a_warning_for_deliveries_alone(
    analysed: Analysed, quiet: Cell, tmp_path: Path
) -> None:
    noisy = analysed(run(share=0.35))
    assert finding(noisy).verdict is Verdict.WARN
    assert 0.5 < finding(noisy).evidence["shares"]["delivery"] < 0.9
    for level in ("p50", "p95"):
        warned = noisy.metrics[f"delivery.response.{level}"]
        assert (warned.verdict, warned.gates) == (Verdict.WARN, [GATE])
        # Fewer seconds, a wider interval, and the same figure.
        true = quiet.metrics[f"delivery.response.{level}"]
        assert width(warned.interval) > width(true.interval)
        assert warned.value == pytest.approx(true.value, rel=0.05)
        assert noisy.metrics[f"rtt.response.{level}"].verdict is Verdict.VALID
    for key in ("delivery.loss.count", "delivery.rate", "delivery.received.count"):
        assert noisy.metrics[key].verdict is Verdict.VALID
    for language, expected in (("en", "of the seconds are left out"), ("ko", "초")):
        (page,) = write(tmp_path / "run-0", language, ["md"])
        assert expected in page.read_text("utf-8")


def width(interval: tuple[float, float] | None) -> float:
    assert interval is not None
    return interval[1] - interval[0]


def test_deliveries_that_outlast_quiet_time_are_at_least_so_long(analysed: Analysed) -> None:
    """They take 2 s and more, and others run for a tenth of a second of every seven."""

    def long(random: np.random.Generator, sent_ns: np.ndarray) -> np.ndarray:
        return np.exp(random.normal(np.log(2000.0), 0.3, len(sent_ns))) * MS

    built = run(long)
    for trial in built.trials:
        busy = every(trial, 65)
        busy[-65:] = True  # nothing of the last seconds is seen to end either
        deliver(trial, long, busy, 1.0)
        record_host(trial, busy)
    cell = analysed(built)
    p95 = cell.metrics["delivery.response.p95"]
    assert p95.at_least
    assert p95.interval is None
    assert p95.value is not None
    assert 500 < p95.value < 2000 * np.exp(1.645 * 0.3)
    assert not p95.is_usable


def test_what_was_held_up_in_a_disturbed_second_disturbs_those_after_it(
    analysed: Analysed, quiet: Cell
) -> None:
    """Messages of one second in twenty take three seconds; those of the next two wait for them."""
    built = run()
    for trial in built.trials:
        busy = every(trial, 200)
        at = trial.probe["host"]["monotonic_ns"][busy] - trial.record["tick0_ns"]
        deliver(trial, queued_after(at), busy, 1.0)
        record_host(trial, busy)
    noisy = analysed(built)
    for level, within in LEVELS.items():
        key = f"delivery.response.{level}"
        assert figure(noisy, key) == pytest.approx(figure(quiet, key), rel=within)
        assert (noisy.metrics[key].uncensored or 0.0) > figure(noisy, key)
    assert 0.15 <= finding(noisy).evidence["shares"]["delivery"] < 0.3


def queued_after(at_ns: np.ndarray) -> Took:
    """Times of messages that wait until three seconds after each of these instants."""

    def took(random: np.random.Generator, sent_ns: np.ndarray) -> np.ndarray:
        begins = np.sort(at_ns) - SECOND // 10
        number = np.searchsorted(begins, sent_ns, side="right") - 1
        left = begins[np.maximum(number, 0)] + 3 * SECOND - sent_ns
        return usual(random, sent_ns) + np.where(number >= 0, np.maximum(left, 0), 0)

    return took


def test_a_trial_without_a_quiet_second_takes_nothing_from_the_others(
    analysed: Analysed, quiet: Cell
) -> None:
    built = run()
    lost = built.trials[0]
    busy = np.ones(len(lost.probe["host"]["monotonic_ns"]), dtype=bool)
    deliver(lost, usual, busy, SLOWER)
    record_host(lost, busy)
    cell = analysed(built)
    p50 = cell.metrics["delivery.response.p50"]
    assert p50.value == pytest.approx(figure(quiet, "delivery.response.p50"), rel=0.02)
    assert p50.per_trial[0] is None
    assert p50.interval is not None
    assert finding(cell).evidence["shares"]["delivery"] == pytest.approx(1 / 3, abs=0.01)


def test_a_run_without_a_quiet_second_has_no_times_of_deliveries(analysed: Analysed) -> None:
    cell = analysed(run(share=1.0))
    assert cell.metrics["delivery.response.p50"].value is None
    assert cell.verdict is Verdict.INVALID
    assert figure(cell, "delivery.received.count") > 10_000
    assert finding(cell).evidence["shares"]["delivery"] == pytest.approx(1.0)

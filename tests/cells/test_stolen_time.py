"""Processor time that the hypervisor took: left out where it comes to all alike, else withheld."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cells.conftest import ResultOf
from synthetic import SECOND, Client, SyntheticRun, load_run
from synthetic.neighbour import bursts, quiet_host, slow_down, stall, steal_from
from wirelab.gates.wording import evidence_lines
from wirelab.model.result import Cell, Finding, Metric, Verdict
from wirelab.report import write
from wirelab.words.translation import words

CLIENTS = {
    "slow": Client(median_ms=30.0, spread=0.4, trial_spread=0.001),
    "swift": Client(median_ms=20.0, spread=0.4, trial_spread=0.001),
}
P50, P95, P99 = (f"read.latency.{level}" for level in ("p50", "p95", "p99"))

Analysed = Callable[[SyntheticRun], dict[str, Cell]]


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The cells of a run by contender, analysed from the command line."""

    def of(run: SyntheticRun) -> dict[str, Cell]:
        return {cell.contender: cell for cell in result_of(run).cells}

    return of


def measured(trials: int = 8) -> SyntheticRun:
    """A run on a host of which nothing is known but that it was idle; the first block warms up."""
    return quiet_host(load_run(CLIENTS, trials=trials, count=1000))


def robbed(run: SyntheticRun, share: float = 0.1, *, ms: int = 20) -> SyntheticRun:
    """The same with the hypervisor taking time now and then, from all alike; that slows down."""
    for trial in run.trials:
        busy = bursts(trial, share, looks=2)
        slow_down(trial, busy, 5.0)
        steal_from(trial, busy, ms)
    return run


def figure(cell: Cell, key: str) -> Metric:
    found = cell.metrics[key]
    assert found.value is not None, (key, found.unsupported)
    return found


def steal(cell: Cell) -> Finding:
    (found,) = (one for one in cell.findings if one.gate == "steal")
    return found


def withheld(cell: Cell, key: str) -> str:
    found = cell.metrics[key]
    assert found.value is None
    assert found.unsupported is not None
    return found.unsupported.code


def test_what_is_taken_from_all_alike_is_left_out(analysed: Analysed) -> None:
    quiet, noisy = analysed(measured()), analysed(robbed(measured()))
    for name in ("slow", "swift"):
        for key, within in ((P50, 0.03), (P95, 0.05), (P99, 0.08)):
            true = figure(quiet[name], key).value
            assert figure(noisy[name], key).value == pytest.approx(true, rel=within)
            assert figure(noisy[name], key).uncensored is not None
        assert steal(noisy[name]).verdict is Verdict.VALID
        assert steal(noisy[name]).evidence["fairness"] == "fair"
        assert "host-disturbed" in {one.gate for one in noisy[name].findings}
        assert noisy[name].ranks == quiet[name].ranks
        assert P50 in noisy[name].ranks


def stalling(run: SyntheticRun, contender: str, every: int) -> SyntheticRun:
    """The hypervisor takes time while the contender's longest operations are under way, of which
    there is one in so many; of the others it takes as much at any time."""
    for trial in run.trials:
        own = trial.planned.contender == contender
        busy = stall(trial, every) if own else bursts(trial, 1 / every, looks=1)
        steal_from(trial, busy, 40)
    return run


@pytest.mark.parametrize("every", [25, 12])
def test_who_attracts_what_the_host_takes_is_said_to(
    analysed: Analysed, tmp_path: Path, every: int
) -> None:
    noisy = analysed(stalling(measured(), "slow", every))
    assert "host-disturbed" not in {one.gate for cell in noisy.values() for one in cell.findings}
    sentences = {
        "slow": "the host takes more when this contender works",
        "swift": "the host takes more when another contender works",
    }
    for name, sentence in sentences.items():
        lines = evidence_lines(steal(noisy[name]), noisy[name].id, words("en"))
        assert lines[-1].endswith(sentence)
        assert steal(noisy[name]).verdict is Verdict.WARN
        assert figure(noisy[name], P50).uncensored is None
        assert figure(noisy[name], P50).is_usable
    assert withheld(noisy["slow"], P99) == "steal-takes-more"
    assert withheld(noisy["swift"], P99) == "steal-takes-more-elsewhere"
    for language, expected in (("en", "this contender works"), ("ko", "이 비교 대상")):
        (page,) = write(tmp_path / "run-0", language, ["md"])
        assert expected in page.read_text("utf-8")


def test_too_little_to_tell_withholds_tails_and_nothing_else(analysed: Analysed) -> None:
    plain, noisy = analysed(measured(4)), analysed(robbed(measured(4), ms=20))
    for name in ("slow", "swift"):
        assert steal(noisy[name]).evidence["fairness"] == "too-little"
        assert steal(noisy[name]).verdict is Verdict.WARN
        assert withheld(noisy[name], P99) == withheld(noisy[name], "read.latency.max")
        assert withheld(noisy[name], P99) == "steal-too-little"
        assert figure(noisy[name], P95).is_usable
        assert P50 in noisy[name].ranks
        assert figure(plain[name], P99).is_usable


@pytest.mark.parametrize(
    ("ms", "verdict", "p95"),
    [(20, Verdict.WARN, True), (70, Verdict.WARN, False), (200, Verdict.INVALID, False)],
)
def test_how_much_was_taken_decides_what_is_withheld(
    analysed: Analysed, ms: int, verdict: Verdict, p95: bool
) -> None:
    cell = analysed(robbed(measured(3), ms=ms))["swift"]
    assert steal(cell).verdict is verdict
    assert (cell.metrics[P95].value is not None) == p95
    assert figure(cell, P50).is_usable == (verdict is Verdict.WARN)


def test_one_trial_of_many_that_was_robbed_takes_no_figure(analysed: Analysed) -> None:
    run = measured(10)
    for trial in run.of("swift")[4:5]:
        steal_from(trial, bursts(trial, 0.3, looks=2), 20)
    cell = analysed(run)["swift"]
    assert steal(cell).verdict is Verdict.WARN
    assert steal(cell).evidence["worst"] > 0.05
    assert figure(cell, P99).is_usable
    assert cell.verdict is Verdict.WARN


def test_the_record_of_the_host_counts_by_the_window_and_not_by_the_trial(
    analysed: Analysed,
) -> None:
    """Time taken while a trial starts is in none of its figures."""
    run = measured(3)
    for trial in run.trials:
        at = trial.probe["host"]["monotonic_ns"]
        steal_from(trial, at < trial.record["tick0_ns"] + SECOND, 90)
        trial.record["environment"]["steal_ratio"] = 0.06
    cells = analysed(run)
    assert cells.keys() == CLIENTS.keys()
    for cell in cells.values():
        assert "steal" not in {one.gate for one in cell.findings}

"""Other programs that run when a contender is slow: what is left out would flatter it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cells.conftest import ResultOf
from synthetic import Client, SyntheticRun, Trial, load_run
from synthetic.neighbour import bursts, record_host, slow_down, stall
from wirelab.gates.wording import evidence_lines
from wirelab.model.result import Cell, Finding, Verdict
from wirelab.words.translation import words

CLIENTS = {
    "slow": Client(median_ms=30.0, spread=0.4, trial_spread=0.001),
    "swift": Client(median_ms=20.0, spread=0.4, trial_spread=0.001),
}
P50 = "read.latency.p50"

Analysed = Callable[[SyntheticRun], Cell]


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The cell of the slow contender of a run."""

    def of(run: SyntheticRun) -> Cell:
        return next(cell for cell in result_of(run).cells if cell.contender == "slow")

    return of


def measured(busy_of: Callable[[Trial], np.ndarray], trials: int = 6) -> SyntheticRun:
    """A run beside other programs that run before the looks that ``busy_of`` tells."""
    run = load_run(CLIENTS, trials=trials, count=1000)
    for trial in run.trials:
        record_host(trial, busy_of(trial))
    return run


def disturbed(cell: Cell) -> Finding:
    (found,) = (one for one in cell.findings if one.gate == "host-disturbed")
    return found


def test_what_runs_when_a_contender_is_slow_takes_its_figures_away(analysed: Analysed) -> None:
    cell = analysed(measured(lambda trial: stall(trial, 25)))
    found = disturbed(cell)
    assert found.verdict is Verdict.INVALID
    assert found.evidence["share"] < 0.5
    assert cell.metrics[P50].verdict is Verdict.INVALID
    assert P50 not in cell.ranks
    for language, expected in (("en", "of its own making"), ("ko", "스스로 만든")):
        lines = evidence_lines(found, cell.id, words(language))
        assert [expected in line for line in lines][:2] == [False, True]


def slowed_by_bursts(trial: Trial) -> np.ndarray:
    """Bursts that slow down what is under way."""
    busy = bursts(trial, 0.2, looks=3)
    slow_down(trial, busy, 5.0)
    return busy


def beside_stalls(trial: Trial) -> np.ndarray:
    """Bursts at any time, beside stalls of the contender."""
    stall(trial, 25)
    return bursts(trial, 0.1, looks=1)


@pytest.mark.parametrize("busy_of", [slowed_by_bursts, beside_stalls])
def test_what_runs_at_any_time_accuses_nobody(
    busy_of: Callable[[Trial], np.ndarray], analysed: Analysed
) -> None:
    cell = analysed(measured(busy_of))
    assert disturbed(cell).evidence["attracted"] is False
    assert cell.metrics[P50].is_usable
    assert P50 in cell.ranks


def test_of_few_windows_nobody_is_accused(analysed: Analysed) -> None:
    found = disturbed(analysed(measured(lambda trial: stall(trial, 200), trials=3)))
    assert found.evidence["attracted"] is False
    assert found.verdict is Verdict.VALID

"""Contenders that would profit by what is left out for the host: what is said of each.

Who burns processor time to look like other programs is in ``e2e/test_watched``, whose stalls
attract others in ``test_attracted``, whose trials are lost oftener in ``test_lost_trials``.
"""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from cells.conftest import ResultOf
from synthetic import MS, Client, load_run
from synthetic.neighbour import bursts, record_host
from wirelab.gates.wording import evidence_lines
from wirelab.model.result import Cell, Finding, Result
from wirelab.report import terminal
from wirelab.words.translation import words

HONEST, DEFERS = "honest", "defers"
"""Both stall as often; the second puts its stalls off until other programs run."""

P50, P99 = "read.latency.p50", "read.latency.p99"
STALL_MS = 300


@pytest.fixture(scope="module")
def result(shared_result_of: ResultOf) -> Result:
    """Cells of the two, beside others that run for 30 % of the time."""
    clients = {
        name: Client(median_ms=20.0, spread=0.3, trial_spread=0.001) for name in (HONEST, DEFERS)
    }
    run = load_run(clients, trials=7, count=800)
    for trial in run.trials:
        busy = bursts(trial, 0.3)
        record_host(trial, busy)
        begun, ended = trial.samples["start_ns"], trial.samples["end_ns"]
        at = np.searchsorted(trial.probe["host"]["monotonic_ns"], begun)
        allowed = np.flatnonzero(busy[at] if trial.planned.contender == DEFERS else at >= 0)
        random = np.random.default_rng(trial.planned.seed)
        stalled = random.choice(allowed, len(begun) // 30, replace=False)
        trial.columns(end_ns=np.maximum(ended, _at(begun, stalled) + STALL_MS * MS))
        order = np.argsort(trial.samples["end_ns"], kind="stable")
        trial.columns(**{name: column[order] for name, column in trial.samples.items()})
    return shared_result_of(run)


def _at(times: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The chosen ones of these times; of others one that is long ago."""
    found = np.zeros_like(times)
    found[chosen] = times[chosen]
    return found


def cell_of(result: Result, contender: str) -> Cell:
    (cell,) = (one for one in result.cells if one.contender == contender)
    return cell


def disturbed(cell: Cell) -> Finding:
    (found,) = (one for one in cell.findings if one.gate == "host-disturbed")
    return found


def test_the_figure_with_everything_gives_away_who_stalls_in_disturbed_time_alone(
    result: Result,
) -> None:
    honest, defers = (cell_of(result, name).metrics[P99] for name in (HONEST, DEFERS))
    # In quiet time it looks five times as good, and of all of its time it does not.
    assert defers.value is not None
    assert honest.value is not None
    assert defers.value < 0.3 * honest.value
    assert defers.uncensored == pytest.approx(honest.uncensored, rel=0.1)
    assert defers.uncensored is not None
    assert defers.uncensored > 0.9 * STALL_MS


@pytest.mark.parametrize("language", ["en", "ko"])
def test_both_figures_are_told(result: Result, language: str) -> None:
    cell = cell_of(result, DEFERS)
    found = disturbed(cell)
    figures = found.evidence["figures"]
    assert P50 in figures
    assert all(one["everything"] is not None for one in figures.values())
    lines = evidence_lines(found, cell.id, words(language))
    expected = {"en": "with what was disturbed", "ko": "방해받은 시간까지 포함하면"}[language]
    assert sum(expected in line for line in lines) == len(figures)
    console = Console(file=io.StringIO(), width=250)
    terminal.outcome(result, console, language)
    assert console.file.getvalue()  # type: ignore[attr-defined]

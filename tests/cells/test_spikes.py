"""The slowest operations of a cell and what coincides with them, in runs whose spikes are known."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic import MS, Client, SyntheticRun, Trial, load_run, spoil
from synthetic.neighbour import quiet_host, record_host
from synthetic.wire import wire_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell
from wirelab.model.spikes import SpikeCause, Spikes

EVERY = 50
"""Reads of which one is slow: 12 of 600 in each trial, of which the warm-up takes one."""

COUNT = 2 * 570
SPIKES = 2 * 11
SLOWEST = 11
"""The slowest hundredth of the reads of two trials."""

STEADY = Client(median_ms=2.0, spread=0.01)


@pytest.fixture
def cell_of(tmp_path: Path) -> Any:
    """The only cell of a run."""

    def of(run: SyntheticRun) -> Cell:
        result, _ = analyse(run.write(tmp_path / "run"))
        (cell,) = result.cells
        return cell

    return of


def reads(trial: Trial) -> np.ndarray:
    """Places of the reads, in the order of their ticks."""
    return np.flatnonzero(trial.samples["op"] == 1)


def slow_down(trial: Trial, ms: float = 20.0) -> list[int]:
    """Let one read of fifty take so much longer; when each of these begins."""
    slow = reads(trial)[10::EVERY]
    end = trial.samples["end_ns"].copy()
    end[slow] += int(ms * MS)
    trial.columns(end_ns=end)
    return [int(start) for start in trial.samples["start_ns"][slow]]


def said(trial: Trial, **told: Any) -> None:
    """Let the runtime have said so in its last event."""
    runtime = [e["event"] for e in trial.events["client"] if e["event"]["event"] == "runtime"]
    runtime[-1].update(told)


def read_spikes(cell: Cell) -> Spikes:
    assert cell.spikes
    return cell.spikes["read"]


def test_spikes_of_collections_are_told_from_chance(cell_of: Any) -> None:
    def collect(trial: Trial) -> None:
        spans = [[begin + MS, begin + 19 * MS, 18 * MS] for begin in slow_down(trial)]
        said(trial, collections=spans, untold=2)

    found = read_spikes(cell_of(spoil(load_run({"swift": STEADY}), "swift", collect)))
    assert (found.slowest.operations, found.all.operations) == (SLOWEST, COUNT)
    assert found.slowest.coincided == {SpikeCause.COLLECTION: SLOWEST}
    assert found.all.coincided == {SpikeCause.COLLECTION: SPIKES}
    assert (found.slowest.alone, found.all.alone) == (0, COUNT - SPIKES)
    assert found.slowest.collected_ms == pytest.approx(18.0)
    assert found.all.collected_ms == pytest.approx(18.0 * SPIKES / COUNT)
    assert found.from_ms == pytest.approx(22.0, rel=0.02)
    assert found.stands_out == [SpikeCause.COLLECTION]
    assert found.untold == 4


def test_spikes_beside_collections_that_come_at_other_times_are_unexplained(cell_of: Any) -> None:
    def collect(trial: Trial) -> None:
        others = [begin + 50 * MS for begin in slow_down(trial)]
        said(trial, collections=[[at, at + 5 * MS, 5 * MS] for at in others])

    found = read_spikes(cell_of(spoil(load_run({"swift": STEADY}), "swift", collect)))
    assert found.slowest.coincided == {SpikeCause.COLLECTION: 0}
    assert found.slowest.alone == SLOWEST
    assert found.stands_out == []


def test_what_coincides_with_all_stands_out_of_nothing(cell_of: Any) -> None:
    def collect(trial: Trial) -> None:
        slow_down(trial)
        begins = trial.samples["start_ns"][reads(trial)]
        said(trial, collections=[[int(at), int(at) + MS, MS] for at in begins])

    found = read_spikes(cell_of(spoil(load_run({"swift": STEADY}), "swift", collect)))
    assert found.slowest.coincided == {SpikeCause.COLLECTION: SLOWEST}
    assert found.all.coincided == {SpikeCause.COLLECTION: COUNT}
    assert found.stands_out == []


def test_a_compilation_and_how_closely_it_is_placed(cell_of: Any) -> None:
    def compile_(trial: Trial) -> None:
        spans = [[begin - 5 * MS, begin + 20 * MS, 5 * MS] for begin in slow_down(trial)]
        said(trial, compilations=spans)

    found = read_spikes(cell_of(spoil(load_run({"swift": STEADY}), "swift", compile_)))
    assert found.stands_out == [SpikeCause.COMPILATION]
    assert found.placed_ms == {SpikeCause.COMPILATION: 20.0}
    assert found.slowest.collected_ms is None


def test_windows_of_the_host_are_told_of_operations_that_no_figure_has(cell_of: Any) -> None:
    run = load_run({"swift": STEADY})

    def disturb(trial: Trial) -> None:
        begins = slow_down(trial)
        at = trial.probe["host"]["monotonic_ns"]
        busy = np.zeros(len(at), dtype=bool)
        busy[np.searchsorted(at, np.array(begins) + MS)] = True
        record_host(trial, busy)

    found = read_spikes(cell_of(spoil(quiet_host(run), "swift", disturb)))
    assert found.all.operations == COUNT
    assert found.slowest.coincided == {SpikeCause.HOST: SLOWEST}
    assert found.stands_out == [SpikeCause.HOST]


def test_a_long_time_on_the_wire_is_the_servers_or_the_networks(cell_of: Any) -> None:
    # Half of each read is on the wire: the slowest are slow there.
    found = read_spikes(cell_of(wire_run({"swift": Client(median_ms=2.0, spread=0.25)})))
    assert found.slowest.coincided[SpikeCause.WIRE] == found.slowest.operations == SLOWEST
    assert found.all.coincided[SpikeCause.WIRE] == math.ceil(COUNT * 0.05)
    assert found.slowest.on_the_wire_ms == pytest.approx(0.5 * found.slowest.mean_ms, rel=1e-3)
    assert found.stands_out == [SpikeCause.WIRE]


def test_what_a_hostile_runtime_says_is_passed_over(cell_of: Any) -> None:
    def lie(trial: Trial) -> None:
        begin = slow_down(trial)[1]
        wrong = [[begin, begin - 5, 1], [begin], ["x", 1, 2], [1, 2**63 - 1, 2**63 - 1], 7]
        said(trial, collections=[*wrong, [begin, begin + MS, 2**62]], untold=0)

    found = read_spikes(cell_of(spoil(load_run({"swift": STEADY}), "swift", lie)))
    assert found.all.coincided == {SpikeCause.COLLECTION: 2}
    assert found.all.collected_ms == pytest.approx(2 / COUNT)


def test_a_runtime_that_says_nothing_is_not_one_that_did_nothing(cell_of: Any) -> None:
    found = read_spikes(cell_of(load_run({"swift": STEADY})))
    assert found.slowest.coincided == {}
    assert found.slowest.alone == SLOWEST
    silent = load_run({"swift": STEADY})
    found = read_spikes(cell_of(spoil(silent, "swift", lambda trial: said(trial, collections=[]))))
    assert found.slowest.coincided == {SpikeCause.COLLECTION: 0}


def test_of_too_few_operations_nobody_is_the_slowest(cell_of: Any) -> None:
    cell = cell_of(load_run({"swift": STEADY}, count=55))
    assert "read" in cell.spikes
    assert "write" not in cell.spikes


def test_who_answers_wrongly_has_no_spikes(cell_of: Any) -> None:
    def answer_wrongly(trial: Trial) -> None:
        status = trial.samples["status"].copy()
        status[reads(trial)[100]] = 6
        trial.columns(status=status)

    cell = cell_of(spoil(load_run({"swift": STEADY}), "swift", answer_wrongly))
    assert "wrong-answer" in [finding.gate for finding in cell.findings]
    assert cell.spikes == {}

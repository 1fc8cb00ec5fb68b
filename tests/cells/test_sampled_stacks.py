"""Trials that sample stacks tell of processor time by its places, and of nothing else."""

from __future__ import annotations

from pathlib import Path

from synthetic import Client, load_run, load_scenario
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell
from wirelab.model.stacks import SampledPlace

PLACE = {"name": "lib.binary", "own_ns": 30_000_000, "within_ns": 50_000_000}
STACKS = {
    "samples": 10,
    "sampled_ns": 40_000_000,
    "process_ns": 41_000_000,
    "main_thread_ns": 40_500_000,
    "modules": [PLACE],
    "functions": [{**PLACE, "name": "lib.binary:decode"}],
}


def cell_of(folder: Path, *, sampled: bool = True, spoiled: bool = False) -> Cell:
    scenario = load_scenario(stacks_of="client", rankings=[], bounds={})
    run = load_run({"snake": Client()}, scenario=scenario, trials=2, discard=0)
    for trial in run.trials:
        if sampled:
            trial.record["roles"]["client"]["stacks"] = STACKS
        if spoiled:
            trial.samples["status"][:] = 6
    result, _ = analyse(run.write(folder))
    (cell,) = result.cells
    return cell


def test_times_of_all_trials_add_up_and_nothing_is_timed(tmp_path: Path) -> None:
    cell = cell_of(tmp_path)
    assert set(cell.metrics) == {"read.error.count", "write.error.count"}
    assert cell.spikes == {}
    assert cell.stacks is not None
    assert (cell.stacks.samples, cell.stacks.sampled_ns) == (20, 80_000_000)
    assert cell.stacks.modules == [
        SampledPlace(name="lib.binary", own_ns=60_000_000, within_ns=100_000_000)
    ]
    assert cell.ranks == {}


def test_who_answers_wrongly_is_told_nothing_of(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, spoiled=True)
    assert "wrong-answer" in [finding.gate for finding in cell.findings]
    assert cell.stacks is None


def test_trials_without_stacks_have_none(tmp_path: Path) -> None:
    assert cell_of(tmp_path, sampled=False).stacks is None

"""Contenders of a block met the same hour: they are compared within it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from synthetic import Client, SyntheticRun, load_run
from synthetic.neighbour import every, record_host
from wirelab.cells.analysis import analyse
from wirelab.cells.ranks import places
from wirelab.cli import app
from wirelab.model.measure import Ranking
from wirelab.model.result import Cell, Result
from wirelab.samples.run_folder import read_result
from wirelab.stats.ratio import quotient, ratio, within_blocks

MEDIAN = "read.latency.p50"
HOURS = (1.0, 1.04, 0.96, 1.05, 0.98, 0.95, 1.02, 1.06, 0.97)
"""Slowdown of each block for everybody; the first one counts in no figure."""


def drifting(slower: float, *, blocks: int = 8, count: int = 200) -> SyntheticRun:
    """Two contenders of which one takes so many times as long, in hours that differ by more."""
    times = {"swift": 2.0, "slow": 2.0 * slower}
    clients = {
        name: Client(median_ms=ms, spread=0.05, trial_spread=0.003) for name, ms in times.items()
    }
    run = load_run(clients, trials=blocks + 1, count=count)
    for trial in run.trials:
        start, end = trial.samples["start_ns"], trial.samples["end_ns"]
        took = (end - start) * HOURS[trial.planned.block]
        trial.columns(end_ns=start + took.astype(np.int64))
    return run


def by_name(result: Result) -> dict[str, Cell]:
    return {cell.contender: cell for cell in result.cells}


def without_blocks(cell: Cell) -> Cell:
    """The cell as a result of an earlier format has it."""
    metrics = {n: one.model_copy(update={"by_block": None}) for n, one in cell.metrics.items()}
    return cell.model_copy(update={"metrics": metrics})


def test_a_difference_that_drift_hides_is_found_within_blocks(tmp_path: Path) -> None:
    folder = drifting(1.03).write(tmp_path / "run")
    done = CliRunner().invoke(app, ["analyse", str(folder)])
    assert done.exit_code == 0, done.output
    cells = by_name(read_result(folder))
    assert {name: cell.ranks[MEDIAN] for name, cell in cells.items()} == {"swift": 1, "slow": 2}
    slow, swift = (cells[name].metrics[MEDIAN] for name in ("slow", "swift"))
    within, between = ratio(slow, swift), quotient(slow, swift)
    assert within is not None
    assert between is not None
    assert 1.015 < within.low < 1.03 < within.high < 1.045
    assert between.low <= 1 <= between.high
    # What was stored before blocks were is ranked as it was.
    stored = [without_blocks(cell) for cell in cells.values()]
    assert set(places(stored, Ranking(metric=MEDIAN)).values()) == {1}


@pytest.mark.parametrize("seed", [100, 200])
def test_equal_contenders_share_a_rank_however_the_hours_differ(tmp_path: Path, seed: int) -> None:
    clients = {name: Client() for name in ("one", "two", "three")}
    result, _ = analyse(load_run(clients, trials=9, count=100, seed=seed).write(tmp_path))
    assert {cell.ranks[MEDIAN] for cell in result.cells} == {1}


def test_fewer_than_six_blocks_are_ranked_by_the_intervals_of_the_figures(tmp_path: Path) -> None:
    result, _ = analyse(drifting(1.03, blocks=5).write(tmp_path))
    assert {cell.ranks[MEDIAN] for cell in result.cells} == {1}


def test_values_are_stored_by_the_block_of_their_trial(tmp_path: Path) -> None:
    run = drifting(1.03)
    run.trial("slow", 2).record["status"] = "failed"
    result, _ = analyse(run.write(tmp_path))
    found = by_name(result)["slow"].metrics[MEDIAN]
    assert found.by_block is not None
    assert found.by_block.of == f"{run.run.id}/main"
    assert list(found.by_block.values[1]) == [1, 2, 4, 5, 6, 7, 8]
    assert list(found.by_block.values[1].values()) == found.per_trial
    # 1 and 2, 5 and 6, 7 and 8: of 3 and 4 there is no pair.
    assert list(found.by_block.values[2]) == [1, 5, 7]


def test_a_lower_bound_has_no_values_by_block(tmp_path: Path) -> None:
    # So slow that whatever is under way is cut off where others begin to disturb.
    run = load_run({"swift": Client(), "slow": Client(median_ms=500.0)}, trials=9, count=200)
    for trial in run.of("slow"):
        record_host(trial, every(trial, 7))
    cells = by_name(analyse(run.write(tmp_path))[0])
    for name in ("read.latency.mean", "read.latency.max"):
        bound, base = (cells[contender].metrics[name] for contender in ("slow", "swift"))
        assert bound.at_least
        assert bound.by_block is None
        assert base.by_block is not None
        assert within_blocks(bound, base) is None


def test_neighbours_are_made_one_where_a_trial_does_not_support_a_percentile(
    tmp_path: Path,
) -> None:
    result, _ = analyse(drifting(1.03, count=130).write(tmp_path))
    slow, swift = (by_name(result)[name].metrics["read.latency.p95"] for name in ("slow", "swift"))
    assert slow.by_block is not None
    assert swift.by_block is not None
    assert slow.by_block.values.keys() == swift.by_block.values.keys() == {2}
    assert list(slow.by_block.values[2]) == [1, 3, 5, 7]
    found = ratio(slow, swift)
    assert found is not None
    assert 1.0 < found.low < 1.03 < found.high


def test_blocks_of_two_runs_are_other_hours(tmp_path: Path) -> None:
    results = []
    for name, seed in (("old", 7), ("new", 8)):
        made = load_run({"swift": Client()}, trials=9, count=100, seed=seed)
        made.run = made.run.model_copy(update={"id": name})
        results.append(analyse(made.write(tmp_path / name))[0])
    old, new = (one.cells[0].metrics[MEDIAN] for one in results)
    assert ratio(new, old) == quotient(new, old)


def test_a_figure_in_another_unit_keeps_its_blocks(tmp_path: Path) -> None:
    result, _ = analyse(drifting(1.03).write(tmp_path))
    slow, swift = (by_name(result)[name].metrics[MEDIAN] for name in ("slow", "swift"))
    plain, scaled = ratio(slow, swift), ratio(slow.scaled(1000, "µs"), swift)
    assert plain is not None
    assert scaled is not None
    assert scaled.value == pytest.approx(1000 * plain.value)


def test_a_result_of_the_format_before_is_read_and_ranked_as_it_was(tmp_path: Path) -> None:
    folder = drifting(1.03).write(tmp_path / "run")
    analyse(folder)
    stored = json.loads((folder / "result.json").read_text("utf-8")) | {"schema_version": 5}
    for cell in stored["cells"]:
        for metric in cell["metrics"].values():
            del metric["by_block"]
    (folder / "result.json").write_text(json.dumps(stored), "utf-8")
    cells = read_result(folder).cells
    assert len(cells) == 2
    assert {one.by_block for cell in cells for one in cell.metrics.values()} == {None}

"""Service times of the kinds of an operation, against a run whose kinds are known."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthetic import Client, SyntheticRun
from synthetic.kinds import KINDS, LONGER, SHARE, kinds_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell
from wirelab.samples.kinds import read
from wirelab.samples.stored import UnreadableFileError

CLIENT = {"swift": Client(median_ms=2.0)}


def cell_of(run: SyntheticRun, folder: Path) -> Cell:
    result, _ = analyse(run.write(folder))
    (cell,) = result.cells
    return cell


def value(cell: Cell, name: str) -> float:
    found = cell.metrics[name].value
    assert found is not None
    return found


def test_each_kind_has_its_own_times(tmp_path: Path) -> None:
    cell = cell_of(kinds_run(CLIENT), tmp_path / "run")
    short, long = (value(cell, f"read.kind.{kind}.p50") for kind in KINDS[:2])
    assert long == pytest.approx(LONGER * short, rel=0.1)
    assert short < value(cell, "read.latency.p50") < long
    counts = [cell.metrics[f"read.kind.{kind}.mean"].n for kind in KINDS[:2]]
    whole = cell.metrics["read.latency.mean"].n
    assert all(counts)
    assert sum(filter(None, counts)) == whole
    assert counts[1] == pytest.approx((whole or 0) / SHARE, abs=len(cell.trials))
    assert cell.metrics["read.kind.long.p50"].interval is not None
    assert cell.metrics["read.kind.long.p50"].unit == "ms"


def test_a_kind_that_nobody_did_has_no_figures(tmp_path: Path) -> None:
    cell = cell_of(kinds_run(CLIENT), tmp_path / "run")
    told = {name.split(".")[2] for name in cell.metrics if ".kind." in name}
    assert told == {"short", "long"}


def test_the_order_of_the_rows_does_not_matter(tmp_path: Path) -> None:
    straight = cell_of(kinds_run(CLIENT), tmp_path / "straight")
    turned = kinds_run(CLIENT)
    for trial in turned.trials:
        trial.kinds = {name: column[::-1] for name, column in trial.kinds.items()}
    assert cell_of(turned, tmp_path / "turned").metrics == straight.metrics


def test_what_the_rule_did_not_know_is_in_no_kind(tmp_path: Path) -> None:
    run = kinds_run(CLIENT)
    for trial in run.trials:
        trial.kinds = {name: column[:10] for name, column in trial.kinds.items()}
        trial.kinds["start_ns"] = trial.kinds["start_ns"] + 1
    metrics = cell_of(run, tmp_path / "run").metrics
    assert "read.latency.p50" in metrics
    assert not any(".kind." in name for name in metrics)


def test_without_a_rule_there_are_no_kinds(tmp_path: Path) -> None:
    run = kinds_run(CLIENT)
    for trial in run.trials:
        trial.kinds = {}
    metrics = cell_of(run, tmp_path / "run").metrics
    assert "read.latency.p50" in metrics
    assert not any(".kind." in name for name in metrics)


def test_a_damaged_file_takes_its_trial_away(tmp_path: Path) -> None:
    run = kinds_run(CLIENT)
    folder = run.write(tmp_path / "run")
    (whole,) = analyse(folder)[0].cells
    last = folder / "trials" / run.trial("swift", 0).planned.id / "kinds.parquet"
    last.write_bytes(bytes(100))
    (rest,) = analyse(folder)[0].cells
    assert len(rest.trials) == len(whole.trials) - 1


def test_other_columns_are_not_read(tmp_path: Path) -> None:
    table = pa.table({"op": pa.array(["one"]), "lane": [0], "start_ns": [0], "kind": [0]})
    pq.write_table(table, tmp_path / "kinds.parquet")
    with pytest.raises(UnreadableFileError, match="other types"):
        read(tmp_path)

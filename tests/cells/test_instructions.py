"""Pairs of processes become instructions of an iteration; repeats that differ are warned about."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthetic import SyntheticRun
from synthetic.instructions import FEW, MANY, instructions_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Verdict

START = 4_000_000

Counts = list[tuple[int, int | None]]


def cell_of(run: SyntheticRun, folder: Path, step: str = "small") -> Cell:
    cells = {cell.id: cell for cell in analyse(run.write(folder / "run"))[0].cells}
    return cells["/".join(part for part in ("demo/steady", step, "swift") if part)]


def gates(cell: Cell) -> list[str]:
    return [finding.gate for finding in cell.findings if finding.gate != "heap-kind"]


EQUAL: Counts = [
    (FEW, START + FEW * 50),
    (MANY, START + MANY * 50),
    (MANY, START + 7 + MANY * 50),
    (FEW, START + 7 + FEW * 50),
]


def test_what_is_in_both_processes_falls_away(tmp_path: Path) -> None:
    cell = cell_of(instructions_run(EQUAL), tmp_path)
    metric = cell.metrics["encode.instructions"]
    assert (metric.value, metric.unit, metric.n) == (50, "instr/iteration", 2)
    assert metric.per_trial == [None, 50, 50, None]
    assert cell.metrics["encode.instructions.spread"].value == 0
    assert gates(cell) == []


def test_nothing_is_timed_and_nothing_ranked(tmp_path: Path) -> None:
    run = instructions_run(EQUAL)
    assert set(cell_of(run, tmp_path).metrics) == {
        "encode.instructions",
        "encode.instructions.spread",
    }
    whole = cell_of(run, tmp_path / "again", "")
    assert (whole.metrics, whole.ranks, whole.verdict) == ({}, {}, Verdict.VALID)


def test_repeats_that_differ_are_named_with_both_values(tmp_path: Path) -> None:
    cell = cell_of(instructions_run([*EQUAL[:3], (FEW, START - 200 + FEW * 50)]), tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "not-repeating")
    assert finding.verdict is Verdict.WARN
    assert finding.evidence["operations"]["encode"]["values"] == pytest.approx([50, 50.207])
    assert cell.metrics["encode.instructions"].value == pytest.approx(50.1035)


def test_repeats_within_a_thousandth_are_let_pass(tmp_path: Path) -> None:
    cell = cell_of(instructions_run([*EQUAL[:3], (FEW, START - 40 + FEW * 50)]), tmp_path)
    assert cell.metrics["encode.instructions.spread"].value == pytest.approx(0.094, abs=0.001)
    assert gates(cell) == []


def test_half_a_pair_is_no_figure(tmp_path: Path) -> None:
    run = instructions_run([*EQUAL[:3], (FEW, None)])
    metric = cell_of(run, tmp_path).metrics["encode.instructions"]
    assert (metric.value, metric.n) == (50, 1)
    run = instructions_run([(FEW, START), (MANY, None)])
    metric = cell_of(run, tmp_path / "again").metrics["encode.instructions"]
    assert metric.value is None
    assert metric.unsupported is not None
    assert metric.unsupported.code == "not-measured"


def test_an_operation_nobody_has_is_not_offered(tmp_path: Path) -> None:
    run = instructions_run(EQUAL, times={"decode": 100.0})
    metric = cell_of(run, tmp_path).metrics["encode.instructions"]
    assert metric.unsupported is not None
    assert metric.unsupported.code == "not-offered"


def test_a_failed_process_is_told(tmp_path: Path) -> None:
    run = instructions_run(EQUAL)
    run.trials[0].record |= {"status": "failed", "reason": "no-count", "detail": "killed"}
    cell = cell_of(run, tmp_path)
    assert gates(cell) == ["trial-failed"]
    assert cell.metrics["encode.instructions"].n == 1

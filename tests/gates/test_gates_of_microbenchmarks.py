"""Gates on microbenchmarks speak when, and only when, there is something to say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from synthetic import Coder, SyntheticRun, loops_run, spoil
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Verdict


@pytest.fixture
def run() -> SyntheticRun:
    return loops_run({"swift": Coder(), "base": Coder({"copy": 20.0}, reference=True)})


def cell_of(run: SyntheticRun, folder: Path, step: str = "small", name: str = "swift") -> Cell:
    cells = {cell.id: cell for cell in analyse(run.write(folder / "run"))[0].cells}
    return cells[f"demo/steady/{step}/{name}"]


def lines(trial: Any, phase: str, operation: str = "encode") -> list[dict[str, Any]]:
    return [
        line
        for line in trial.batches
        if (line["step"], line["operation"], line["phase"]) == ("small", operation, phase)
    ]


def test_a_fine_run_has_no_findings(run: SyntheticRun, tmp_path: Path) -> None:
    cell = cell_of(run, tmp_path)
    assert [f.gate for f in cell.findings] == ["heap-kind"]
    assert cell.verdict is Verdict.VALID


def test_faster_than_copying_is_invalid(tmp_path: Path) -> None:
    run = loops_run(
        {"swift": Coder({"encode": 9.0}), "base": Coder({"copy": 20.0}, reference=True)}
    )
    cell = cell_of(run, tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "below-floor")
    assert cell.verdict is Verdict.INVALID
    assert finding.evidence["operations"]["encode"]["floor_ns"] == pytest.approx(20, rel=0.02)


def test_a_little_faster_than_copying_is_let_pass(tmp_path: Path) -> None:
    base = Coder({"copy": 20.0}, reference=True)
    run = loops_run({"swift": Coder({"encode": 12.0}), "base": base})
    cell = cell_of(run, tmp_path)
    assert [f.gate for f in cell.findings] == ["heap-kind"]
    assert cell.metrics["encode.time"].value == pytest.approx(12, rel=0.02)


def test_the_floor_of_another_language_says_nothing(tmp_path: Path) -> None:
    base = Coder({"copy": 20.0}, reference=True, language="C")
    run = loops_run({"swift": Coder({"encode": 9.0}), "base": base})
    cell = cell_of(run, tmp_path)
    assert [f.gate for f in cell.findings] == ["heap-kind"]
    assert cell.metrics["encode.time"].value == pytest.approx(9, rel=0.02)


def later(trial: Any, nanoseconds: int, phase: str = "") -> None:
    """Have each batch of ``encode`` that counts begin later, after one of ``phase``."""
    moved, batches = 0, []
    for line in trial.batches:
        if line in lines(trial, "measure"):
            if phase:
                stamps = {"start_ns": line["start_ns"] + moved}
                stamps["end_ns"] = stamps["start_ns"] + nanoseconds
                batches.append(line | stamps | {"phase": phase})
            moved += nanoseconds
        stamps = {name: line[name] + moved for name in ("start_ns", "end_ns")}
        batches.append(line | stamps)
    trial.batches = batches
    trial.record["ended_ns"] += moved


def test_work_between_batches_is_invalid(run: SyntheticRun, tmp_path: Path) -> None:
    cell = cell_of(spoil(run, "swift", lambda trial: later(trial, 8_000_000)), tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "between-batches")
    assert finding.evidence["operations"].keys() == {"encode"}
    assert finding.evidence["operations"]["encode"]["between_ns"] == pytest.approx(8e6)
    assert cell.verdict is Verdict.INVALID
    assert cell.ranks == {}


def test_time_of_audits_is_no_time_between_batches(run: SyntheticRun, tmp_path: Path) -> None:
    cell = cell_of(spoil(run, "swift", lambda trial: later(trial, 8_000_000, "audit")), tmp_path)
    assert [f.gate for f in cell.findings] == ["heap-kind"]
    assert cell.metrics["encode.time"].n == 30


def test_a_loop_that_threw_is_named_and_the_others_stay(run: SyntheticRun, tmp_path: Path) -> None:
    def fail(trial: Any) -> None:
        trial.batches = [line for line in trial.batches if line not in lines(trial, "measure")]
        failed = {"step": "small", "operation": "encode", "phase": "failed"}
        trial.batches.append(failed | {"class": "OverflowError", "message": "too large"})

    cell = cell_of(spoil(run, "swift", fail), tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "loop-failed")
    assert finding.evidence == {"operations": {"encode": "OverflowError: too large"}}
    assert cell.metrics["encode.time"].value is None
    assert cell.metrics["decode.time"].value


def test_a_warm_up_that_never_settled_is_remarked(run: SyntheticRun, tmp_path: Path) -> None:
    def unsettle(trial: Any) -> None:
        lines(trial, "warmup")[-1]["rounds"] //= 2

    cell = cell_of(spoil(run, "swift", unsettle), tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "never-settled")
    assert finding.evidence == {"operations": {"encode": {"trials": 5, "of": 5}}}
    assert cell.verdict is Verdict.VALID


def test_batches_with_a_compiler_beside_them_are_remarked(
    run: SyntheticRun, tmp_path: Path
) -> None:
    def compile_meanwhile(trial: Any) -> None:
        for line in lines(trial, "warmup"):
            line["compile_ns"] = 5_000_000
        for line, worked in zip(lines(trial, "measure"), (1, 0), strict=False):
            line["compile_ns"] = worked

    cell = cell_of(spoil(run, "swift", compile_meanwhile), tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "still-compiling")
    assert finding.evidence == {"operations": {"encode": {"compiling": 5, "batches": 30}}}
    assert cell.verdict is Verdict.VALID


def test_many_outliers_warn_and_none_is_left_out(run: SyntheticRun, tmp_path: Path) -> None:
    def scatter(trial: Any) -> None:
        lines(trial, "measure")[0]["rounds"] //= 3

    cell = cell_of(spoil(run, "swift", scatter), tmp_path)
    (finding,) = (f for f in cell.findings if f.gate == "batch-outliers")
    assert finding.evidence["operations"]["encode"]["batches"] == 30
    assert cell.metrics["encode.time"].n == 30
    assert cell.verdict is Verdict.WARN


def test_a_batch_that_ends_before_it_starts_is_invalid(run: SyntheticRun, tmp_path: Path) -> None:
    def reverse(trial: Any) -> None:
        line = lines(trial, "measure")[0]
        line["start_ns"], line["end_ns"] = line["end_ns"], line["start_ns"]

    cell = cell_of(spoil(run, "swift", reverse), tmp_path)
    assert "clock" in {f.gate for f in cell.findings}

"""The last screen of a run that was interrupted: cells that it has not come to are not invalid."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from synthetic import Client, load_run
from wirelab.cells.analysis import analyse
from wirelab.cli.ending import ending_of
from wirelab.cli.exit_codes import ALL_WELL, NO_CELL_VALID
from wirelab.report import terminal
from wirelab.samples.run_folder import RunFolder


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Caution: 1 not measured yet"), ("ko", "1개는 아직 측정 전")]
)
def test_a_cell_without_a_trial_is_not_measured_yet(
    tmp_path: Path, language: str, said: str
) -> None:
    run = load_run({"swift": Client(), "slow": Client(median_ms=9)}, trials=3, discard=0)
    folder = run.write(tmp_path)
    for trial in run.of("slow"):
        shutil.rmtree(folder / "trials" / trial.planned.id)
    result, _ = analyse(folder)
    console = Console(file=io.StringIO(), width=80)
    terminal.outcome(result, console, language)
    assert said in console.file.getvalue()  # type: ignore[attr-defined]
    assert ending_of(RunFolder(folder), result).code == ALL_WELL


def test_a_failed_trial_is_told_as_before(tmp_path: Path) -> None:
    run = load_run({"swift": Client()}, trials=2, discard=0)
    for trial in run.trials:
        failed = {"status": "failed", "reason": "worker-died", "detail": "", "environment": None}
        trial.record |= {**failed, "tick0_ns": None}
    folder = run.write(tmp_path)
    result, _ = analyse(folder)
    console = Console(file=io.StringIO(), width=80)
    terminal.outcome(result, console, "en")
    assert "Caution: 1 of 1 cells invalid (trial-failed)" in console.file.getvalue()  # type: ignore[attr-defined]
    assert ending_of(RunFolder(folder), result).code == NO_CELL_VALID

"""Runs that are spoiled in one way and then judged by all gates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from synthetic import Client, SyntheticRun, load_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Finding

Judge = Callable[[SyntheticRun], Cell]


@pytest.fixture
def run() -> SyntheticRun:
    """Three trials of one contender, two of them counted, nothing wrong with them."""
    return load_run({"swift": Client()})


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Write a run, analyse it, and hand back its first cell."""
    return lambda run: analyse(run.write(tmp_path / "run"))[0].cells[0]


def spoken(cell: Cell) -> dict[str, Finding]:
    """Findings by gate, remarks left out."""
    return {f.gate: f for f in cell.findings if f.gate != "heap-kind"}

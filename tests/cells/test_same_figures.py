"""Figures of synthetic runs are as they were kept: what moves code must not move a figure.

``WIRELAB_UPDATE_GOLDEN=1`` writes them anew. ``tests/same_figures.py`` compares real runs.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synthetic import (
    Caller,
    Client,
    Coder,
    SyntheticRun,
    closed_run,
    crowd_run,
    faults_run,
    load_run,
    loops_run,
)
from synthetic.instructions import instructions_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Metric

KEPT = Path(__file__).parent / "golden"
CLIENTS = {"swift": Client(median_ms=2.0), "slow": Client(median_ms=20.0)}
MADE: dict[str, Callable[[], SyntheticRun]] = {
    "paced": lambda: load_run(CLIENTS),
    "open": lambda: crowd_run(CLIENTS),
    "closed": lambda: closed_run(CLIENTS),
    "faults": lambda: faults_run({"swift": Caller(), "slow": Caller()}),
    "batches": lambda: loops_run({"swift": Coder()}),
    "instructions": lambda: instructions_run([(100, 5_000_000), (1100, 55_000_000)] * 2),
}
TOLERANCE = 1e-9
"""Tolerance of a value: the order in which a processor adds may differ between machines."""


@pytest.mark.parametrize("kind", MADE)
def test_figures_are_as_kept(kind: str, tmp_path: Path) -> None:
    result, _ = analyse(MADE[kind]().write(tmp_path))
    found = {cell.id: told(cell) for cell in result.cells}
    kept = KEPT / f"{kind}.json"
    if os.environ.get("WIRELAB_UPDATE_GOLDEN"):
        text = json.dumps(found, indent=1)
        text = re.sub(r"\[[^\[\]{}]*\]", lambda figure: " ".join(figure[0].split()), text)
        kept.write_text(text + "\n", "utf-8")
    expected = json.loads(kept.read_text("utf-8"))
    assert sum(len(cell["metrics"]) for cell in expected.values()) > 0
    assert found.keys() == expected.keys()
    for name, cell in expected.items():
        assert found[name]["verdict"] == cell["verdict"]
        assert found[name]["findings"] == cell["findings"]
        assert found[name]["metrics"].keys() == cell["metrics"].keys()
        for metric, figure in cell["metrics"].items():
            now = found[name]["metrics"][metric]
            assert now[0] == figure[0], (name, metric)
            assert now[1:] == pytest.approx(figure[1:], rel=TOLERANCE), (name, metric)


def told(cell: Cell) -> dict[str, Any]:
    """Verdict, gates and figures of a cell; what a figure lacks is its reason."""
    return {
        "verdict": cell.verdict,
        "findings": [f"{finding.gate}: {finding.verdict}" for finding in cell.findings],
        "metrics": {name: _figure(metric) for name, metric in sorted(cell.metrics.items())},
    }


def _figure(metric: Metric) -> list[Any]:
    if metric.value is None:
        return [f"{metric.unit}: {metric.unsupported.code if metric.unsupported else ''}"]
    return [metric.unit, metric.value, *(metric.interval or ())]

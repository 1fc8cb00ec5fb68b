"""Clients of HTTP and WebSocket that ask, and that do not when they say they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from e2e.conftest import MEASURED, SuiteRepository
from witness import captured

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]

SCENARIOS = {"requests": "request", "messages": "message"}
"""By scenario its operation."""

CHEATS = {
    "never-asks": ("not-on-the-wire", "absent"),
    "asks-ahead": ("sent-before-start", "early"),
    "does-not-wait": ("not-on-the-wire", "unanswered"),
}
"""The gate that accuses each, and the number in its evidence."""

WIRE_PARTS = ("before", "server", "after")

OF, LEAST = 120, 5
"""Operations, and those of them that are found out."""

Cells = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = SuiteRepository(tmp_path_factory.mktemp("house"), "spoken")
    options = ("--profile", "once", "--seed", "1", "--keep-packets")
    ended = house.here("run", "spoken", *options)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    return house.only_run()


@pytest.fixture(scope="module")
def cells(run: Path) -> Cells:
    result = json.loads((run / "result.json").read_text())
    found = {(cell["scenario"], cell["contender"]): cell for cell in result["cells"]}
    assert len(found) == len(SCENARIOS) * (len(CHEATS) + 1)
    return found


def findings(cell: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["gate"]: one for one in cell["findings"]}


@pytest.mark.parametrize(("scenario", "operation"), SCENARIOS.items())
def test_who_asks_is_matched(cells: Cells, scenario: str, operation: str) -> None:
    cell = cells[scenario, "asks"]
    assert not {"not-on-the-wire", "sent-before-start", "unwitnessed"} & set(findings(cell))
    metrics = cell["metrics"]
    assert metrics[f"{operation}.wire.matched"]["value"] == 100
    # What fills an answer, and a part of what fills the questions.
    assert metrics[f"{operation}.wire.bytes"]["value"] > 300 + 200
    # Medians need more samples than a busy host may leave in a second; means add up.
    parts = [metrics[f"{operation}.wire.{part}.mean"]["value"] for part in WIRE_PARTS]
    assert sum(parts) == pytest.approx(metrics[f"{operation}.latency.mean"]["value"])


@pytest.mark.parametrize(("scenario", "operation"), SCENARIOS.items())
@pytest.mark.parametrize(("name", "accused_of"), CHEATS.items())
def test_who_cheats_is_accused_of_what_it_does(
    cells: Cells, scenario: str, operation: str, name: str, accused_of: tuple[str, str]
) -> None:
    gate, what = accused_of
    found = findings(cells[scenario, name])[gate]
    assert found["verdict"] == "invalid"
    assert not found["evidence"].get("by_generator")
    ((said,),) = found["evidence"]["trials"].values()
    assert said["operation"] == operation
    assert said["examples"]
    assert OF - 20 < said["of"] <= OF
    assert said[what] >= LEAST


@pytest.mark.parametrize(("scenario", "operation"), SCENARIOS.items())
def test_kept_packets_name_their_operations(run: Path, scenario: str, operation: str) -> None:
    (trial,) = run.glob(f"trials/*-{scenario}-asks")
    found = captured.packets((trial / "packets.pcapng").read_bytes())
    assert len(found) == pq.ParquetFile(trial / "witness.packets.parquet").metadata.num_rows
    comments = [words for one in found if one.outbound for words in one.comments]
    asked = {words for words in comments if words.startswith("request")}
    answered = {words for words in comments if words.startswith("answer")}
    # Each good operation, and those of the warm-up.
    assert len(asked) == len(answered) >= OF
    assert all(f": {operation} of lane 0, " in words for words in asked | answered)
    (cheating,) = run.glob(f"trials/*-{scenario}-asks-ahead")
    early = captured.packets((cheating / "packets.pcapng").read_bytes())
    assert any(words.endswith("started later") for one in early for words in one.comments)

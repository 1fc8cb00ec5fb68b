"""The messaging suite as a user runs it: real servers and brokers, every contender.

Times are not looked at: only that every message came, once, unchanged and in order.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from e2e.building import build_behind_others
from e2e.whole_runs import result_of, run_suite
from wirelab.trial import leftovers

pytestmark = [pytest.mark.e2e, pytest.mark.alone]

REPOSITORY = Path(__file__).parents[2]
SUITE = REPOSITORY / "suites" / "messaging"
OF_MESSAGES = {"trial-failed", "wrong-answer", "loss-or-error", "duplicated", "less-traffic"}
"""Gates that speak of the messages and not of the machine."""

DELIVERIES = 100 * 10 * 100


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("messaging")
    build_behind_others("messaging")
    return run_suite(here, "messaging", "--profile", "smoke", "--seed", "7")


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return result_of(folder)


def test_the_result_keeps_its_schema(result: dict[str, Any]) -> None:
    schema = json.loads((REPOSITORY / "schema" / "result.schema.json").read_text("utf-8"))
    jsonschema.validate(result, schema)


def test_everybody_took_part_or_says_why_not(result: dict[str, Any]) -> None:
    folders = {path.parent.name for path in SUITE.glob("contenders/*/contender.toml")}
    assert set(result["participants"]) == folders
    measured = {cell["contender"] for cell in result["cells"]}
    for name, found in result["participants"].items():
        assert (name in measured) != bool(found["unavailable"]), name
        assert not found["unavailable"] or found["manifest"]["unavailable"]["en"], found


def test_every_message_came(result: dict[str, Any]) -> None:
    accused = {
        cell["id"]: sorted(gates)
        for cell in result["cells"]
        if (gates := {f["gate"] for f in cell["findings"] if f["verdict"] != "valid"} & OF_MESSAGES)
    }
    assert accused == {}


def test_deliveries_are_counted_exactly(result: dict[str, Any]) -> None:
    cells = [c for c in result["cells"] if c["scenario"] == "broadcast" and c["step"]]
    assert cells
    for cell in cells:
        for name in ("expected", "received"):
            metric = cell["metrics"][f"delivery.{name}.count"]
            assert metric["value"] == DELIVERIES, (cell["id"], name)


def test_unlike_echoes_are_not_ranked_together(result: dict[str, Any]) -> None:
    steady = [cell for cell in result["cells"] if cell["step"] == "steady"]
    by_mode: dict[str, list[dict[str, Any]]] = {}
    for cell in steady:
        by_mode.setdefault(cell["mode"], []).append(cell)
    assert {"direct", "own-queue", "persistent"} <= set(by_mode)
    for alike in by_mode.values():
        # A disturbed machine makes cells invalid, and these have no rank. Who is alone with its
        # kind of echo has nobody to be ranked with.
        rankable = [cell["id"] for cell in alike if cell["verdict"] != "invalid"]
        placed = [cell["id"] for cell in alike if "step.elapsed" in cell["ranks"]]
        assert placed == (rankable if len(rankable) > 1 else [])


def test_the_source_stands_beside_it(folder: Path) -> None:
    english = (folder / "report-en.md").read_text("utf-8")
    korean = (folder / "report-ko.md").read_text("utf-8")
    assert "Transfer: the source's table 5" in english
    assert "데이터 전송: 원문의 표 5" in korean
    for published in ("160.953", "36.031", "0.109"):
        assert published in english


def test_nothing_is_left(folder: Path) -> None:
    assert not leftovers.marked(lambda mark: mark.startswith(f"{folder.name}/"))

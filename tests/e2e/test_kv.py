"""The key-value suite as a user runs it: bench server and real databases, every client, the app.

Times are not looked at, but for the one that is made: eight nodes that take 10 ms each and are
asked in turn take 80, on any machine.
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
SUITE = REPOSITORY / "suites" / "kv"
OF_ANSWERS = {"trial-failed", "wrong-answer", "loss-or-error"}
"""Gates that speak of the answers and not of the machine."""

REQUESTS = 10 * 15
STAGES = ("keys", "call", "convert", "features", "render", "server-time", "http")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("kv")
    build_behind_others("kv")
    return run_suite(here, "kv", "--profile", "smoke", "--seed", "7")


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return result_of(folder)


def mean(result: dict[str, Any], contender: str, step: str) -> float:
    """Of a batch read from eight nodes, ms."""
    (found,) = [
        cell["metrics"]["read.latency.mean"]["value"]
        for cell in result["cells"]
        if (cell["scenario"], cell["contender"], cell["step"]) == ("eight-nodes", contender, step)
    ]
    assert isinstance(found, float)
    return found


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


def test_every_answer_was_right(result: dict[str, Any]) -> None:
    accused = {
        cell["id"]: sorted(gates)
        for cell in result["cells"]
        if cell["scenario"] != "faults"
        and (gates := {f["gate"] for f in cell["findings"] if f["verdict"] != "valid"} & OF_ANSWERS)
    }
    assert accused == {}


def test_the_default_policy_asks_nodes_in_turn(result: dict[str, Any]) -> None:
    in_turn = mean(result, "official", "found-k200")
    # What is made: 200 keys are on all eight nodes, and each of them takes 10 ms.
    assert in_turn > 75
    assert in_turn > mean(result, "official-concurrent", "found-k200")
    assert in_turn > mean(result, "aerospike-py", "found-k200")


def test_one_repeated_key_is_one_node(result: dict[str, Any]) -> None:
    assert mean(result, "official", "repeated-k200") < mean(result, "official", "found-k200")


def test_the_application_tells_its_stages(result: dict[str, Any]) -> None:
    served = [cell for cell in result["cells"] if cell["scenario"] == "serving" and cell["step"]]
    assert {cell["step"] for cell in served} == {"single", "gather"}
    for cell in served:
        for stage in (*STAGES, "inference"):
            told = cell["metrics"][f"{stage}.received.count"]["value"]
            assert told == REQUESTS, (cell["id"], stage, told)


def test_the_source_stands_beside_it(folder: Path) -> None:
    english = (folder / "report-en.md").read_text("utf-8")
    korean = (folder / "report-ko.md").read_text("utf-8")
    assert "Clients alone: the source's environment A" in english
    assert "클라이언트 단독: 원문의 환경 A" in korean
    for published in ("110.23", "289.56", "324"):
        assert published in english


def test_the_scenarios_have_one_summary_together(folder: Path) -> None:
    lines = (folder / "report-en.md").read_text("utf-8").splitlines()
    titles = [line for line in lines if line.startswith("## ")]
    assert sum("Summary of figures" in title for title in titles) == 1


def test_nothing_is_left(folder: Path) -> None:
    assert not leftovers.marked(lambda mark: mark.startswith(f"{folder.name}/"))

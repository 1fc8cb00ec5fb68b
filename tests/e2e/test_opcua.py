"""The first suite as a user runs it: real server, real clients, a report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from e2e.whole_runs import result_of, run_suite

pytestmark = [pytest.mark.e2e, pytest.mark.alone]

REPOSITORY = Path(__file__).parents[2]

METRICS = [
    *(
        f"{operation}.{kind}.{figure}"
        for operation in ("read", "write")
        for kind in ("latency", "response")
        for figure in ("mean", "p50", "p95", "p99", "max")
    ),
    *(f"tick.drift.{figure}" for figure in ("mean", "p95", "max")),
    *("read.rate", "write.rate", "read.miss.count", "write.miss.count"),
    *("cpu.mean", "cpu.p95", "rss.start", "rss.max", "rss.growth"),
]
MAIN_OPERATION_FIGURES = ("read.latency.mean", "read.response.mean", "read.rate", "cpu.mean")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("opcua")
    return run_suite(here, "opcua", "--profile", "smoke", "--seed", "11")


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return result_of(folder)


def cells(result: dict[str, Any], scenario: str) -> list[dict[str, Any]]:
    return [cell for cell in result["cells"] if cell["scenario"] == scenario]


def available(result: dict[str, Any]) -> set[str]:
    return {n for n, p in result["participants"].items() if not p["unavailable"]}


def test_the_result_is_of_its_schema(result: dict[str, Any]) -> None:
    jsonschema.validate(result, json.loads((REPOSITORY / "schema/result.schema.json").read_text()))
    assert result["complete"] is True


def test_every_contender_of_three_languages_took_part(result: dict[str, Any]) -> None:
    assert available(result) == {"asyncua", "milo", "open62541"}
    assert {cell["contender"] for cell in cells(result, "s7")} == available(result)


def test_every_cell_of_s7_has_every_metric(result: dict[str, Any]) -> None:
    for cell in cells(result, "s7"):
        assert not set(METRICS) - set(cell["metrics"]), cell["id"]
        for name in MAIN_OPERATION_FIGURES:
            assert cell["metrics"][name]["value"] is not None, (cell["id"], name)


def test_answers_were_verified_and_right(folder: Path, result: dict[str, Any]) -> None:
    for path in folder.glob("trials/*-s7-*/trial.json"):
        record = json.loads(path.read_text())
        assert record["status"] == "ok", record["detail"]
        assert record["wrong_answers"] == []
        # Three reads and a write before, three of each during the measurement.
        assert record["verified"] == 10
    gates = {f["gate"] for cell in result["cells"] for f in cell["findings"]}
    assert not gates & {"wrong-answer", "clock", "trial-failed", "resource-sanity"}


def test_the_schedule_was_kept(result: dict[str, Any]) -> None:
    for cell in cells(result, "s7"):
        assert cell["statuses"]["read"] == {"ok": 80}
        assert cell["statuses"]["write"] == {"ok": 8}


def test_every_fault_shows_what_its_caller_saw(result: dict[str, Any]) -> None:
    outcomes = {
        (cell["variant"], cell["contender"]): cell["caller"][0]["outcome"]
        for cell in cells(result, "faults")
    }
    for contender in available(result):
        assert outcomes["server-down", contender] == "error"
        assert outcomes["unknown-node", contender] == "item-error"
        assert outcomes["wrong-type", contender] == "item-error"
        assert outcomes["request-timeout", contender] == "recovered"
        assert outcomes["server-restart", contender] == "recovered"


def test_what_a_contender_costs_to_own_was_read(result: dict[str, Any]) -> None:
    for name in available(result):
        ownership = result["participants"][name]["ownership"]
        assert ownership["install_bytes"] > 100_000
        assert ownership["lines"] > 50
        assert any(dependency["direct"] for dependency in ownership["dependencies"])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_reports_are_whole_and_need_no_network(folder: Path, language: str) -> None:
    page = (folder / f"report-{language}.html").read_text()
    for name in ("asyncua", "Eclipse Milo", "open62541"):
        assert name in page
    assert "<svg" in page
    for outside in ('src="http', "@import", '<link rel="stylesheet" href="http', "<script src"):
        assert outside not in page
    assert (folder / f"report-{language}.md").read_text().startswith("# ")


def test_analysing_again_gives_the_same_figures(folder: Path, result: dict[str, Any]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "wirelab", "analyse", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads((folder / "result.json").read_text()) == result


def test_a_run_compared_with_itself_has_not_changed(folder: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "wirelab", "compare", str(folder), str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode in (0, 2), ended.stderr
    assert "regressed" not in ended.stdout

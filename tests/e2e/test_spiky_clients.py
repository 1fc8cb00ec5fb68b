"""Spikes through the command line: a client that collects garbage in its slow calls, and one that
does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import SABOTAGED, SuiteRepository

pytestmark = pytest.mark.e2e

SLOW = 11
"""Calls of 275 that are slow: one in 25."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = SuiteRepository(tmp_path_factory.mktemp("house"), "spiky")
    ended = house.here("run", "spiky", "--profile", "once", "--seed", "1")
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return house.only_run()


@pytest.fixture(scope="module")
def spikes(run: Path) -> dict[str, Any]:
    """Spikes of the calls, by contender."""
    result = json.loads((run / "result.json").read_text("utf-8"))
    cells = [cell for cell in result["cells"] if cell["scenario"] == "s1"]
    found = {cell["contender"]: cell["spikes"]["call"] for cell in cells}
    assert set(found) == {"collects", "rests"}
    return found


def test_slow_calls_that_collect_coincide_with_collections(spikes: dict[str, Any]) -> None:
    found = spikes["collects"]
    assert found["all"]["coincided"]["collection"] == SLOW
    # A busy machine may make another call slower than one of these.
    assert "collection" in found["stands_out"]
    assert found["slowest"]["collected_ms"] > 5 * found["all"]["collected_ms"] > 0
    assert found["untold"] == 0


def test_slow_calls_that_compute_coincide_with_none(spikes: dict[str, Any]) -> None:
    found = spikes["rests"]
    assert found["slowest"]["coincided"]["collection"] == 0
    assert found["all"]["coincided"]["collection"] == 0
    assert "collection" not in found["stands_out"]
    assert found["all"]["collected_ms"] == 0


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Spikes of latency, and what went on meanwhile"),
        ("ko", "지연 시간 급증과 그 시점의 상황"),
    ],
)
def test_the_report_tells_of_both(run: Path, language: str, title: str) -> None:
    text = (run / f"report-{language}.md").read_text("utf-8")
    section = text.partition(title)[2]
    assert "Collects garbage in slow calls" in section
    assert "Computes in slow calls" in section


# ------------------------------------------------------------------- where processor time goes


def test_the_time_of_slow_calls_is_found_in_their_function(run: Path) -> None:
    result = json.loads((run / "result.json").read_text("utf-8"))
    # Who does not declare that it can has no part in it.
    (cell,) = (cell for cell in result["cells"] if cell["scenario"] == "sampled")
    assert cell["contender"] == "rests"
    assert set(cell["metrics"]) == {"call.error.count"}
    stacks = cell["stacks"]
    places = {place["name"]: place["within_ns"] for place in stacks["functions"]}
    # A fifth of its time, and less where others keep it waiting.
    assert places["__main__:Spiky.compute"] > 0.1 * stacks["sampled_ns"] > 0
    assert "asyncio.events:Handle._run" in places


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Where processor time goes"), ("ko", "CPU 시간이 쓰이는 곳")]
)
def test_the_report_names_it(run: Path, language: str, title: str) -> None:
    text = (run / f"report-{language}.md").read_text("utf-8")
    assert "Spiky.compute" in text.partition(title)[2]

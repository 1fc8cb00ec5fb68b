"""Callers of a server that stands still for two seconds, through the command line.

Each was asked to give a call up after half a second. What is asserted of times follows from the
faults alone: nobody can be served on time while the server stands still.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import SABOTAGED, SUITES, SuiteRepository
from wirelab.cgroups.group import Need
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered

pytestmark = [pytest.mark.e2e]

TIMEOUTS = {
    "raises-as-asked": "fired",
    "raises-late": "late",
    "ignores-its-timeout": "ignored",
}
"""Contender: what became of its timeout."""

REMEMBERS = "answers-from-memory"
"""Gives the last answer where none comes, and tells its caller of nothing."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> SuiteRepository:
    house = SuiteRepository(tmp_path_factory.mktemp("freezer"), "freezer")
    wide = {"COLUMNS": "300"}  # no cell of the table is broken into lines
    ended = house.here("run", "freezer", "--profile", "once", "--seed", "1", **wide)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    (house.root / "said").write_text(ended.stdout)
    return house


@pytest.fixture(scope="module")
def folder(house: SuiteRepository) -> Path:
    return house.only_run()


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[str, dict[str, Any]]:
    result = json.loads((folder / "result.json").read_text())
    return {cell["contender"]: cell for cell in result["cells"]}


def test_every_contender_is_expected_here(cells: dict[str, Any]) -> None:
    assert set(cells) == {*TIMEOUTS, REMEMBERS}


@pytest.mark.parametrize(("contender", "timeout"), TIMEOUTS.items())
def test_it_is_told_what_became_of_the_timeout(
    cells: dict[str, dict[str, Any]], contender: str, timeout: str
) -> None:
    (view,) = cells[contender]["caller"]
    assert (view["outcome"], view["timeout"], view["timeout_ms"]) == ("recovered", timeout, 500)
    assert view["late_ticks"] > 0
    # Stopped from 1 s to 3 s; a tick every 50 ms, one of them under way when it stopped.
    assert view["outage_ms"] >= 1900
    least_ms = {"fired": 450, "late": 625, "ignored": 1900}[timeout]
    assert view["blocked_ms"] >= least_ms


def test_a_frozen_call_is_not_the_best(cells: dict[str, dict[str, Any]]) -> None:
    ignoring = cells["ignores-its-timeout"]
    # That it failed nothing is what used to make it look best.
    assert ignoring["caller"][0]["failed_operations"] == 0
    assert ignoring["caller"][0]["error_class"] == ""
    assert "fault.outage.time" not in ignoring["ranks"]
    outage = ignoring["metrics"]["fault.outage.time"]
    assert (outage["value"], outage["unsupported"]["code"]) == (None, "timeout-ignored")
    for contender in ("raises-as-asked", "raises-late"):
        assert cells[contender]["metrics"]["fault.outage.time"]["value"] >= 1900


def test_who_answers_while_nobody_is_there_has_no_figures(
    cells: dict[str, dict[str, Any]],
) -> None:
    cell = cells[REMEMBERS]
    # Its caller is told of no outage.
    assert cell["caller"][0]["failed_operations"] == 0
    (found,) = (one for one in cell["findings"] if one["gate"] == "answered-while-down")
    assert found["verdict"] == "invalid"
    assert all(one["read"] > 20 for one in found["evidence"]["trials"].values())
    assert "fault.outage.time" not in cell["ranks"]
    others = [one["gate"] for name in TIMEOUTS for one in cells[name]["findings"]]
    assert "answered-while-down" not in others


def test_the_terminal_says_it_in_a_word(house: SuiteRepository) -> None:
    said = (house.root / "said").read_text()
    assert re.search(r"recovered \([^)]+, timeout ignored\)", said)
    assert len(re.findall(r"recovered \([^)]+\)", said)) >= len(TIMEOUTS)


WORDS = {
    "en": (
        "the timeout of 500 ms fired<",
        "the timeout of 500 ms fired late",
        "the timeout of 500 ms did not fire",
        "longest block",
        "late ticks",
        "on time again",
        "not ranked: timeout ignored",
        "asked to give a call up after 500 ms",
    ),
    "ko": (
        "타임아웃 500 ms: 동작함",
        "타임아웃 500 ms: 늦게 동작함",
        "타임아웃 500 ms: 동작하지 않음",
        "최장 블로킹",
        "늦은 틱",
        "만에 제때 응답",
        "순위 없음: 타임아웃 무시",
        "호출을 500 ms 뒤에 포기하도록 설정했지만",
    ),
}


@pytest.mark.parametrize(
    ("language", "words"), [(language, words) for language in WORDS for words in WORDS[language]]
)
def test_both_reports_say_it(folder: Path, language: str, words: str) -> None:
    report = (folder / f"report-{language}.md").read_text().replace("\u00a0", " ")
    assert words in report


def test_a_server_stands_still_in_whatever_session_it_answers(tmp_path: Path) -> None:
    offer = offered(hierarchies())
    if Need.STOPPING not in offer.places:
        pytest.skip(f"no control groups: {offer.reason}")
    house = SuiteRepository(tmp_path, "freezer")
    linked = tmp_path / "suites" / "freezer"
    linked.unlink()
    shutil.copytree(SUITES["freezer"], linked)
    (tmp_path / "suites" / "workers").symlink_to(SUITES["freezer"].parent / "workers")
    (tmp_path / "workers").symlink_to(SUITES["freezer"].parent / "workers")
    suite = linked / "suite.toml"
    suite.write_text(suite.read_text().replace("workers/reference.py", "workers/aside.py"))
    options = ("--profile", "once", "--contender", "raises-as-asked")
    ended = house.here("run", "freezer", *options)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    result = json.loads((house.only_run() / "result.json").read_text())
    (cell,) = result["cells"]
    (view,) = cell["caller"]
    assert (view["outcome"], view["timeout"]) == ("recovered", "fired")
    assert view["late_ticks"] > 0

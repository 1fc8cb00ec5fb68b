"""Pages of studies: every row has a command that exists and names sections that a report has."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from study_rows import rows
from tree import suites_of_the_tree
from wirelab.model.measure import CHECK

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "src" / "wirelab" / "report"
PAGES = sorted((ROOT / "docs" / "studies").glob("*.md"))
HEADINGS = (
    "Who published what, when, where",
    "What is reproduced",
    "Its rows",
    "What in it does not add up",
)
SHORTER = {"soak": "soak-check"}
"""Scenarios of hours, with the one that stands for each where a run has to be short."""
_COMMAND = re.compile(
    r"\./wl run (?P<suite>[a-z]+)(?P<scenarios>(?: --scenario [a-z0-9-]+)*)"
    r"(?: --profile (?P<profile>[a-z]+))?"
    r"(?: --python (?P<python>/[A-Za-z0-9._/-]+))?"
    r"(?P<set>(?: --set [a-z_]+=[A-Za-z0-9._/-]+)*)"
)


@cache
def anchors(place: Path) -> list[re.Pattern[str]]:
    """Patterns of the anchors of sections that the code in a folder makes; read once."""
    names = names_of(place)
    return [
        pattern
        for source in place.rglob("*.py")
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        for pattern in _of_section(node, names)
    ]


@cache
def names_of(place: Path) -> Mapping[str, frozenset[str]]:
    """Names that may follow the beginning of an anchor, where a suite has a list of them."""
    if not (place / "suite.toml").exists():
        return {}
    listed = {
        "scene-": tomllib.loads((place / "suite.toml").read_text("utf-8"))["scenarios"],
        "server-": [path.parent.name for path in place.glob("contenders/*/contender.toml")],
        "tuning-": tunings_of(place),
    }
    return {begin: frozenset(names) for begin, names in listed.items()}


def tunings_of(place: Path) -> list[str]:
    """Keys of the tunings that a suite's chapters list."""
    return [
        node.args[0].value
        for source in place.glob("chapters/*.py")
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "Tuning" and isinstance(node.args[0], ast.Constant)
        if isinstance(node.args[0].value, str)
    ]


def _of_section(node: ast.AST, names: Mapping[str, frozenset[str]]) -> Iterator[re.Pattern[str]]:
    match node:
        case ast.Call(func=ast.Name(id="Section"), args=[_, anchor, *_]):
            yield from _pattern(anchor, names)


def _pattern(anchor: ast.expr, names: Mapping[str, frozenset[str]]) -> Iterator[re.Pattern[str]]:
    match anchor:
        case ast.Constant(value=str(text)):
            yield re.compile(re.escape(text))
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), _]) if text in names:
            yield re.compile(f"{re.escape(text)}(?:{'|'.join(map(re.escape, names[text]))})")
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), _]):
            yield re.compile(re.escape(text) + "[a-z-]+")


def missing_of(suite: str, named: Iterable[str]) -> list[str]:
    """Anchors that no section of a suite's report has."""
    made = anchors(REPORT) + anchors(ROOT / "suites" / suite)
    return [name for name in named if not any(one.fullmatch(name) for one in made)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_once_how_an_anchor_is_used(page: Path) -> None:
    (said,) = re.findall(
        r"the name in code is the anchor that leads there, such as `report-en\.html#([a-z0-9-]+)` "
        r"in the folder of the run\.",
        " ".join(page.read_text("utf-8").split()),
    )
    assert any(f"`{said}`" in sections for _row, _command, sections in rows(page))


def test_there_are_pages() -> None:
    assert len(PAGES) > 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_form_of_all(page: Path) -> None:
    found = re.findall(r"^## (.+)$", page.read_text("utf-8"), re.M)
    assert [heading for heading in found if heading in HEADINGS] == list(HEADINGS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_row_has_a_command_and_a_section(page: Path) -> None:
    found = rows(page)
    assert len(found) >= 5, "the table is no longer found"
    for row, command, sections in found:
        asked = _COMMAND.fullmatch(command.strip("`"))
        assert asked, f"{row}: {command} is no command of a run"
        manifest = ROOT / "suites" / asked["suite"] / "suite.toml"
        known = tomllib.loads(manifest.read_text("utf-8"))["scenarios"]
        named = asked["scenarios"].split()[1::2]
        assert set(named) <= set(known), f"{row}: {command}"
        given = [word.partition("=")[0] for word in asked["set"].split()[1::2]]
        assert [name for name in given if not _takes(known, named, name)] == [], f"{row}: {command}"
        profile = asked["profile"] or "quick"
        assert all(profile in known[name]["profiles"] for name in named), f"{row}: {command}"
        anchored = re.findall(r"`([a-z0-9-]+)`", sections)
        assert anchored, f"{row}: no section"
        assert missing_of(asked["suite"], anchored) == [], row


def test_an_anchor_of_a_made_up_tuning_server_or_scenario_is_missing() -> None:
    assert len(tunings_of(ROOT / "suites" / "websocket")) > 12
    known = ["tuning-flow", "server-node-ws", "scene-crowd"]
    made_up = ["tuning-flows", "tuning-", "server-node", "scene-crowds", "tuning-workers-boards"]
    assert missing_of("websocket", [*known, *made_up]) == made_up


@pytest.mark.parametrize("key", sorted(tunings_of(ROOT / "suites" / "websocket")))
def test_every_tuning_has_a_row_of_its_study(key: str) -> None:
    found = rows(ROOT / "docs" / "studies" / "websocket-servers.md")
    assert any(f"`tuning-{key}`" in sections for _row, _command, sections in found)


def _takes(known: dict[str, Any], named: Iterable[str], parameter: str) -> bool:
    """Whether each of the scenarios has the parameter, so that --set changes something there."""
    return all(parameter in known[name].get("parameters", {}) for name in named)


@pytest.mark.parametrize(
    ("command", "python", "parameters"),
    [
        ("./wl run kv --scenario serving", None, ""),
        (
            "./wl run kv --scenario serving --python /opt/python3.14t/bin/python3",
            "/opt/python3.14t/bin/python3",
            "",
        ),
        (
            "./wl run kv --scenario ycsb --set records=1000 --set durability=none",
            None,
            " --set records=1000 --set durability=none",
        ),
    ],
)
def test_a_row_may_name_an_interpreter_and_parameters(
    command: str, python: str | None, parameters: str
) -> None:
    asked = _COMMAND.fullmatch(command)
    assert asked
    assert (asked["python"], asked["set"]) == (python, parameters)


@pytest.mark.parametrize(
    "command",
    [
        "./wl run kv --scenario serving --python",
        "./wl run kv --scenario serving --set inference",
        "./wl run kv --scenario serving --set inference=/opt/torch; rm",
    ],
)
def test_what_is_no_command_is_none(command: str) -> None:
    assert not _COMMAND.fullmatch(command)


def test_a_parameter_is_one_of_each_scenario() -> None:
    known = {"one": {"parameters": {"records": 1}}, "other": {}}
    assert _takes(known, ["one"], "records")
    assert not _takes(known, ["one", "other"], "records")
    assert not _takes(known, ["one"], "recrods")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_row_can_be_run_in_little(page: Path) -> None:
    commands = [command for _row, command, _sections in rows(page)]
    named = set(re.findall(r"--scenario ([a-z0-9-]+)", " ".join(commands)))
    assert len(named) >= 7, "scenarios are no longer found"
    (suite,) = {word for one in commands for word in re.findall(r"run ([a-z]+)", one)}
    known = suites_of_the_tree().suite(suite).manifest.scenarios
    short = {SHORTER.get(name, name) for name in named}
    assert short <= named, "who names hours names minutes as well"
    assert {name for name in short if CHECK not in known[name].profiles} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_names_a_file_that_the_study_was_kept_in(page: Path) -> None:
    assert not re.search(r"\d{3}_[0-9a-f]{16}", page.read_text("utf-8"))


def test_every_suite_names_the_page_of_its_study() -> None:
    manifests = sorted((ROOT / "suites").glob("*/suite.toml"))
    named = [tomllib.loads(path.read_text("utf-8"))["reference_study"] for path in manifests]
    assert [ROOT / name for name in sorted(named)] == PAGES


def test_nothing_is_called_by_the_file_that_a_study_was_kept_in() -> None:
    places = ("*/*.toml", "*/README.md", "*/*.py", "*/chapters/*.py")
    told = [path for place in places for path in (ROOT / "suites").glob(place)]
    assert len(told) > 80
    kept = re.compile(r"\d{3}_[0-9a-f]{16}")
    assert [str(path) for path in told if kept.search(path.read_text("utf-8"))] == []

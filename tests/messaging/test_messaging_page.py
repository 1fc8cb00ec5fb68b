"""Commands that the page of the suite ``messaging`` shows: the command line takes each of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tree import suites_of_the_tree
from wirelab.cli import loaded

PAGE = Path(__file__).parents[2] / "suites" / "messaging" / "README.md"


def shown() -> list[tuple[str, list[str]]]:
    """The command and its arguments, of every line of a block, without what is said beside it."""
    lines = re.findall(r"^    \./wl (.*?)(?:\s{3,}.*)?$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [(name, arguments) for name, *arguments in map(str.split, lines)]


def of_runs() -> list[dict[str, Any]]:
    """Parameters of each run on the page, as the command line understands them."""
    run = loaded("run")
    return [
        run.make_context("run", [*arguments]).params for name, arguments in shown() if name == "run"
    ]


def test_the_page_shows_how_everything_is_run() -> None:
    asked = of_runs()
    assert {one["profile"] for one in asked} >= {"check", "smoke", "quick", "night", "publish"}
    named = {scenario for one in asked for scenario in one["scenario"] or []}
    assert named >= {"transfer", "clients", "broadcast", "stream-10ms", "stream-100ms", "queue"}


def test_the_command_line_knows_all_that_is_named() -> None:
    suite = suites_of_the_tree().suite("messaging")
    asked = [one for one in of_runs() if not one["resume"]]
    assert len(asked) > 7
    assert {tuple(one["suites"]) for one in asked} == {("messaging",)}
    for one in asked:
        assert suite.chosen_scenarios(one["scenario"] or [], one["profile"])
        assert suite.chosen_contenders(one["contender"] or [])
    targets = {target.partition("=")[0] for one in asked for target in one["target"] or []}
    assert targets <= set(suite.manifest.services)


def test_what_is_listed_and_shown_is_there() -> None:
    suite = suites_of_the_tree().suite("messaging")
    assert ("list", ["messaging"]) in shown()
    contenders = [arguments for name, arguments in shown() if name == "show"]
    assert contenders
    assert {name for (name,) in contenders} <= set(suite.contenders)

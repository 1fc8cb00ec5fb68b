"""Options beside ``--resume``: what a run was begun with cannot be said again, whatever it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import said
from wirelab.cli import loaded

KEPT = (
    ["kv", "codec"],
    ["--scenario", "client"],
    ["--profile", "quick"],
    ["--until", "5%"],
    ["--at-most", "30m"],
    ["--baseline", "redis-py"],
    ["--make-up", "5m"],
    ["--set", "users=3"],
    ["--out", "elsewhere"],
    ["--all"],
    ["--seed", "3"],
    ["--trials", "9"],
    ["--generator", "k6"],
    ["--target", "127.0.0.1:3000"],
    ["--items", "nodes"],
    ["--fill"],
    ["--no-cgroups"],
    ["--role-memory", "1GiB"],
    ["--role-processes", "100"],
)
HEEDED = (
    ["--suites", "mine"],
    ["--contender", "mine/client"],
    ["--python", "python3"],
    ["--no-sandbox"],
    ["--keep-packets"],
    ["--install"],
    ["--lang", "ko"],
    ["--report", "en"],
)
STARTS_SOMETHING = {"push", "metrics"}


def told(arguments: list[str], place: Path) -> str:
    """The refusal of a command beside a run that is not there."""
    ended = said("run", *arguments, "--resume", "nowhere", cwd=place)
    assert ended.returncode == 2, ended.stdout
    assert list(place.iterdir()) == []
    return " ".join(ended.stderr.split())


@pytest.mark.parametrize("arguments", KEPT, ids=" ".join)
def test_what_a_run_was_begun_with_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    named = arguments[0] if arguments[0].startswith("--") else ", ".join(arguments)
    refused = told(arguments, tmp_path)
    assert f"{named}: a run that is resumed keeps what it was begun with" in refused


@pytest.mark.parametrize("arguments", HEEDED, ids=" ".join)
def test_what_says_where_and_how_is_heeded(tmp_path: Path, arguments: list[str]) -> None:
    assert "nowhere holds no run" in told(arguments, tmp_path)


def test_every_option_of_a_run_is_one_or_the_other() -> None:
    options = loaded("run").params
    known = {word: one.name for one in options for word in (*one.opts, *one.secondary_opts)}
    named = {known.get(words[0], "suites") for words in (*KEPT, *HEEDED)}
    assert {one.name for one in options} == named | STARTS_SOMETHING | {"resume"}

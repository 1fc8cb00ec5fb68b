"""Contenders that others take turns with: a part of them, another one with every commit.

A contender of each language, of each broker and of each database goes through its suite's main
scenario every time; of the others those that are drawn here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

import pytest

from tree import suites_of_the_tree
from wirelab.build import tools
from wirelab.catalog import ContenderEntry
from wirelab.plan.order import has_part

ROOT = Path(__file__).parents[2]

ONE_IN = 8
"""Kinds of commits: each contender has its turn with those of one kind."""

EVERYBODY = "WIRELAB_TEST_EVERYBODY"
"""Variable: where it is set, nobody is left out."""


@cache
def commit() -> int:
    """The hash of the commit that is tested, as a number."""
    command = ["git", "rev-parse", "HEAD"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return int(said, 16)


def is_built_anywhere(contender: ContenderEntry) -> bool:
    """Whether any machine with the toolchain can build it.

    Some sources may lack what is pinned by version, and nobody may have brought any folder.
    """
    build = contender.manifest.build
    has_all = build.pinned == "hash" and not build.brought
    return has_all and not contender.manifest.unavailable.en


def drawn(suite: str, names: Iterable[str], always: Iterable[str]) -> list[str]:
    """Contenders of a suite, in the order of ``names``: those that are always there, and those
    whose turn it is. Whoever has a turn has it wherever there are turns, so that it is built once.

    All of them where ``WIRELAB_TEST_EVERYBODY`` is set.
    """
    kept, known = set(always), list(names)
    if unknown := sorted(kept - set(known)):
        raise LookupError(
            f"always there, but not among those of {suite} that take turns: {unknown}"
        )
    kept.update(having_turn(suites_of_the_tree().suite(suite).contenders))
    return [name for name in known if name in kept]


def having_turn(names: Iterable[str]) -> list[str]:
    """Names that have their turn, by their places; all of them where that is asked for."""
    turn = commit() % ONE_IN
    return [
        name
        for number, name in enumerate(names)
        if EVERYBODY in os.environ or number % ONE_IN == turn
    ]


def one_in_turn(names: Iterable[str]) -> list[str]:
    """One of a few, another with every commit of a kind; all of them where that is asked for."""
    known = list(names)
    return known if EVERYBODY in os.environ else [known[commit() % len(known)]]


def has_turn(name: str, having: Collection[str]) -> pytest.MarkDecorator:
    """Leave a test to the commits with which a cheat is among those ``having`` their turn."""
    return pytest.mark.skipif(name not in having, reason="it has its turn with another commit")


def drawn_of(suite: str, scenario: str, always: Iterable[str]) -> list[str]:
    """Contenders of a scenario, by name: those that are always there, and those whose turn it is.

    Yardsticks come along by themselves. What nobody can build here has no turn.
    """
    entry = suites_of_the_tree().suite(suite)
    wanted = entry.manifest.scenarios[scenario]
    known = [
        name
        for name, contender in entry.contenders.items()
        if has_part(contender.manifest, scenario, wanted)
        and not contender.manifest.reference
        and is_built_anywhere(contender)
        and (tools.DOTNET.find() or contender.manifest.build.kind != "dotnet")
    ]
    return drawn(suite, known, always)

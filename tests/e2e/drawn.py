"""Contenders that others take turns with: a part of them, another one with every commit.

A contender of each language, of each broker and of each database goes through its suite's main
scenario every time; of the others those that are drawn here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tree import suites_of_the_tree
from wirelab.build import tools
from wirelab.plan.order import has_part

ROOT = Path(__file__).parents[2]

ONE_IN = 3
"""Commits of which one is a contender's turn, on the average."""

EVERYBODY = "WIRELAB_TEST_EVERYBODY"
"""Variable: where it is set, nobody is left out."""


@cache
def commit() -> str:
    """The commit that is tested."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def drawn(suite: str, names: Iterable[str], always: Iterable[str]) -> list[str]:
    """Contenders of a suite, in the order of ``names``: those that are always there, and those
    whose turn it is. Whoever has a turn has it wherever there are turns, so that it is built once.

    All of them where ``WIRELAB_TEST_EVERYBODY`` is set.
    """
    turn = int(commit(), 16) % ONE_IN
    kept = set(always)
    for number, name in enumerate(suites_of_the_tree().suite(suite).contenders):
        if EVERYBODY in os.environ or number % ONE_IN == turn:
            kept.add(name)
    return [name for name in names if name in kept]


def drawn_of(suite: str, scenario: str, always: Iterable[str]) -> list[str]:
    """Contenders of a scenario, by name: those that are always there, and those whose turn it is.

    Yardsticks come along by themselves. What nobody can build here has no turn.
    """
    entry = suites_of_the_tree().suite(suite)
    wanted = entry.manifest.scenarios[scenario]
    kept = set(always)
    known = [
        name
        for name, contender in entry.contenders.items()
        if has_part(contender.manifest, scenario, wanted)
        and not contender.manifest.reference
        and not contender.manifest.unavailable.en
        and not contender.manifest.build.brought
        and contender.manifest.build.pinned == "hash"
        and (tools.DOTNET.find() or contender.manifest.build.kind != "dotnet")
    ]
    assert kept <= set(known), kept - set(known)
    return drawn(suite, known, kept)

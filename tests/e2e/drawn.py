"""Contenders that others take turns with: a part of them, another one with every commit.

What each contender does of its own is seen in its suite's main scenario, where everybody takes
part. Other scenarios have a contender of each language, and those that are drawn here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

EVERYBODY = "WIRELAB_TEST_EVERYBODY"
"""Variable: where it is set, nobody is left out."""


@cache
def commit() -> str:
    """The commit that is tested."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def drawn(names: Iterable[str], *, one_in: int, always: Iterable[str] = ()) -> list[str]:
    """One in so many of the names, in their order, and those of them that are always there.

    All of them where ``WIRELAB_TEST_EVERYBODY`` is set.
    """
    known, kept = list(names), set(always)
    others = [name for name in known if name not in kept]
    first = int(commit(), 16) % one_in
    kept |= set(others if EVERYBODY in os.environ else others[first::one_in])
    return [name for name in known if name in kept]

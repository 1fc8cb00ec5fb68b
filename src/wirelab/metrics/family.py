"""One family of metrics: names of one pattern share their words."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """A family of metrics: the short title, the column title, and the meaning."""

    pattern: re.Pattern[str]
    title: str
    column: str
    meaning: str


def family(pattern: str, title: str, column: str, meaning: str) -> Family:
    """A family by the pattern of its names; ``op`` and ``stat`` of it may stand in the titles."""
    return Family(re.compile(pattern), title, column, meaning)

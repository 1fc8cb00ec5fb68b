"""A part of what is shown in ``docs/truth.md``, and the pieces it is measured in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wirelab.bench.truth.rows import Entry, Value

Row = dict[str, Value]

PROFILES = ("smoke", "quick", "publish")
"""Amounts of measuring: smoke only shows that everything works."""


@dataclass(frozen=True)
class TruthPlaces:
    """Where the sources are, where runs go, how much is measured, and who is told."""

    repository: Path
    runs: Path
    kept: Path
    """Where rows and page are."""
    profile: str
    seed: int
    say: Callable[[str], None]


@dataclass(frozen=True)
class Piece:
    """Something that is measured without a stop, in about so many minutes."""

    name: str
    minutes: float
    measure: Callable[[TruthPlaces], list[Row]]


@dataclass(frozen=True)
class TruthPart:
    """A question, how it is answered, and how its rows are told."""

    name: str
    title: str
    told: str
    """Paragraphs above its table."""
    pieces: Callable[[str], Sequence[Piece]]
    """Of a profile."""
    table: Callable[[Sequence[Entry]], list[str]]
    """Lines of Markdown; ``Entry`` of each piece that was measured."""
    is_simulated: bool = False
    """True where the machine may do other things meanwhile."""

    def minutes(self, profile: str) -> float:
        """Of all pieces."""
        return sum(piece.minutes for piece in self.pieces(profile))

"""A part of what is shown in ``docs/reference/truth.md``, and the pieces it is measured in."""

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
    """Folders of sources and runs, the amount of measuring, and the receiver of progress lines."""

    repository: Path
    runs: Path
    kept: Path
    """Folder of the rows and the page."""
    profile: str
    seed: int
    say: Callable[[str], None]


@dataclass(frozen=True)
class MeasuredPiece:
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
    pieces: Callable[[str], Sequence[MeasuredPiece]]
    """The pieces of a profile."""
    table: Callable[[Sequence[Entry]], list[str]]
    """Lines of Markdown; ``Entry`` of each piece that was measured."""
    is_simulated: bool = False
    """True where the machine may do other things meanwhile."""

    def minutes(self, profile: str) -> float:
        """Estimate the minutes that all pieces take."""
        return sum(piece.minutes for piece in self.pieces(profile))

"""Keys of metrics, made of literal words and of slots for what a scenario names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Slot(StrEnum):
    """A part of a key that differs from metric to metric."""

    OPERATION = "op"
    ROLE = "role"
    STATISTIC = "stat"
    MARK = "mark"
    KIND = "kind"


MAXIMUM = "max"
PERCENTILES = ("p50", "p90", "p95", "p99", "p99.9")
OF_DURATIONS = ("mean", *PERCENTILES, MAXIMUM)
"""Statistics of anything that takes time."""

_NAME = "[A-Za-z0-9][A-Za-z0-9_-]*"
_SHAPES = {
    Slot.OPERATION: _NAME,
    Slot.ROLE: _NAME,
    Slot.MARK: "[1-9][0-9]*",
    Slot.KIND: _NAME,
}
_SLOT = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True)
class KeyPattern:
    """The keys of one metric, such as ``{op}.latency.{stat}``."""

    parts: tuple[str | Slot, ...]
    statistics: tuple[str, ...] = ()

    @staticmethod
    def of(text: str, statistics: Sequence[str] = ()) -> KeyPattern:
        """The pattern that reads ``text``; ValueError where slots and statistics do not fit."""
        parts = tuple(_part(word) for word in text.split("."))
        if (Slot.STATISTIC in parts) != bool(statistics):
            raise ValueError(f"{text}: statistics and their slot come together")
        return KeyPattern(parts, tuple(statistics))

    @property
    def literals(self) -> int:
        """Number of the parts that are fixed words."""
        return sum(not isinstance(part, Slot) for part in self.parts)

    def read(self, key: str) -> dict[Slot, str] | None:
        """Read the slots of ``key``; None for a key of another shape."""
        match = self._shape.fullmatch(key)
        return {Slot(name): held for name, held in match.groupdict().items()} if match else None

    def fill(self, slots: Mapping[Slot, str]) -> str:
        """The key with these slots."""
        return ".".join(slots[part] if isinstance(part, Slot) else part for part in self.parts)

    def __str__(self) -> str:
        return ".".join(f"{{{part}}}" if isinstance(part, Slot) else part for part in self.parts)

    @cached_property
    def _shape(self) -> re.Pattern[str]:
        return re.compile(r"\.".join(map(self._shape_of, self.parts)))

    def _shape_of(self, part: str | Slot) -> str:
        if not isinstance(part, Slot):
            return re.escape(part)
        known = "|".join(map(re.escape, self.statistics))
        return f"(?P<{part}>{_SHAPES.get(part, known)})"


def _part(word: str) -> str | Slot:
    slot = _SLOT.fullmatch(word)
    return Slot(slot[1]) if slot else word

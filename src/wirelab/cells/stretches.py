"""Stretches of time in which something was done, and how operations lie to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Stretches:
    """Stretches by their begin: within which bounds each lay, and how long it took.

    ``reach`` is the latest end of a stretch and all before it.
    """

    begins: Ints
    reach: Ints
    took: Ints
    slack_ns: float
    """Mean time by which the bounds are wider than what lay in them: how closely it is placed."""

    @staticmethod
    def of(rows: Sequence[tuple[int, int, int]]) -> Stretches:
        """Stretches of begin, end and how long it took, in any order."""
        table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
        begins, ends, took = (np.ascontiguousarray(column) for column in table.T)
        slack = float(np.maximum(ends - begins - took, 0).mean()) if len(table) else 0.0
        return Stretches(begins, np.maximum.accumulate(ends), took, slack)

    def touch(self, start: Ints, end: Ints) -> Flags:
        """Whether any of them lay, or may have lain, within each of these times."""
        before = np.searchsorted(self.begins, end)
        latest = np.append(np.iinfo(np.int64).min, self.reach)[before]
        found: Flags = latest > start
        return found

    def within(self, start: Ints, end: Ints) -> Ints:
        """Time of them that lay within each of these times, at the most."""
        if not len(self.begins):
            return np.zeros(len(start), dtype=np.int64)
        first = np.searchsorted(self.reach, start, side="right")
        behind = np.searchsorted(self.begins, end)
        passed = np.append(0, np.cumsum(self.took))
        # At both ends no more than what overlaps; those between lie within as a whole.
        last = np.maximum(behind - 1, 0)
        opening = np.minimum(first, len(self.begins) - 1)
        whole = passed[behind] - passed[np.minimum(first, behind)]
        missing = self._beyond(opening, start, end)
        missing += np.where(last > opening, self._beyond(last, start, end), 0)
        found: Ints = np.where(behind > first, np.maximum(whole - missing, 0), 0)
        return found

    def _beyond(self, place: Ints, start: Ints, end: Ints) -> Ints:
        """Part of a stretch that cannot have lain within a time, for each of them."""
        overlap = np.minimum(self.reach[place], end) - np.maximum(self.begins[place], start)
        found: Ints = self.took[place] - np.clip(self.took[place], 0, np.maximum(overlap, 0))
        return found

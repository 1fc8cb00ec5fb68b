"""Goal of a search for the largest load that holds, and its number of probes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """Loads from ``lowest`` to ``highest``, a bracket of ``width`` (a share of its upper end).

    ``repeats`` probes decide on a load at last (their majority); ``most`` bounds their number.
    """

    lowest: int
    highest: int
    width: float
    repeats: int
    most: int

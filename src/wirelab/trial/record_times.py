"""Times of an operation's records, by which a load finds the tick that each of them was for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wirelab.model.parts import Operation
from wirelab.model.span import Span

Ints = npt.NDArray[np.int64]

UNKNOWN, BEYOND = -1, -2
"""In place of a tick: it cannot be known; its lane has recorded more than it had turns."""


@dataclass(frozen=True)
class RecordTimes:
    """Columns that belong together: of each record its lane, and its times in ns."""

    lanes: Ints
    since_ns: Ints  # intended, after tick 0
    starts_ns: Ints
    steps: Mapping[str, Span] = field(default_factory=dict)  # that a closed loop told of


def turns_in(first: int, count: int, operation: Operation) -> int:
    """Ticks among ``count`` from ``first`` on at which an operation is due."""
    return -(-(first + count) // operation.every) + (-first // operation.every)

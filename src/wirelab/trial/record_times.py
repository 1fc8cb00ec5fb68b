"""Times of an operation's records, by which a load finds the tick that each of them was for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RecordTimes:
    """Columns that belong together: of each record its lane, and its times in ns."""

    lanes: Ints
    since_ns: Ints  # intended, after tick 0
    starts_ns: Ints

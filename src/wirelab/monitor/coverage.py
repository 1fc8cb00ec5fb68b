"""Whether the monitor's looks cover a window: figures of a part of it would be wrong in silence."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from wirelab.monitor.look import PERIOD_NS

MOST_UNSEEN_NS = 5 * PERIOD_NS
"""A look may be late on a busy machine, and none may be missing for longer than this."""


def unseen_ns(times_ns: Sequence[int], begin_ns: int, end_ns: int) -> int:
    """The longest part of a window without a look; the times are in order."""
    first, beyond = bisect_left(times_ns, begin_ns), bisect_right(times_ns, end_ns)
    inside = [begin_ns, *times_ns[first:beyond], end_ns]
    return max(after - before for before, after in pairwise(inside))


def is_covered(times_ns: Sequence[int], begin_ns: int, end_ns: int) -> bool:
    """Whether no part of a window longer than a few periods is without a look."""
    return unseen_ns(times_ns, begin_ns, end_ns) <= MOST_UNSEEN_NS

"""Popularity of the records of the user table: Zipf's law, as whole numbers.

The service that holds the table computes this once and tells it in its facts, so that clients of
every language draw from the same numbers and none of them computes a power.
"""

from __future__ import annotations

from typing import Any

import numpy as np

EXPONENT = 0.99
"""Exponent of YCSB's workloads (Cooper et al., "Benchmarking cloud serving systems with YCSB",
2010).
"""

_EXACT = 256
_GROWTH = 32
_UNIT = float(1 << 40)


def popularity(records: int) -> dict[str, Any]:
    """Ranks 0 to ``records - 1`` in groups: the ``first`` of each, and the sum of all weights up
    to its end, ``until``.

    The first 256 ranks are groups of their own. Those behind them are taken together, as many as
    1/32 of the ranks before them, and each is drawn as often as another of its group.
    """
    first = [*range(min(records, _EXACT))]
    following = _EXACT
    while following < records:
        first.append(following)
        following += following // _GROWTH
    weights = _UNIT / np.arange(1, records + 1, dtype=np.float64) ** EXPONENT
    groups = np.rint(np.add.reduceat(weights, first)).astype(np.int64)
    return {"records": records, "first": first, "until": np.cumsum(groups).tolist()}

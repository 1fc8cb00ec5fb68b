"""Requests that operations need, by what the suite's data say of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wirelab.witness.matching import NeededRequest
from wirelab.witness.rows import Columns

Ints = npt.NDArray[np.int64]


def needed(
    asked: Columns, *, code: int, items: int, lanes: Ints, start_ns: Ints
) -> Sequence[NeededRequest]:
    """Requests of operations of one kind, in order: as ``asked`` has them, the columns of
    ``witness.requested.parquet``, or else for ``items``, which the manifest says.
    """
    of_manifest = NeededRequest(items)
    if not asked:
        return [of_manifest] * len(start_ns)
    own = asked["op"] == code
    columns = (asked[name][own].tolist() for name in ("lane", "start_ns", "items", "names"))
    known = {
        (lane, start): NeededRequest(wanted, names)
        for lane, start, wanted, names in zip(*columns, strict=True)
    }
    turns = zip(lanes.tolist(), start_ns.tolist(), strict=True)
    return [known.get(turn, of_manifest) for turn in turns]

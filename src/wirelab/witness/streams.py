"""Times at which the bytes of each stream left and arrived."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.witness.rows import Columns

Ints = npt.NDArray[np.int64]

NEVER = (1 << 63) - 1


class Streams:
    """Times at which bytes of each stream left and arrived."""

    def __init__(self, packets: Columns) -> None:
        self._packets = packets
        self._known: dict[tuple[int, int, int], tuple[Ints, Any]] = {}
        loaded = np.flatnonzero(packets["length"] > 0)
        names = [packets[name].astype(np.int64) for name in ("connection", "way", "side")]
        number = (names[0] << 2 | names[1] << 1 | names[2])[loaded]
        ordered = loaded[np.argsort(number, kind="stable")]
        begins = np.flatnonzero(np.diff(np.sort(number))) + 1
        for own in np.split(ordered, begins) if len(ordered) else ():
            connection, way, side = (int(name[own[0]]) for name in names)
            reached = np.maximum.accumulate(packets["position"][own] + packets["length"][own])
            self._known[connection, way, side] = reached, packets["monotonic_ns"][own]

    def at(self, connection: int, way: int, side: int, end: int) -> int:
        """The time at which everything before ``end`` had passed; ``NEVER``: it was not seen to."""
        reached, stamps = self._known.get((connection, way, side), ((), ()))
        number = int(np.searchsorted(reached, end))
        return int(stamps[number]) if number < len(stamps) else NEVER

    def begun(self, connection: int) -> int:
        """The time at which the first packet of a connection departed to its server: one that opens
        it has no bytes. ``NEVER``: it was not seen to."""
        return self._begun.get(connection, NEVER)

    @cached_property
    def _begun(self) -> dict[int, int]:
        there = np.flatnonzero((self._packets["way"] == 0) & (self._packets["side"] == 0))
        connections, first = np.unique(self._packets["connection"][there], return_index=True)
        stamps = self._packets["monotonic_ns"][there[first]]
        return dict(zip(connections.tolist(), stamps.tolist(), strict=True))

    def count(self, connection: int, way: int, begin: int, end: int) -> int:
        """Count the packets that carried these bytes."""
        reached, _ = self._known.get((connection, way, 0), ((), ()))
        first, last = np.searchsorted(reached, [begin + 1, end])
        return int(last - first) + 1

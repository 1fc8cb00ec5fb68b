"""Work of a lane at a tick of YCSB's workloads A to F; ``README.md`` of the suite defines it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

from kv_harness.data import mix
from kv_harness.user_table import FIELDS
from wirelab_sdk import Spec, SpecError

READ, UPDATE, INSERT, SCAN, MODIFY = "read", "update", "insert", "scan", "modify"

SHARES = {
    "a": ((50, READ), (100, UPDATE)),
    "b": ((95, READ), (100, UPDATE)),
    "c": ((100, READ),),
    "d": ((95, READ), (100, INSERT)),
    "e": ((95, SCAN), (100, INSERT)),
    "f": ((50, READ), (100, MODIFY)),
}
"""By workload: of 100 operations, how many are of this kind or of one before it."""

LATEST = "d"
"""The workload that reads what was inserted last; the others have favourites everywhere."""

MOST_SCANNED = 100
_U64 = 0xFFFF_FFFF_FFFF_FFFF


class Drawn(NamedTuple):
    """Work of a lane at a tick, drawn from nothing but the seed."""

    kind: str
    rank: int
    """Rank of the record: 0 is the one asked for most."""
    field: int
    """Number of the field that is written."""
    length: int
    """Records of a scan."""


class Draws:
    """Draws by what the service says of its table; SpecError where it says nothing."""

    def __init__(self, spec: Spec) -> None:
        said: Any = spec.facts.get("server", {}).get("popularity")
        if not isinstance(said, dict):
            raise SpecError("the facts of the server have no popularity of records")
        self.records: int = said["records"]
        self._first: list[int] = said["first"]
        self._until: list[int] = said["until"]
        self._seed = mix(spec.seed & _U64)

    def at(self, workload: str, tick: int, lane: int) -> Drawn:
        """Draw the work of ``lane`` at ``tick``."""
        h = mix(self._seed ^ (tick << 16 | lane))
        kind = next(kind for until, kind in SHARES[workload] if h % 100 < until)
        group = bisect_right(self._until, mix(h + 1 & _U64) % self._until[-1])
        first = self._first[group]
        end = self._first[group + 1] if group + 1 < len(self._first) else self.records
        return Drawn(
            kind=kind,
            rank=first + mix(h + 2 & _U64) % (end - first),
            field=mix(h + 3 & _U64) % FIELDS,
            length=1 + mix(h + 4 & _U64) % MOST_SCANNED,
        )

    def record(self, workload: str, rank: int, newest: int) -> int:
        """Number of the record of that rank; ``newest`` is the last one that was inserted."""
        return newest - rank if workload == LATEST else mix(rank) % self.records

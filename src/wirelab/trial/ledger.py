"""The ledger of a trial: items that good operations asked for, and items that a service served."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.ledger import LedgerEntry
from wirelab.model.parts import Operation
from wirelab.model.run import RoleRecord
from wirelab.witness.rows import Columns


def compared(
    operations: Mapping[str, Operation],
    asked: Columns | None,
    records: Mapping[str, RoleRecord],
) -> dict[str, LedgerEntry]:
    """By operation whose ``ledger`` a service counts; ``asked`` has the items of good records.

    Both sides are sums over the whole trial. What was served besides, in a preflight or a second
    time, is for the operation.
    """
    entries: dict[str, LedgerEntry] = {}
    if asked is None:
        return entries
    for name, operation in operations.items():
        served = [
            record.served[operation.ledger]
            for record in records.values()
            if operation.ledger in record.served
        ]
        if operation.ledger is not None and served:
            claimed = int(asked["items"][asked["op"] == operation.code].sum())
            entries[name] = LedgerEntry(claimed=claimed, served=sum(served))
    return entries

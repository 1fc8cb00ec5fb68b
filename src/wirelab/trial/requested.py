"""Items that each operation asks for, where the suite's data decide it: for the wire's witness, and
for the ledger.

A batch of 200 keys that are drawn has 198 different ones, and a library may ask for each of them
once. What an operation has to ask for at least, the suite's rule says; a request for less, or for
others, is not the operation's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wirelab.model.parts import Operation
from wirelab.trial.load import TrialLoad
from wirelab.trial.turns import KeptRecords, TurnRule, good_records, known_turns
from wirelab.witness import rows
from wirelab.witness.rows import Columns

Rule = TurnRule[tuple[int, int]]
"""``requested`` of a suite: the fewest items that an operation asks for, and the digest of their
names or 0."""


def requested(
    rule: Rule,
    spec: dict[str, Any],
    load: TrialLoad,
    operations: Mapping[str, Operation],
    kept: KeptRecords,
) -> Columns:
    """The columns of ``witness.requested.parquet``: what every good record of an operation asks for
    that is looked for on the wire or in a ledger, where that is known.
    """
    found: dict[str, list[np.ndarray[Any, Any]]] = {name: [] for name in rows.REQUESTED_COLUMNS}
    looked_for = {name: one for name, one in operations.items() if one.wire or one.ledger}
    for name, records in good_records(load, looked_for, kept):
        known, wanted = known_turns(rule, spec, name, records)
        items = np.array(wanted, dtype="i8").reshape(-1, 2)
        for column in ("op", "lane", "start_ns"):
            found[column].append(known[column])
        found["items"].append(items[:, 0])
        found["names"].append(items[:, 1])
    return {
        name: np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
        for name, parts in found.items()
    }

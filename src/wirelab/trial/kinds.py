"""Kinds of operations, where the suite's data decide which one is done at a turn.

One operation may be a read now and a write then. Which one, the suite knows by the tick and the
lane, as it knows the right answer; so nobody has to believe a worker that a slow write was a read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wirelab.model.parts import Operation
from wirelab.samples.kinds import COLUMNS, Ints, KindColumns
from wirelab.trial.failure import TrialError
from wirelab.trial.load import TrialLoad
from wirelab.trial.turns import KeptRecords, TurnRule, good_records, known_turns

Rule = TurnRule[str]
"""``kinds`` of a suite: the name of the kind."""


def kinds(
    rule: Rule,
    spec: dict[str, Any],
    load: TrialLoad,
    operations: Mapping[str, Operation],
    kept: KeptRecords,
) -> KindColumns:
    """The columns of ``kinds.parquet``: every good record of an operation that has kinds."""
    found: dict[str, list[Ints]] = {name: [] for name in COLUMNS}
    divided = {name: operation for name, operation in operations.items() if operation.kinds}
    for name, records in good_records(load, divided, kept):
        known, said = known_turns(rule, spec, name, records)
        places = {kind: place for place, kind in enumerate(divided[name].kinds)}
        if strange := sorted({*said} - {*places}):
            told = f"kinds of the suite: {name} has no kind {strange[0]!r:.100}"
            raise TrialError("rules-failed", told)
        for column in ("op", "lane", "start_ns"):
            found[column].append(known[column])
        found["kind"].append(np.array([places[kind] for kind in said], dtype=np.int64))
    return {
        name: np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
        for name, parts in found.items()
    }

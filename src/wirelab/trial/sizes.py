"""Sizes of recorded operations beside what the suite's data say they must be.

Answers are written in full at a few ticks only; a size is recorded at every one. Where the data
decide it (records found, bytes of a value), the suite's rule says what it must be, so that cheap
answers cannot pass for fast ones between two that are verified.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wirelab.model.parts import Operation
from wirelab.model.trial import Sized
from wirelab.trial.load import TrialLoad
from wirelab.trial.turns import KeptRecords, TurnRule, good_records, known_turns

MOST = 5_000
"""Records of an operation that are compared, evenly spread over the trial: enough to find one
wrong answer in a thousand (p > 0.99), and a fraction of a second for the suite's rule."""

Rule = TurnRule[int]
"""``sizes`` of a suite: the size of a good record."""


def compare(
    rule: Rule,
    spec: dict[str, Any],
    load: TrialLoad,
    operations: dict[str, Operation],
    kept: KeptRecords,
) -> dict[str, Sized]:
    """By operation that is due at ticks: what was recorded as good beside what the rule says."""
    found = {}
    for name, records in good_records(load, operations, kept):
        every = -(-len(records["tick"]) // MOST) or 1
        compared = {column: values[::every] for column, values in records.items()}
        known, expected = known_turns(rule, spec, name, compared)
        if expected:
            right = np.array(expected, dtype=np.int64)
            found[name] = Sized(
                compared=len(expected),
                unlike=int(np.count_nonzero(known["size"] != right)),
                recorded=int(known["size"].sum()),
                expected=int(right.sum()),
            )
    return found

"""Sizes of recorded operations beside what the suite's data say they must be.

Answers are written in full at a few ticks only; a size is recorded at every one. Where the data
decide it (records found, bytes of a value), the suite's rule says what it must be, so that cheap
answers cannot pass for fast ones between two that are verified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wirelab.model.parts import Operation
from wirelab.model.run import Sized
from wirelab.trial.load import TrialLoad
from wirelab.trial.turns import Turns, good_records, turns_of

MOST = 5_000
"""Records of an operation that are compared, evenly spread over the trial: enough to find one
wrong answer in a thousand (p > 0.99), and a fraction of a second for the suite's rule."""

Rule = Callable[[dict[str, Any], str, Turns], Sequence[int | None]]
"""``sizes(spec, operation, turns)`` of a suite: for each (tick, lane) the size of a good record,
None where the data do not say."""


def compare(
    rule: Rule,
    spec: dict[str, Any],
    load: TrialLoad,
    operations: dict[str, Operation],
    *,
    kept: Path,
    tick0_ns: int,
) -> dict[str, Sized]:
    """By operation that is due at ticks: what was recorded with ``ok`` beside what the rule says.

    ``kept`` is the trial's Parquet file of samples, ``tick0_ns`` its first tick.
    """
    found = {}
    for name, records in good_records(load, operations, kept=kept, tick0_ns=tick0_ns):
        every = -(-len(records["tick"]) // MOST) or 1
        compared = {column: values[::every] for column, values in records.items()}
        expected = rule(spec, name, turns_of(compared))
        known = [i for i, size in enumerate(expected) if size is not None]
        if known:
            said = compared["size"][known]
            right = np.array([expected[i] for i in known], dtype=np.int64)
            found[name] = Sized(
                compared=len(known),
                unlike=int(np.count_nonzero(said != right)),
                recorded=int(said.sum()),
                expected=int(right.sum()),
            )
    return found

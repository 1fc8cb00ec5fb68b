"""Operations that succeeded while the role that answers them was stopped or killed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.trial_files import Samples
from wirelab.gates.answered_while_down import ENDING_NS
from wirelab.model.parts import Operation
from wirelab.model.trial import AppliedFault


def answered_while_down(
    by_name: Mapping[str, Samples],
    operations: Mapping[str, Operation],
    faults: Sequence[AppliedFault],
) -> dict[str, int]:
    """By operation: how many good ones began and ended while a fault held its role down; without
    those that none did.
    """
    found: dict[str, int] = {}
    for name, samples in by_name.items():
        held = [*_down(operations[name].answered_by, faults)]
        if not held:
            continue
        good = samples.where(samples.status == statuses.OK)
        within = np.zeros(len(good), dtype=bool)
        for begin, end in held:
            within |= (good.start_ns > begin + ENDING_NS) & (good.end_ns < end)
        if count := int(np.count_nonzero(within)):
            found[name] = count
    return found


def _down(role: str | None, faults: Sequence[AppliedFault]) -> Iterator[tuple[int, float]]:
    """Begin and end of each time in which a role was held down."""
    since: int | None = None
    for fault in sorted(faults, key=lambda fault: fault.monotonic_ns):
        if fault.role != role:
            continue
        if fault.action in ("stop", "kill"):
            since = fault.monotonic_ns if since is None else since
        elif since is not None:
            yield since, fault.monotonic_ns
            since = None
    if since is not None:
        yield since, math.inf

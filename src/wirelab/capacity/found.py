"""Results of searches in a cell, and the rule that tells two contenders apart by them."""

from __future__ import annotations

import math

from wirelab.model.capacity import CapacityFound
from wirelab.model.rankings import CAPACITY
from wirelab.model.result import Cell

REMARK = "capacity"
VERIFIED = CAPACITY.metric
FAILED = "capacity.failed"


def found_of(cell: Cell) -> CapacityFound | None:
    """The searches of a capacity cell; None for any other."""
    said = cell.remarks.get(REMARK)
    return None if said is None else CapacityFound.model_validate(said)


def bracket_of(found: CapacityFound) -> tuple[float, float] | None:
    """Bracket of the capacity: from the lowest load any search verified to the highest that one
    found failing. It begins at 0 where no load held in one of them, and is endless where one only
    says "at least"; None where nothing held in any.
    """
    verified = [s.verified or 0 for s in found.searches]
    if not any(verified):
        return None
    failed = [math.inf if s.is_at_least or s.failed is None else s.failed for s in found.searches]
    return float(min(verified)), float(max(failed))


def shown_worse(cell: Cell, leader: Cell) -> bool:
    """Whether a load that failed here held there: brackets that overlap tell nothing apart."""
    own, others = found_of(cell), found_of(leader)
    here = bracket_of(own) if own else None
    there = bracket_of(others) if others else None
    return here is not None and there is not None and here[1] <= there[0]

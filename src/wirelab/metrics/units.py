"""Precision of a printed figure, by its unit: never finer than the unit can be measured."""

from __future__ import annotations

from functools import cache

from wirelab.words.numbers import SIGNIFICANT, Precision

TIMES = "×"
"""A multiple: so many times as much."""

_PRECISION = {
    "ns": Precision(2),
    "ms": Precision(3),
    "s": Precision(6),
    "%": Precision(2),
    "MB": Precision(1),
    "MB/s": Precision(2),
    "B": Precision(0, exact=True),
    "count": Precision(0, exact=True),
    TIMES: Precision(2),
}
_PER_SECOND = Precision(1, significant=SIGNIFICANT)
_OTHER = Precision(3)


@cache
def precision_of(unit: str) -> Precision:
    """The precision of a unit; whole numbers for what is recorded by the second."""
    return _PRECISION.get(unit, _PER_SECOND if unit.endswith("/s") else _OTHER)

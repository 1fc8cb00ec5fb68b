"""Operations that took less than the least that they must do."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

FLOOR_SHARE = 0.5
"""Share of the floor. Copying a number of bytes that is known only at run time costs a call of a
few nanoseconds, which a codec of a fixed size is spared; what was not done at all costs less still.
"""


class TooFast(Strict):
    """Nanoseconds of an iteration in the fastest batch, and of its floor."""

    ns: float
    floor_ns: float


class BelowFloor(Strict):
    """By operation: times below the floor."""

    operations: dict[str, TooFast]


def _check(cell: CellFacts) -> Iterator[TypedFinding[BelowFloor]]:
    """Twice as fast as copying as many bytes in the same language: invalid, for it was not done."""
    below: dict[str, TooFast] = {}
    for name, floor in cell.floors.items():
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        known = [loop.best_ns for loop in loops if loop.best_ns is not None]
        if known and min(known) < FLOOR_SHARE * floor:
            below[name] = TooFast(ns=min(known), floor_ns=floor)
    if below:
        yield TypedFinding(Verdict.INVALID, BelowFloor(operations=below))


def _lines(evidence: BelowFloor, words: Words) -> list[str]:
    template = words.gettext("{operation}: {time} an iteration, and the floor alone takes {floor}")
    return [
        template.format(
            operation=words.gettext(name),
            time=_nanoseconds(of.ns),
            floor=_nanoseconds(of.floor_ns),
        )
        for name, of in evidence.operations.items()
    ]


def _nanoseconds(value: float) -> str:
    return f"{numbers.brief(value, digits=3)}\u00a0ns"


GATE = Gate(
    code="below-floor",
    title=N_("faster than its floor"),
    meaning=N_(
        "An iteration took less than a yardstick of the same language that it cannot be faster "
        "than, such as copying bytes: the work was not done, or not all of it. No figure of "
        "this cell is a result."
    ),
    remedy=N_(
        "Look for what the compiler could remove, for results kept from an earlier iteration, and "
        "for a decoder that never rewinds."
    ),
    looks_at="fastest batch against the fastest copy of as many bytes in the same language",
    verdicts={Verdict.INVALID: "less than half of it"},
    loads=frozenset({LoadKind.MICROBENCHMARK}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=BelowFloor,
    lines=_lines,
)

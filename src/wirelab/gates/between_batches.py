"""Time between batches that is no batch's."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

LEAST_NS = 5_000_000
"""Reading a runtime's counters between two batches takes less, on a busy host as well."""

SHARE = 0.1
"""Share of a batch that the time after it may have: figures leave it out."""


class TimeBetween(Strict):
    """Nanoseconds from one batch to the next one, and of a batch."""

    between_ns: float
    batch_ns: float


class BetweenBatches(Strict):
    """By operation: time between batches, in the trial with the least of it."""

    operations: dict[str, TimeBetween]


def _check(cell: CellFacts) -> Iterator[TypedFinding[BetweenBatches]]:
    """A tenth of a batch or more between batches, in every trial: invalid, for callers pay it."""
    found: dict[str, TimeBetween] = {}
    for name in cell.planned[0].operations:
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        known = [
            TimeBetween(between_ns=loop.between_ns, batch_ns=loop.batch_ns)
            for loop in loops
            if loop.between_ns is not None and loop.batch_ns is not None
        ]
        if known and all(_is_much(one) for one in known):
            found[name] = min(known, key=lambda one: one.between_ns)
    if found:
        yield TypedFinding(Verdict.INVALID, BetweenBatches(operations=found))


def _is_much(one: TimeBetween) -> bool:
    return one.between_ns > max(LEAST_NS, SHARE * one.batch_ns)


def _lines(evidence: BetweenBatches, words: Words) -> list[str]:
    template = words.gettext("{operation}: {between} between batches of {batch}")
    return [
        template.format(
            operation=words.gettext(name),
            between=numbers.with_unit(of.between_ns / 1e6, "ms"),
            batch=numbers.with_unit(of.batch_ns / 1e6, "ms"),
        )
        for name, of in evidence.operations.items()
    ]


GATE = Gate(
    code="between-batches",
    title=N_("work between batches"),
    meaning=N_(
        "Much time passed between one batch and the next: work that the iterations have caused, "
        "such as collecting what they left, may have been done there. Callers pay for it, and the "
        "figures leave it out."
    ),
    remedy=N_(
        "Do within a batch what its iterations cause: a worker has nothing to do between them."
    ),
    looks_at="time from the end of a batch that counts to the start of the next one, audits left "
    "out: the lower quartile of each trial",
    verdicts={
        Verdict.INVALID: f"more than {numbers.percent(SHARE)} of a batch and more than 5 ms, in "
        "every trial"
    },
    loads=frozenset({LoadKind.MICROBENCHMARK}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=BetweenBatches,
    lines=_lines,
)

"""Counts of instructions that do not repeat."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

REPEATS_WITHIN = 0.001
"""Share of the smallest count. Libraries that do the same twice differ by a few instructions of
start-up; what differs by more depends on addresses, on time, or on chance.
"""

_COUNT = ".instructions"


class CountSpread(Strict):
    """The counts of the repeats, and how far they lie apart."""

    values: list[float]
    share: float


class DifferingCounts(Strict):
    """By operation: counts that differ, and by how much they may."""

    operations: dict[str, CountSpread]
    bound: float


def _check(cell: CellFacts) -> Iterator[TypedFinding[DifferingCounts]]:
    """Counts of one iteration that differ by more than 0.1 % between repeats: warns."""
    differing: dict[str, CountSpread] = {}
    for name, metric in cell.metrics.items():
        values = [value for value in metric.per_trial if value is not None]
        if not name.endswith(_COUNT) or len(values) < 2:
            continue
        apart = max(values) - min(values)
        if apart > REPEATS_WITHIN * abs(min(values)):
            share = apart / max(abs(min(values)), 1.0)
            differing[name.removesuffix(_COUNT)] = CountSpread(values=values, share=share)
    if differing:
        yield TypedFinding(
            Verdict.WARN, DifferingCounts(operations=differing, bound=REPEATS_WITHIN)
        )


def _lines(evidence: DifferingCounts, words: Words) -> list[str]:
    template = words.gettext("{operation}: {counts} instructions an iteration, {share} apart")
    return [
        template.format(
            operation=words.gettext(name),
            counts=", ".join(f"{value:,.1f}" for value in of.values),
            share=numbers.percent(of.share, 2),
        )
        for name, of in evidence.operations.items()
    ]


GATE = Gate(
    code="not-repeating",
    title=N_("instruction counts do not repeat"),
    meaning=N_(
        "The counts of the repeats differ by more than 0.1 %, so what an iteration executes "
        "depends on addresses, on time or on chance."
    ),
    remedy=N_(
        "Read the spread beside the count; more iterations in the second process make it smaller."
    ),
    looks_at="instruction counts of an iteration in the repeats",
    verdicts={Verdict.WARN: f"more than {numbers.percent(REPEATS_WITHIN, 1)} apart"},
    loads=frozenset({LoadKind.INSTRUCTIONS}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=DifferingCounts,
    lines=_lines,
)

"""Deliveries that came as they should not: shared by three gates."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import TypedFinding
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import Words


class AffectedOf(Strict):
    """The number affected among all that were received."""

    count: int
    received: int


class AffectedDeliveries(Strict):
    """By operation: deliveries of one kind."""

    operations: dict[str, AffectedOf]


def affected(
    cell: CellFacts, kind: str, verdict: Verdict
) -> Iterator[TypedFinding[AffectedDeliveries]]:
    """Say how many deliveries are of a kind, where any is."""
    operations: dict[str, AffectedOf] = {}
    for name in cell.planned[0].operations:
        counts = [trial.operations[name].counts for trial in cell.trials]
        if found := sum(of.get(kind, 0) for of in counts):
            received = sum(of.get("received", 0) for of in counts)
            operations[name] = AffectedOf(count=found, received=received)
    if operations:
        trials = [
            trial.id
            for trial in cell.trials
            if any(trial.operations[name].counts.get(kind, 0) for name in operations)
        ]
        yield TypedFinding(verdict, AffectedDeliveries(operations=operations), trials)


def affected_in_words(evidence: AffectedDeliveries, words: Words) -> list[str]:
    """The numbers affected among all received, by operation."""
    template = words.gettext("{operation}: {count} of {received} received")
    return [
        template.format(operation=name, count=f"{of.count:,}", received=f"{of.received:,}")
        for name, of in evidence.operations.items()
    ]

"""Deliveries that were counted as something they should not be: shared by two gates."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import TypedFinding
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import Words


class CountedOf(Strict):
    """So many of those that were received."""

    count: int
    received: int


class CountedDeliveries(Strict):
    """By operation: deliveries of one kind."""

    operations: dict[str, CountedOf]


def counted(
    cell: CellFacts, kind: str, verdict: Verdict
) -> Iterator[TypedFinding[CountedDeliveries]]:
    """Say how many deliveries are of a kind, where any is."""
    operations: dict[str, CountedOf] = {}
    for name in cell.planned[0].operations:
        counts = [trial.operations[name].counts for trial in cell.trials]
        if found := sum(of.get(kind, 0) for of in counts):
            received = sum(of.get("received", 0) for of in counts)
            operations[name] = CountedOf(count=found, received=received)
    if operations:
        trials = [
            trial.id
            for trial in cell.trials
            if any(trial.operations[name].counts.get(kind, 0) for name in operations)
        ]
        yield TypedFinding(verdict, CountedDeliveries(operations=operations), trials)


def counted_in_words(evidence: CountedDeliveries, words: Words) -> list[str]:
    """So many of those received, by operation."""
    template = words.gettext("{operation}: {count} of {received} received")
    return [
        template.format(operation=name, count=f"{of.count:,}", received=f"{of.received:,}")
        for name, of in evidence.operations.items()
    ]

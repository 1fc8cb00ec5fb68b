"""Gates on deliveries: what came twice, what came out of order, when nothing came at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict


def duplicated(cell: CellFacts) -> Iterator[Finding]:
    """A message that a receiver got more than once: invalid. One is enough, as it is for answers
    that are wrong: a fast path that delivers twice does other work than was asked for.
    """
    yield from _counted(cell, "duplicates", "duplicated", Verdict.INVALID)


def reordered(cell: CellFacts) -> Iterator[Finding]:
    """Messages of one sender that a receiver got in another order than they were sent: warns."""
    yield from _counted(cell, "reordered", "reordered", Verdict.WARN)


def _counted(cell: CellFacts, count: str, gate: str, verdict: Verdict) -> Iterator[Finding]:
    if not cell.scenario.measures_load:
        return
    operations: dict[str, Any] = {}
    for name in cell.planned[0].operations:
        counts = [trial.operations[name].counts for trial in cell.trials]
        found = sum(of.get(count, 0) for of in counts)
        if found:
            received = sum(of.get("received", 0) for of in counts)
            operations[name] = {"count": found, "received": received}
    if operations:
        trials = [
            trial.id
            for trial in cell.trials
            if any(trial.operations[name].counts.get(count, 0) for name in operations)
        ]
        yield Finding(
            gate=gate, verdict=verdict, evidence={"operations": operations}, trials=trials
        )


def stood_still(cell: CellFacts) -> Iterator[Finding]:
    """Nobody was answered for 100 ms or more although messages were sent meanwhile: warns.

    Percentiles of a long trial can hide this; users cannot. Only where many share one service
    (lanes): a single caller's slow answer is in its own latency.
    """
    if not cell.scenario.measures_load or not cell.scenario.steps:
        return
    evidence: dict[str, Any] = {}
    for trial in cell.trials:
        pauses = [pause for facts in trial.operations.values() for pause in facts.pauses]
        if pauses:
            evidence[trial.id] = {
                "pauses": len(pauses),
                "longest_ms": max(pauses),
                "total_ms": sum(pauses),
                "seconds": trial.window_seconds,
            }
    if evidence:
        yield Finding(
            gate="stood-still",
            verdict=Verdict.WARN,
            evidence={"trials": evidence},
            trials=list(evidence),
        )

"""Messages that were to be on disk, and too few sync calls for them."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.planned import PlannedClosed
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

LEAST = 0.9
"""Sync calls that operations under way at once share, at the least: those at the edge of a step may
fall on its other side, since they are stamped by another clock than operations are."""


class TooFewSyncs(Strict):
    """Sync calls to each operation, and operations that may share one."""

    calls: float
    lanes: int


class NeverSynced(Strict):
    """By operation: too few sync calls."""

    operations: dict[str, TooFewSyncs]


def _check(cell: CellFacts) -> Iterator[TypedFinding[NeverSynced]]:
    """An operation whose mode waits for the disk ends after a sync call. Those that are under way
    at once may share one, so that each lane has one operation of every call: less is invalid.
    """
    load = cell.planned[0].load
    if not cell.waits_for_disk or not isinstance(load, PlannedClosed):
        return
    lanes = max(step.lanes for step in load.steps)
    calls = {name: cell.metrics.get(f"{name}.syncs") for name in cell.planned[0].operations}
    few = {
        name: TooFewSyncs(calls=metric.value, lanes=lanes)
        for name, metric in calls.items()
        if metric is not None and metric.value is not None and metric.value * lanes < LEAST
    }
    if few:
        trials = [trial.id for trial in cell.trials]
        yield TypedFinding(Verdict.INVALID, NeverSynced(operations=few), trials)


def _lines(evidence: NeverSynced, words: Words) -> list[str]:
    template = words.gettext("{operation}: {calls} sync calls to each, of which {lanes} share one")
    return [
        template.format(operation=name, calls=numbers.brief(of.calls, digits=3), lanes=of.lanes)
        for name, of in evidence.operations.items()
    ]


GATE = Gate(
    code="never-synced",
    title=N_("acknowledged without a sync"),
    meaning=N_(
        "By its mode an operation ends when the disk has what it brought, and nobody asked the "
        "disk for it: what was acknowledged would have been lost with the machine."
    ),
    remedy=N_(
        "Have the broker sync before it acknowledges, or give the contender a mode that does not "
        "wait for the disk."
    ),
    looks_at="sync calls to each good operation where the contender's mode waits for the disk",
    verdicts={Verdict.INVALID: f"fewer than {LEAST:g} to all operations under way at once"},
    loads=frozenset({LoadKind.SYNC_CALLS}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=NeverSynced,
    lines=_lines,
)

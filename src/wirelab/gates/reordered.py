"""Messages of one sender that arrived in another order."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.gates.received import AffectedDeliveries, affected, affected_in_words
from wirelab.model.result import Verdict
from wirelab.words.translation import N_


def _check(cell: CellFacts) -> Iterator[TypedFinding[AffectedDeliveries]]:
    """Messages of one sender that a receiver got in another order than they were sent: warns."""
    yield from affected(cell, "reordered", Verdict.WARN)


GATE = Gate(
    code="reordered",
    title=N_("delivered out of order"),
    meaning=N_("Receivers got messages of one sender in another order than they were sent."),
    remedy=N_("Send the messages of one sender through one queue, one after the other."),
    looks_at="messages of one sender that arrived in another order",
    verdicts={Verdict.WARN: "any"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=AffectedDeliveries,
    lines=affected_in_words,
)

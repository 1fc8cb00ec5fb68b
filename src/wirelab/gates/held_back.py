"""Messages that were held back in order to leave together."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.gates.received import AffectedDeliveries, affected, affected_in_words
from wirelab.model.result import Verdict
from wirelab.words.translation import N_

_SHARE = 0.5
"""A pause of a collector, or a wait for a processor, lets much leave together as well: a quarter of
all on a host that is busy with other things."""


def _check(cell: CellFacts) -> Iterator[TypedFinding[AffectedDeliveries]]:
    """Deliveries that left with others that were handed over 1 ms later: warns above a half.

    Whoever received them had waited in vain for 1 ms before, so that it was not what held them.
    """
    for finding in affected(cell, "held", Verdict.WARN):
        operations = finding.evidence.operations.values()
        if any(of.count > _SHARE * of.received for of in operations):
            yield finding


GATE = Gate(
    code="held-back",
    title=N_("held back to leave together"),
    meaning=N_(
        "Messages were held until later ones left with them. That saves processor time at the cost "
        "of every receiver, and is not the same work as passing them on as they come."
    ),
    remedy=N_(
        "Send each message as it comes. A server that is busy to its limit writes several at a "
        "time as well: compare at a lower load."
    ),
    looks_at="deliveries that came together with a message that was handed over 1 ms later or more",
    verdicts={Verdict.WARN: "more than half of those received"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=AffectedDeliveries,
    lines=affected_in_words,
)

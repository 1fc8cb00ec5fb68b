"""Messages that a receiver got more than once."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.gates.received import AffectedDeliveries, affected, affected_in_words
from wirelab.model.result import Verdict
from wirelab.words.translation import N_


def _check(cell: CellFacts) -> Iterator[TypedFinding[AffectedDeliveries]]:
    """A message that a receiver got more than once: invalid. One is enough, as it is for answers
    that are wrong: a fast path that delivers twice does other work than was asked for.
    """
    yield from affected(cell, "duplicates", Verdict.INVALID)


GATE = Gate(
    code="duplicated",
    title=N_("delivered more than once"),
    meaning=N_("Receivers got messages twice: other work was done than was asked for."),
    remedy=N_("Look for a second subscription of one connection, or a broker that sends again."),
    looks_at="deliveries that a receiver got more than once",
    verdicts={Verdict.INVALID: "any"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=AffectedDeliveries,
    lines=affected_in_words,
)

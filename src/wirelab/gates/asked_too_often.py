"""More asked of a service than its operations may ask for."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.ledger import LedgerEntry
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class MoreServed(Strict):
    """By trial and operation: more served than may be asked for."""

    trials: dict[str, dict[str, LedgerEntry]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[MoreServed]]:
    """The neutral service has served more items than the operations of a trial may ask for, where
    the suite has a bound of that: invalid. Who asks again oftener than it is told learns sooner of
    what has changed.
    """
    more = {
        trial.id: found
        for trial in cell.trials
        if (found := {name: one for name, one in trial.ledger.items() if _exceeds(one)})
    }
    if more:
        yield TypedFinding(Verdict.INVALID, MoreServed(trials=more), list(more))


def _exceeds(entry: LedgerEntry) -> bool:
    return entry.at_most is not None and entry.surely > entry.at_most


def _lines(evidence: MoreServed, words: Words) -> list[str]:
    said = words.gettext(
        "{trial}: {operation} operations may be served {most} times (or items), and were {served}"
    )
    return [
        said.format(
            trial=trial,
            operation=operation,
            most=f"{of.at_most or 0:,}",
            served=f"{of.surely:,}",
        )
        for trial, operations in evidence.trials.items()
        for operation, of in operations.items()
    ]


GATE = Gate(
    code="asked-too-often",
    title=N_("asked oftener than the scenario says"),
    meaning=N_(
        "The contender asked its server for more than the operations of this cell allow: its times "
        "are those of another load."
    ),
    remedy=N_("Ask again at the interval that the scenario gives, and no sooner."),
    looks_at="calls or items that a neutral service counted while operations went on, against the "
    "most that they may ask for, where the suite says so",
    verdicts={Verdict.INVALID: "any more"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    is_outcome=True,
    check=_check,
    evidence=MoreServed,
    lines=_lines,
)

"""Operations that no service served."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.ledger import LedgerEntry
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class LessServed(Strict):
    """By trial and operation: more claimed than served."""

    trials: dict[str, dict[str, LedgerEntry]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[LessServed]]:
    """The good operations of a trial, or of a step of it, asked for more items than the neutral
    service can have served meanwhile: invalid. Who answered the others was not the service.

    Both are sums: repetitions and requests for nothing hide as many items as they ask for. The
    witness of the wire looks at each operation.
    """
    less = {
        trial.id: found
        for trial in cell.trials
        if (found := {name: one for name, one in trial.ledger.items() if _lacks(one)})
    }
    if less:
        yield TypedFinding(Verdict.INVALID, LessServed(trials=less), list(less))


def _lacks(entry: LedgerEntry) -> bool:
    return entry.served < entry.claimed


def _lines(evidence: LessServed, words: Words) -> list[str]:
    asked = words.gettext(
        "{trial}: {operation} operations asked for {claimed} items, {served} were served"
    )
    written = words.gettext(
        "{trial}: {operation} operations had to write {claimed} items (or bytes), {served} were "
        "written"
    )
    return [
        (written if of.written else asked).format(
            trial=trial,
            operation=operation,
            claimed=f"{of.claimed:,}",
            served=f"{of.served:,}",
        )
        for trial, operations in evidence.trials.items()
        for operation, of in operations.items()
    ]


GATE = Gate(
    code="not-served",
    title=N_("operations that no server served"),
    meaning=N_(
        "The operations of this cell claim answers for more items than their server served. No "
        "figure of this cell is a result."
    ),
    remedy=N_(
        "Look for answers from a cache, for callers that share an answer, and for requests with "
        "fewer items."
    ),
    looks_at="items that good operations asked for, in the trial and in each step, against those "
    "that a neutral service counted meanwhile",
    verdicts={Verdict.INVALID: "any less"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=LessServed,
    lines=_lines,
)

"""Operations that were due, and of which a client tells nothing."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import SCHEDULED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class UnrecordedTicks(Strict):
    """Due operations without a record, of those that were due."""

    left_out: int
    due: int


class LeftOutOperations(Strict):
    """By trial and operation."""

    trials: dict[str, dict[str, UnrecordedTicks]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[LeftOutOperations]]:
    """A due operation without a record, although its client went on with later ones: invalid. One
    is enough. A late tick is performed at once, and none is skipped; who leaves some out can do so
    when it knows how long they took.
    """
    if not cell.scenario.roles[cell.scenario.measured_role].is_contenders:
        return
    found: dict[str, dict[str, UnrecordedTicks]] = {}
    for trial in cell.trials:
        for name, facts in trial.operations.items():
            if facts.left_out and facts.expected:
                told = UnrecordedTicks(left_out=facts.left_out, due=facts.expected)
                found.setdefault(trial.id, {})[name] = told
    if found:
        yield TypedFinding(Verdict.INVALID, LeftOutOperations(trials=found), list(found))


def _lines(evidence: LeftOutOperations, words: Words) -> list[str]:
    said = words.gettext("{trial}: {count} of {due} {operation} operations have no record")
    return [
        said.format(trial=trial, operation=name, count=f"{of.left_out:,}", due=f"{of.due:,}")
        for trial, operations in evidence.trials.items()
        for name, of in operations.items()
    ]


GATE = Gate(
    code="left-out",
    title=N_("operations that were left out"),
    meaning=N_(
        "The client recorded nothing for some operations that were due, and went on with later "
        "ones. "
        "What it left out is in no figure: these may have been the slowest."
    ),
    remedy=N_(
        "Perform every tick, late ones at once, and record each of them, failed ones as well."
    ),
    looks_at="records of a client against the ticks at which its operations were due, from the "
    "first to the last record of every lane",
    verdicts={Verdict.INVALID: "any without a record"},
    loads=SCHEDULED,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=LeftOutOperations,
    lines=_lines,
)

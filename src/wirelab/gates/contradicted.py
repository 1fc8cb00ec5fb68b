"""Evidence of gates of the wire about a cell: something of each operation by trial, and whose
records they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from wirelab.gates.facts import CellFacts, WireFacts
from wirelab.gates.gate import Blame
from wirelab.model.units import Strict

Told = TypeVar("Told")


class ContradictedRecords(Strict):
    """Records that the wire does not bear out."""

    by_generator: bool = False
    """No contender wrote them: the role that is measured makes the load."""


Evidence = TypeVar("Evidence", bound=ContradictedRecords)


def of_cell(cell: CellFacts, evidence: Evidence) -> Evidence:
    """The evidence, with a note where the records are those of a generator."""
    if cell.scenario.roles[cell.scenario.measured_role].is_contenders:
        return evidence
    return evidence.model_copy(update={"by_generator": True})


def whom(evidence: ContradictedRecords) -> Blame:
    """The writer of the records."""
    return Blame.GENERATOR if evidence.by_generator else Blame.CONTENDER


def by_trial(
    cell: CellFacts, told: Callable[[str, WireFacts], Told | None]
) -> dict[str, list[Told]]:
    """Apply ``told`` to every operation that was looked for on the wire; trials of which it tells
    nothing are left out.
    """
    found = {
        trial.id: [
            one for name, wire in trial.wire.items() if (one := told(name, wire)) is not None
        ]
        for trial in cell.trials
    }
    return {trial: operations for trial, operations in found.items() if operations}

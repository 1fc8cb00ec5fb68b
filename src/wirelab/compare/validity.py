"""Cells that are invalid in one of two runs: an outcome, or nothing to compare.

An invalid cell has no figure to compare. But where its contender's own answers made it so, and
nothing around it did, that is an outcome by itself: wrong answers where they were right are worse.
A host that was busy, or trials that vary too much, say nothing of a contender.
"""

from __future__ import annotations

from wirelab.compare.comparison import Change
from wirelab.gates.catalogue import gate_of
from wirelab.gates.gate import Blame
from wirelab.model.result import Cell, Finding, Verdict


def of_invalid(was: Cell, now: Cell) -> tuple[Change, str, list[str]] | None:
    """The outcome where a cell is invalid, why, and by which gates; None where both are valid."""
    before, after = _invalidating(was), _invalidating(now)
    if not before and not after:
        return None
    gates = list(dict.fromkeys(f.gate for f in (*before, *after)))
    if before and after:
        return Change.NOT_COMPARABLE, "both-invalid", gates
    if after:
        if any(_is_own(finding, now) for finding in after):
            return Change.WORSE, "became-invalid", gates
        return Change.NOT_COMPARABLE, "new-invalid", gates
    if all(_is_own(finding, was) for finding in before):
        return Change.BETTER, "became-valid", gates
    return Change.NOT_COMPARABLE, "old-invalid", gates


def _invalidating(cell: Cell) -> list[Finding]:
    return [finding for finding in cell.findings if finding.verdict is Verdict.INVALID]


def _is_own(finding: Finding, cell: Cell) -> bool:
    """Whether the contender, and nothing around it, is what the gate found."""
    gate = gate_of(finding.gate)
    if gate is None or not gate.is_outcome:
        return False
    return gate.blamed(finding, cell.id) is Blame.CONTENDER

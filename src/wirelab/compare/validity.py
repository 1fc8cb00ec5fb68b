"""Cells that are invalid as a whole in one of two runs: an outcome, or nothing to compare.

Such a cell has no figure to compare. But where its contender's own answers made it so, and
nothing around it did, that is an outcome by itself: wrong answers where they were right are worse.
What concerns some metrics alone (a host that was busy, trials that vary too much) takes these out
of the comparison, and says nothing of a contender.
"""

from __future__ import annotations

from collections.abc import Iterable

from wirelab.compare.comparison import Change
from wirelab.gates.catalogue import gate_of
from wirelab.gates.gate import Blame, Concern
from wirelab.model.result import Cell, Finding, Verdict

OLD_INVALID, NEW_INVALID, BOTH_INVALID = "old-invalid", "new-invalid", "both-invalid"
INVALID = frozenset({OLD_INVALID, NEW_INVALID, BOTH_INVALID})
"""Reasons that gates give."""


def of_invalid(was: Cell, now: Cell) -> tuple[Change, str, list[str]] | None:
    """The outcome where a cell is invalid as a whole, why, and by which gates; None where neither
    is."""
    before, after = _invalidating(was), _invalidating(now)
    reason = reason_of(old=bool(before), new=bool(after))
    if not reason:
        return None
    gates = list(dict.fromkeys(f.gate for f in (*before, *after)))
    if reason == NEW_INVALID and any(_is_own(finding, now) for finding in after):
        return Change.WORSE, "became-invalid", gates
    if reason == OLD_INVALID and all(_is_own(finding, was) for finding in before):
        return Change.BETTER, "became-valid", gates
    return Change.NOT_COMPARABLE, reason, gates


def reason_of(*, old: bool, new: bool) -> str:
    """Code of the reason why nothing is compared where one or both are invalid; empty for none."""
    if old and new:
        return BOTH_INVALID
    if new:
        return NEW_INVALID
    return OLD_INVALID if old else ""


def gates_of(metrics: Iterable[str], was: Cell, now: Cell) -> list[str]:
    """The gates that made any of these metrics invalid, in either cell."""
    figures = [cell.metrics[name] for name in metrics for cell in (was, now)]
    invalid = (figure for figure in figures if figure.verdict is Verdict.INVALID)
    return list(dict.fromkeys(gate for figure in invalid for gate in figure.gates))


def _invalidating(cell: Cell) -> list[Finding]:
    """Findings that take every figure of the cell."""
    return [
        finding
        for finding in cell.findings
        if finding.verdict is Verdict.INVALID and _is_of_all(finding)
    ]


def _is_of_all(finding: Finding) -> bool:
    gate = gate_of(finding.gate)
    return gate is None or gate.concerns is Concern.EVERYTHING


def _is_own(finding: Finding, cell: Cell) -> bool:
    """Whether the contender, and nothing around it, is what the gate found."""
    gate = gate_of(finding.gate)
    if gate is None or not gate.is_outcome:
        return False
    return gate.blamed(finding, cell.id) is Blame.CONTENDER

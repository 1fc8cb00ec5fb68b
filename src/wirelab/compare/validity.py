"""Cells that are invalid in one of two runs: an outcome, or nothing to compare.

An invalid cell has no figure to compare. But where its contender's own answers made it so, and
nothing around it did, that is an outcome by itself: wrong answers where they were right are worse.
A host that was busy, or trials that vary too much, say nothing of a contender.
"""

from __future__ import annotations

from wirelab.compare.comparison import Change
from wirelab.model.result import Cell, Finding, Verdict
from wirelab.model.run import OF_THE_HOST

OF_THE_CONTENDER = frozenset(
    {
        "wrong-answer",
        "fast-not-found",
        "loss-or-error",
        "duplicated",
        "below-floor",
        "less-traffic",
    }
)
"""Gates that look at what a contender answered."""

OF_ITS_SURROUNDINGS = OF_THE_HOST | {"never-ready", "cannot-restart", "no-count"}
"""Reasons of failed trials that the machine may have caused (``docs/trial-failures.md``)."""


def of_invalid(was: Cell, now: Cell) -> tuple[Change, str, list[str]] | None:
    """The outcome where a cell is invalid, why, and by which gates; None where both are valid."""
    before, after = _invalidating(was), _invalidating(now)
    if not before and not after:
        return None
    gates = list(dict.fromkeys(f.gate for f in (*before, *after)))
    if before and after:
        return Change.NOT_COMPARABLE, "both-invalid", gates
    if after:
        if any(_is_own(finding) for finding in after):
            return Change.WORSE, "became-invalid", gates
        return Change.NOT_COMPARABLE, "new-invalid", gates
    if all(_is_own(finding) for finding in before):
        return Change.BETTER, "became-valid", gates
    return Change.NOT_COMPARABLE, "old-invalid", gates


def _invalidating(cell: Cell) -> list[Finding]:
    return [finding for finding in cell.findings if finding.verdict is Verdict.INVALID]


def _is_own(finding: Finding) -> bool:
    """Whether the contender, and nothing around it, is what the gate found."""
    if finding.gate != "trial-failed":
        return finding.gate in OF_THE_CONTENDER
    failed = finding.evidence["failed"]
    reasons = {of_trial["reason"] for of_trial in failed.values()}
    return bool(reasons) and not finding.evidence["missing"] and not reasons & OF_ITS_SURROUNDINGS

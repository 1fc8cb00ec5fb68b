"""Reasons of a comparison in words."""

from __future__ import annotations

_REASONS = {
    "mode-differs": "the modes differ",
    "parameters-differ": "the parameters differ",
    "scenario-differs": "the scenario asks for other work",
    "old-invalid": "invalid in the old run",
    "new-invalid": "invalid in the new run",
    "both-invalid": "invalid in both runs",
    "became-invalid": "what it answers made it invalid",
    "became-valid": "what it answered made it invalid, and no longer does",
    "worse-outcome": "callers see an end that they did not see before",
    "better-outcome": "callers no longer see a bad end that they saw before",
    "nothing-ranked": "both runs have no figure that contenders are ranked by",
    "no-value": "a run has no value",
    "at-least": "others disturbed the host: only a lower bound is known",
    "unlike-length": "trials of another length",
    "too-few-trials": "fewer than two trials a run",
}


def said(reason: str) -> str:
    """A reason in words; an unknown code stands for itself."""
    return _REASONS.get(reason, reason)

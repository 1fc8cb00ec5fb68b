"""Reasons of a comparison in words."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.compare.comparison import LIKE_OUTCOME, CellComparison, Change, MetricChange, Shortage

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
    "too-few-trials": "too few trials",
    "too-few-samples": "too few samples",
}


def said(reason: str) -> str:
    """A reason in words; an unknown code stands for itself."""
    return _REASONS.get(reason, reason)


def headline(cell: CellComparison) -> str:
    """The outcome of a cell, and how many of its figures that is where not all were compared."""
    if cell.change is not Change.SAME:
        return str(cell.change)
    if cell.reason == LIKE_OUTCOME:
        return f"{cell.change} in what callers see"
    left, every = len(cell.not_compared), len(cell.deciding)
    return f"{cell.change} in {every - left} of {every} figures" if left else str(cell.change)


def why(cell: CellComparison) -> list[str]:
    """The reason of a cell's outcome, why figures could not be compared, and what would do."""
    left = cell.not_compared
    parts = [] if cell.reason in {metric.reason for metric in left} else _of_cell(cell)
    groups: dict[str, list[MetricChange]] = {}
    for metric in left:
        groups.setdefault(_cause(cell, metric), []).append(metric)
    parts += [f"{_figures(cell, group)}: {cause}" for cause, group in groups.items()]
    if cell.remedy:
        known = all(metric.shortage is not None and metric.shortage.trials for metric in left)
        parts.append(f"{'' if known else 'those with too few '}comparable with {cell.remedy}")
    if cell.change is Change.NOT_COMPARABLE and left and (rest := len(cell.deciding) - len(left)):
        parts.append(f"other figures that were compared: {rest}")
    return parts


def _of_cell(cell: CellComparison) -> list[str]:
    """The reason that is no figure's."""
    gates = f": {', '.join(cell.gates)}" if cell.gates else ""
    parts = [said(cell.reason) + gates] if cell.reason not in ("", LIKE_OUTCOME) else []
    if cell.reason in ("worse-outcome", "better-outcome", LIKE_OUTCOME):
        parts.append(f"{_seen(cell.old_outcomes)} → {_seen(cell.new_outcomes)}")
    return parts


def _cause(cell: CellComparison, metric: MetricChange) -> str:
    if metric.shortage is not None:
        return _lacking(metric.shortage)
    gates = cell.gates if metric.reason == cell.reason else []
    return said(metric.reason) + (f" ({', '.join(gates)})" if gates else "")


def _lacking(short: Shortage) -> str:
    """``too few samples, old 3, new 4, each needs 11``."""
    sides = (("old", short.old), ("new", short.new))
    has = [f"{side} {int(held.has):,}" for side, held in sides if held.has is not None]
    return f"{said(short.code)}, {', '.join(has)}, each needs {int(short.needs):,}"


def _figures(cell: CellComparison, group: Sequence[MetricChange]) -> str:
    if len(group) == len(cell.deciding) > 1:
        return f"all {len(group)} figures"
    return ", ".join(metric.title for metric in group)


def _seen(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{outcome} {trials}" for outcome, trials in sorted(outcomes.items()))

"""Gate on counted instructions: a count that does not repeat is no count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

REPEATS_WITHIN = 0.001
"""Of the smallest count. Libraries that do the same twice differ by a few instructions of start-up;
what differs by more depends on addresses, on time, or on chance."""

_COUNT = ".instructions"


def not_repeating(cell: CellFacts) -> Iterator[Finding]:
    """Counts of one round that differ by more than 0.1 % between repeats: warns."""
    differing: dict[str, Any] = {}
    for name, metric in cell.metrics.items():
        values = [value for value in metric.per_trial if value is not None]
        if not name.endswith(_COUNT) or len(values) < 2:
            continue
        apart = max(values) - min(values)
        if apart > REPEATS_WITHIN * abs(min(values)):
            operation = name.removesuffix(_COUNT)
            differing[operation] = {"values": values, "share": apart / max(abs(min(values)), 1.0)}
    if differing:
        evidence = {"operations": differing, "bound": REPEATS_WITHIN}
        yield Finding(gate="not-repeating", verdict=Verdict.WARN, evidence=evidence)

"""What cannot be beaten: times of reference contenders, in the same step and language."""

from __future__ import annotations

from collections.abc import Iterable

from wirelab.cells.cell import Figures
from wirelab.model.result import Metric
from wirelab.model.run import Run


def floors_of(figures: Figures, others: Iterable[Figures], run: Run) -> dict[str, Metric]:
    """By operation of the cell that has a ``floor``: the fastest reference's time of that one."""
    planned, step = figures.recorded[0].planned, figures.recorded[0].step
    operations = run.scenarios[planned.scenario].operations
    wanted = {n: operations[n].floor for n in planned.operations if operations[n].floor}
    if not wanted:
        return {}
    language = run.participants[planned.contender].manifest.language
    references = [
        other.metrics
        for other in others
        if other.recorded[0].step == step
        and (at := other.recorded[0].planned).scenario == planned.scenario
        and (manifest := run.participants[at.contender].manifest).reference
        and manifest.language == language
    ]
    floors: dict[str, Metric] = {}
    for name, floor in wanted.items():
        known = [m for own in references if (m := own.get(f"{floor}.time")) is not None]
        valued = [metric for metric in known if metric.value is not None]
        if valued:
            floors[name] = min(valued, key=lambda metric: metric.value or 0.0)
    return floors

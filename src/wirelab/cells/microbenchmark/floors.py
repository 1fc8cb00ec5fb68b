"""Floors that cannot be beaten: times of reference contenders, in the same step and language."""

from __future__ import annotations

from collections.abc import Iterable

from wirelab.cells.cell_figures import Figures
from wirelab.model.run import Run


def floors_of(figures: Figures, others: Iterable[Figures], run: Run) -> dict[str, float]:
    """By operation of the cell that has a ``floor``: ns of an iteration in the fastest batch of any
    reference of its language."""
    planned, step = figures.recorded[0].planned, figures.recorded[0].step
    operations = run.scenarios[planned.scenario].operations
    wanted = {n: floor for n in planned.operations if (floor := operations[n].floor)}
    if not wanted:
        return {}
    language = run.participants[planned.contender].manifest.language
    references = [
        facts
        for other in others
        if other.recorded[0].step == step
        and (at := other.recorded[0].planned).scenario == planned.scenario
        and (manifest := run.participants[at.contender].manifest).reference
        and manifest.language == language
        for facts in other.facts
    ]
    floors: dict[str, float] = {}
    for name, floor in wanted.items():
        loops = [facts.loops[floor] for facts in references if floor in facts.loops]
        known = [loop.best_ns for loop in loops if loop.best_ns is not None]
        if known:
            floors[name] = min(known)
    return floors

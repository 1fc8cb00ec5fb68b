"""Service times that settled before the window was over."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.levels import SHIFT, steady_levels
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

STEADY_SHARE = 0.5
"""Share of the window: with less on its last level, the figures describe a transition."""


class Levels(Strict):
    """Seconds of a trial, those on its last level, their median, and the level's history."""

    seconds: int
    steady_seconds: int
    median_ms: float
    levels_ms: list[float]


class Unsteady(Strict):
    """The main operation, and its levels by trial."""

    operation: str
    trials: dict[str, Levels]


def _check(cell: CellFacts) -> Iterator[TypedFinding[Unsteady]]:
    """Change points (PELT, ruptures) in the 1 s medians of the main operation: the last steady
    level holds for less than half of the window in some trial, and is more than a tenth off what
    the window has. Warns.
    """
    name = cell.main_operation
    unsteady: dict[str, Levels] = {}
    for trial in cell.trials:
        medians = trial.operations[name].second_medians if name in trial.operations else None
        if medians is None:
            continue
        known = medians[~np.isnan(medians)]
        levels = steady_levels(known)
        if not levels or levels[-1][0] <= (1 - STEADY_SHARE) * len(known):
            continue
        # Levels that come and go leave the median where it is.
        median = float(np.median(known))
        if abs(levels[-1][1] - median) > SHIFT * median:
            unsteady[trial.id] = Levels(
                seconds=len(known),
                steady_seconds=len(known) - levels[-1][0],
                median_ms=median,
                levels_ms=[level for _, level in levels],
            )
    if unsteady:
        yield TypedFinding(Verdict.WARN, Unsteady(operation=name, trials=unsteady), list(unsteady))


def _lines(evidence: Unsteady, words: Words) -> list[str]:
    template = words.gettext(
        "{trial}: the last level of {operation} held for {steady} of {seconds} s; levels "
        "{levels} ms, median {median} ms"
    )
    return [
        template.format(
            trial=trial,
            operation=evidence.operation,
            steady=of.steady_seconds,
            seconds=of.seconds,
            median=numbers.brief(of.median_ms),
            levels=" → ".join(numbers.brief(level) for level in of.levels_ms),
        )
        for trial, of in evidence.trials.items()
    ]


GATE = Gate(
    code="not-steady",
    title=N_("no steady state"),
    meaning=N_("The level of latency still changed late in the window: figures mix two states."),
    remedy=N_(
        "Lengthen warm-up and trial, until the last level fills at least half of the window."
    ),
    looks_at="change points in the medians of each second",
    verdicts={
        Verdict.WARN: "the last level holds for less than half of the window, and is more than "
        f"{numbers.percent(SHIFT, 1)} off the median of the seconds"
    },
    loads=ORDINARY,
    blames=(Blame.HARNESS,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Unsteady,
    lines=_lines,
)

"""Trials of a cell that do not agree."""

from __future__ import annotations

import math
from collections.abc import Iterator

import scipy

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.measure import Bounds
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.stats.trials import variation
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


class Scatter(Strict):
    """The means of the trials, how much they vary, and how much they may."""

    operation: str
    cv: float
    bound: float
    means_ms: dict[str, float]
    reruns: int


_CONFIDENCE = 0.95
_FEWEST = 3
"""Trials that a cell is invalid by: each may have met an hour of its own."""


def shown_variation(cv: float, trials: int) -> float:
    """The least coefficient of variation that trials with this one can be said to have (one-sided,
    95 %).

    The sum of squares of normal numbers follows chi-squared, and trials are few: three with a true
    15 % show 25 % in 6 of 100 runs.
    """
    freedom = trials - 1
    return cv * math.sqrt(freedom / float(scipy.special.chdtri(freedom, 1 - _CONFIDENCE)))


def is_unstable(bounds: Bounds, trial_means: list[float]) -> bool:
    """Tell that the means of the trials vary too much: cv >= ``bounds.cv``."""
    cv = variation(trial_means)
    return cv is not None and cv >= bounds.cv


def _check(cell: CellFacts) -> Iterator[TypedFinding[Scatter]]:
    """cv of the trial means of the main operation, over quiet time, at or above ``bounds.cv``:
    warns; invalid where three trials or more show that it is (``shown_variation``).

    The rule of the published comparison this tool began with (15 %); the core adds trials
    first, so this speaks when they did not help.
    """
    name = cell.main_operation
    means = {
        trial.id: mean
        for trial in cell.trials
        if name in trial.operations and (mean := trial.operations[name].mean_ms) is not None
    }
    cv = variation(list(means.values()))
    if cv is not None and is_unstable(cell.scenario.bounds, list(means.values())):
        evidence = Scatter(
            operation=name,
            cv=cv,
            bound=cell.scenario.bounds.cv,
            means_ms=means,
            reruns=sum(trial.record.planned.rerun for trial in cell.trials),
        )
        trials = len(means)
        shown = trials >= _FEWEST and shown_variation(cv, trials) >= cell.scenario.bounds.cv
        verdict = Verdict.INVALID if shown else Verdict.WARN
        yield TypedFinding(verdict, evidence, list(means))


def _lines(evidence: Scatter, words: Words) -> list[str]:
    means = ", ".join(numbers.brief(mean, digits=3) for mean in evidence.means_ms.values())
    return [
        words.gettext(
            "cv of the trials' mean {operation} latency {cv}, allowed below {bound}; means {means} "
            "ms; reruns {reruns}"
        ).format(
            operation=evidence.operation,
            cv=numbers.percent(evidence.cv, 3),
            bound=numbers.percent(evidence.bound),
            means=means,
            reruns=evidence.reruns,
        )
    ]


GATE = Gate(
    code="unstable",
    title=N_("trials do not agree"),
    meaning=N_("The trials vary so much that their common figure would be a matter of luck."),
    remedy=N_(
        "Quieten the machine (`./wl doctor`), lengthen the trials, or use the publish profile."
    ),
    looks_at="coefficient of variation of the trials' means",
    verdicts={
        Verdict.WARN: "15 % and more (the scenario's bound), after up to three reruns",
        Verdict.INVALID: "the same, and the trials show that it is not chance (95 %, one-sided): "
        "26 % of three trials, 20 % of ten",
    },
    loads=ORDINARY,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Scatter,
    lines=_lines,
)

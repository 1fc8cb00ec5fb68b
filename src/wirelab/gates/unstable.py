"""Trials of a cell that do not agree."""

from __future__ import annotations

from collections.abc import Iterator

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


FEWEST = 3
"""Trials that a cell is invalid by: two of one distribution differ by 15 % easily where each is
short, and their coefficient of variation has a single degree of freedom."""


def is_unstable(bounds: Bounds, trial_means: list[float]) -> bool:
    """Tell that the means of the trials vary too much: cv >= ``bounds.cv``."""
    cv = variation(trial_means)
    return cv is not None and cv >= bounds.cv


def _check(cell: CellFacts) -> Iterator[TypedFinding[Scatter]]:
    """cv of the trial means of the main operation, over quiet time, at or above ``bounds.cv``:
    invalid from three trials on; of two it warns.

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
        verdict = Verdict.INVALID if len(means) >= FEWEST else Verdict.WARN
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
        Verdict.WARN: "the same of two trials",
        Verdict.INVALID: "15 % and more (the scenario's bound), after up to three reruns",
    },
    loads=ORDINARY,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Scatter,
    lines=_lines,
)

"""The processor time of wirelab itself while it measures."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED, LoadKind
from wirelab.gates.noisy_neighbour import FOREIGN_CORES
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

CORE_CORES = 0.01
"""Processor time that wirelab may use while it measures, in cores."""


class HarnessUse(Strict):
    """By trial: cores that wirelab used; the most."""

    cores: dict[str, float]
    worst: float


def _check(cell: CellFacts) -> Iterator[TypedFinding[HarnessUse]]:
    """wirelab itself used more than 1 % of a core during the window: a remark. What any other
    process would be warned about as a neighbour, it is warned about as well.
    """
    costs = {trial.id: role.cpu_cores for trial in cell.trials if (role := trial.roles.get("core"))}
    high = {trial: cores for trial, cores in costs.items() if cores > CORE_CORES}
    if high:
        worst = max(high.values())
        verdict = Verdict.WARN if worst > FOREIGN_CORES else Verdict.VALID
        yield TypedFinding(verdict, HarnessUse(cores=high, worst=worst), list(high))


def _lines(evidence: HarnessUse, words: Words) -> list[str]:
    return [
        words.gettext("up to {share} of a core (trials: {n})").format(
            share=numbers.percent(evidence.worst), n=len(evidence.cores)
        )
    ]


GATE = Gate(
    code="harness-cost",
    title=N_("wirelab itself was not idle"),
    meaning=N_(
        "The measuring program used more than 1 % of a core and may have disturbed the measurement."
    ),
    remedy=N_("Use a machine with more cores, so that roles and core do not share one."),
    looks_at="wirelab's own CPU during the trial",
    verdicts={
        Verdict.VALID: f"above {numbers.percent(CORE_CORES, 1)} of a core",
        Verdict.WARN: f"above {numbers.percent(FOREIGN_CORES, 1)} of a core",
    },
    loads=MEASURED | {LoadKind.SEARCH},
    blames=(Blame.HARNESS,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=HarnessUse,
    lines=_lines,
)

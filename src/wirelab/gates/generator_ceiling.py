"""Figures near the most that the rest of the set-up can give."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.metrics.naming import Naming
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

NEAR = 0.50
"""Share of the ceiling above which the cost of generator or server shows in the figures."""


class NearCeiling(Strict):
    """The compared metric, and its ceiling where this run knows it."""

    metric: str
    value: float
    ceiling: float | None
    share: float | None = None


def _check(cell: CellFacts) -> Iterator[TypedFinding[NearCeiling]]:
    """The cell is above half of what the rest of the set-up gives at most (a generator against a
    null server, or a server against a reader without a library): warns. That a run does not know
    its ceiling is a remark.
    """
    if cell.ceiling is None or not cell.trials or cell.generator:
        return
    name, known = cell.ceiling.metric, cell.ceiling.reached
    metric = cell.metrics.get(name)
    if metric is None or metric.value is None:
        return
    if known is None:
        yield TypedFinding(
            Verdict.VALID, NearCeiling(metric=name, value=metric.value, ceiling=None)
        )
    elif metric.value > NEAR * known:
        evidence = NearCeiling(
            metric=name, value=metric.value, ceiling=known, share=metric.value / known
        )
        yield TypedFinding(Verdict.WARN, evidence)


def _lines(evidence: NearCeiling, words: Words) -> list[str]:
    if evidence.ceiling is None or evidence.share is None:
        return [words.gettext("the ceiling was not measured in this run")]
    return [
        words.gettext("{metric} {value} is {share} of the set-up's ceiling of {ceiling}").format(
            metric=Naming(words).title(evidence.metric),
            value=numbers.brief(evidence.value, digits=3),
            share=numbers.percent(evidence.share),
            ceiling=numbers.brief(evidence.ceiling, digits=3),
        )
    ]


GATE = Gate(
    code="generator-ceiling",
    title=N_("near the ceiling of the set-up"),
    meaning=N_(
        "The figure is above half of what the rest of the set-up (the load generator, or the "
        "server) gives at most on this machine, so its own waiting may be part of the times."
    ),
    remedy=N_("Measure on a faster machine, or give the rest of the set-up more cores."),
    looks_at=(
        "the figure against the most that the rest of the set-up gave in this run: the generator "
        "against a null server, or the server against a reader without a library"
    ),
    verdicts={Verdict.VALID: "the ceiling is not known", Verdict.WARN: "above half"},
    loads=MEASURED,
    blames=(Blame.GENERATOR,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=NearCeiling,
    lines=_lines,
)

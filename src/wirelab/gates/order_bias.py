"""Figures that drift over the run."""

from __future__ import annotations

from collections.abc import Iterator

import scipy

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

ORDER_P = 0.01
"""Kendall's test is exact and needs no distribution; below six trials it cannot reach this."""


class Drift(Strict):
    """Kendall's test of the trials' means against their place, and its two ends."""

    tau: float
    p: float
    trials: int
    first: float
    last: float


def _check(cell: CellFacts) -> Iterator[TypedFinding[Drift]]:
    """A trend of the trials' means over their place in the run (all cells of the scenario,
    each over its own mean), Kendall p < 0.01: the host drifted while the run went on. Warns.
    """
    placed = cell.run.placed_means.get(cell.scenario_name, ())
    if not cell.trials or len(placed) < 3:
        return
    result = scipy.stats.kendalltau([place for place, _ in placed], [mean for _, mean in placed])
    if result.pvalue < ORDER_P:
        evidence = Drift(
            tau=float(result.statistic),
            p=float(result.pvalue),
            trials=len(placed),
            first=placed[0][1],
            last=placed[-1][1],
        )
        yield TypedFinding(Verdict.WARN, evidence)


def _lines(evidence: Drift, words: Words) -> list[str]:
    return [
        words.gettext(
            "means of {trials} trials against their place in the run: Kendall's tau {tau}, "
            "p = {p}; the first is {first} of its cell's mean, the last {last}"
        ).format(
            trials=evidence.trials,
            tau=numbers.brief(evidence.tau),
            p=numbers.brief(evidence.p, digits=1),
            first=numbers.percent(evidence.first, 3),
            last=numbers.percent(evidence.last, 3),
        )
    ]


GATE = Gate(
    code="order-bias",
    title=N_("figures drift over the run"),
    meaning=N_(
        "Later trials differ from earlier ones: the machine itself changed while it measured."
    ),
    remedy=N_("Let the machine warm up or cool down, fix its clock speed, and repeat the run."),
    looks_at="trend of a trial's mean over its place in the run",
    verdicts={Verdict.WARN: f"Kendall p < {ORDER_P}"},
    loads=ORDINARY,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Drift,
    lines=_lines,
)

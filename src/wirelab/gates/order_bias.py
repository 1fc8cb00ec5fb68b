"""Figures that drift over the run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import scipy

from wirelab.gates.facts import CellFacts, PlacedMean
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

ORDER_P = 0.01
"""A test that draws orders needs no distribution; few trials cannot reach this."""

_DRAWN = 9_999
"""Orders beside the one that was."""

_SEED = 20_251


class Drift(Strict):
    """Kendall's tau of the trials' means against their place, the share of orders within cells that
    are as far from none, and the two ends.
    """

    tau: float
    p: float
    trials: int
    first: float
    last: float


def _check(cell: CellFacts) -> Iterator[TypedFinding[Drift]]:
    """A trend of the trials' means over their place in the run (all cells of the scenario,
    each over its own mean), p < 0.01: the host drifted while the run went on. Warns.
    """
    placed = cell.run.placed_means.get(cell.scenario_name, ())
    if not cell.trials or len(placed) < 3:
        return
    p = _chance(placed)
    if p < ORDER_P:
        means = [one.mean for one in placed]
        tau = scipy.stats.kendalltau(range(len(means)), means).statistic
        ends = {"first": means[0], "last": means[-1]}
        yield TypedFinding(Verdict.WARN, Drift(tau=float(tau), p=p, trials=len(placed), **ends))


@lru_cache(maxsize=64)
def _chance(placed: tuple[PlacedMean, ...]) -> float:
    """Chance of a trend as strong where the trials of each cell come in any order.

    Means over their cell's mean add up to one whatever happens: the second of two trials is as much
    above it as the first is below. Trials of unlike cells are therefore not exchanged.
    """
    ranks = scipy.stats.rankdata([one.mean for one in placed])
    places = np.arange(len(placed)) - (len(placed) - 1) / 2
    draw, trends = np.random.default_rng(_SEED), np.zeros(_DRAWN)
    for cell in dict.fromkeys(one.cell for one in placed):
        own = [at for at, one in enumerate(placed) if one.cell == cell]
        trends += draw.permuted(np.tile(ranks[own], (_DRAWN, 1)), axis=1) @ places[own]
    # Sums of halves are exact: an order that is no better is as good.
    as_far = np.count_nonzero(np.abs(trends) >= abs(float(ranks @ places)))
    return float(1 + as_far) / (1 + _DRAWN)


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
    verdicts={Verdict.WARN: f"p < {ORDER_P} among orders within cells"},
    loads=ORDINARY,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Drift,
    lines=_lines,
)

"""Ranks of contenders that may be compared: one scenario, part and mode, usable figures.

The rule of ties: in the order of their values, each cell is compared with the leader of the
group before it. While the interval of its ratio to that leader includes 1 (or nothing bounds
it), it shares the leader's rank; the first one that is shown to be worse leads the next group,
and its rank is its place (1, 1, 3). "Not shown to differ" is not transitive: the last of one
group and the leader of the next may be indistinguishable, but each is told apart from, or tied
with, one and the same leader, so that no rank depends on a chain of neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from wirelab.capacity.found import RANKING, VERIFIED
from wirelab.capacity.found import shown_worse as bracket_shown_worse
from wirelab.model.contender import Contender
from wirelab.model.measure import Ranking
from wirelab.model.result import Cell, Metric
from wirelab.model.scenario import Kind, Scenario
from wirelab.stats.ratio import ratio

ELAPSED = Ranking(metric="step.elapsed")


def ranked(
    cells: Sequence[Cell],
    scenarios: Mapping[str, Scenario],
    contenders: Mapping[str, Contender],
) -> list[Cell]:
    """The cells with their ranks; a cell with nobody to be compared with has none.

    References are yardsticks and have no rank.
    """
    ranks: dict[str, dict[str, int]] = {cell.id: {} for cell in cells}

    def likeness(cell: Cell) -> tuple[str, ...]:
        within = scenarios[cell.scenario].ranked_within
        company = contenders[cell.contender].language if within == "language" else ""
        return cell.scenario, cell.variant, cell.step, company, cell.mode, cell.generator

    eligible = sorted(
        (cell for cell in cells if not contenders[cell.contender].reference), key=likeness
    )
    for _, group in groupby(eligible, key=likeness):
        alike = list(group)
        for ranking in rankings(scenarios[alike[0].scenario]):
            for cell, place in places(alike, ranking).items():
                ranks[cell][ranking.metric] = place
    return [cell.model_copy(update={"ranks": ranks[cell.id]}) for cell in cells]


def rankings(scenario: Scenario) -> list[Ranking]:
    """What a scenario ranks by; a closed loop always by the time its steps took as well, a
    capacity by nothing but itself."""
    if scenario.kind is Kind.CAPACITY:
        return [RANKING]
    named = {ranking.metric for ranking in scenario.rankings}
    closed = not scenario.is_scheduled and scenario.measures_load
    added = [ELAPSED] if closed and ELAPSED.metric not in named else []
    return [*scenario.rankings, *added]


def places(cells: Sequence[Cell], ranking: Ranking) -> dict[str, int]:
    """Rank of each cell (by id) in one metric; cells without a usable figure have none."""
    valued = {
        cell.id: metric.value or 0.0
        for cell in cells
        if (metric := cell.usable(ranking.metric)) is not None
    }
    if len(valued) < 2:
        return {}
    by_id = {cell.id: cell for cell in cells}
    order = sorted(valued, key=lambda c: valued[c], reverse=ranking.better == "higher")
    leader, place = order[0], 1
    ranks = {leader: 1}
    for number, cell in enumerate(order[1:], start=2):
        if _told_apart(by_id[cell], by_id[leader], ranking):
            leader, place = cell, number
        ranks[cell] = place
    return ranks


def _told_apart(cell: Cell, leader: Cell, ranking: Ranking) -> bool:
    if ranking.metric == VERIFIED:
        return bracket_shown_worse(cell, leader)
    return shown_worse(cell.metrics[ranking.metric], leader.metrics[ranking.metric], ranking)


def shown_worse(metric: Metric, leader: Metric, ranking: Ranking) -> bool:
    """Whether the interval of the ratio to the leader lies wholly on the worse side of 1."""
    if leader.value == 0 and metric.value:
        return ranking.better == "lower" and _never_zero(metric)
    found = ratio(metric, leader)
    if found is None:
        return False
    return found.low > 1 if ranking.better == "lower" else found.high < 1


def _never_zero(metric: Metric) -> bool:
    """Nothing has a ratio to zero: then a cell is worse if none of its trials reached it."""
    if metric.interval is not None:
        return metric.interval[0] > 0
    return len(metric.per_trial) > 1 and all(metric.per_trial)

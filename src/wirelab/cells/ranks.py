"""Ranks of contenders that may be compared: one scenario, part and mode, usable figures.

The rule of ties: in the order of their values, each cell is compared with the leader of the
group before it. While it is not told apart from that leader, it shares the leader's rank; the
first one that is shown to be worse leads the next group, and its rank is its place (1, 1, 3).

Cells with six blocks in common are told apart within them, all pairs of a table at once
(``wirelab.stats.maxt``), if the blocks agree with the order of the figures. Of others the interval
of the quotient of the two figures has to lie beyond 1; where nothing bounds it, they are not told
apart. "Not shown to differ" is not transitive: the last of one
group and the leader of the next may be indistinguishable, but each is told apart from, or tied
with, one and the same leader, so that no rank depends on a chain of neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from wirelab.capacity.found import RANKING, VERIFIED
from wirelab.capacity.found import shown_worse as bracket_shown_worse
from wirelab.model.contender import Contender
from wirelab.model.measure import Ranking
from wirelab.model.result import Cell, Metric
from wirelab.model.scenario import Kind, Scenario
from wirelab.stats.by_block import log_table
from wirelab.stats.maxt import differing
from wirelab.stats.ratio import quotient

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
    for alike in tables(cells, scenarios, contenders):
        for ranking in rankings(scenarios[alike[0].scenario]):
            for cell, place in places(alike, ranking).items():
                ranks[cell][ranking.metric] = place
    return [cell.model_copy(update={"ranks": ranks[cell.id]}) for cell in cells]


def tables(
    cells: Sequence[Cell],
    scenarios: Mapping[str, Scenario],
    contenders: Mapping[str, Contender],
) -> Iterator[list[Cell]]:
    """Cells that are ranked together."""

    def likeness(cell: Cell) -> tuple[str, ...]:
        company = scenarios[cell.scenario].company_of(contenders[cell.contender])
        return cell.scenario, cell.variant, cell.step, *company, cell.generator

    eligible = sorted(
        (cell for cell in cells if not contenders[cell.contender].reference), key=likeness
    )
    for _, group in groupby(eligible, key=likeness):
        yield list(group)


def rankings(scenario: Scenario) -> list[Ranking]:
    """The rankings of a scenario; a closed loop always ranks by the time its steps took as well,
    unless that is given, a capacity by nothing but itself.
    """
    if scenario.kind is Kind.CAPACITY:
        return [RANKING]
    named = {ranking.metric for ranking in scenario.rankings}
    closed = not scenario.is_scheduled and scenario.measures_load and not scenario.is_ramp
    added = [ELAPSED] if closed and ELAPSED.metric not in named else []
    return [*scenario.rankings, *added]


def places(cells: Sequence[Cell], ranking: Ranking) -> dict[str, int]:
    """Rank of each cell (by id) in one metric; cells without a usable figure have none."""
    figures = {
        cell.id: metric for cell in cells if (metric := cell.usable(ranking.metric)) is not None
    }
    if len(figures) < 2:
        return {}
    by_id = {cell.id: cell for cell in cells}
    order = sorted(
        figures, key=lambda c: figures[c].value or 0.0, reverse=ranking.better == "higher"
    )
    pairs = _Pairs({cell: figures[cell] for cell in order}, ranking)
    leader, place = order[0], 1
    ranks = {leader: 1}
    for number, cell in enumerate(order[1:], start=2):
        if ranking.metric == VERIFIED:
            worse = bracket_shown_worse(by_id[cell], by_id[leader])
        else:
            worse = pairs.shown_worse(cell, leader)
        if worse:
            leader, place = cell, number
        ranks[cell] = place
    return ranks


class _Pairs:
    """The figures of a table, two by two."""

    def __init__(self, figures: Mapping[str, Metric], ranking: Ranking) -> None:
        self._figures = figures
        self._ranking = ranking
        self._place = {name: number for number, name in enumerate(figures)}
        self._logs = log_table([*figures.values()])
        self._told = differing(self._logs)

    def shown_worse(self, name: str, leader: str) -> bool:
        at = self._place[name], self._place[leader]
        if not self._told.judged[at]:
            return shown_worse(self._figures[name], self._figures[leader], self._ranking)
        own, other = (self._logs[:, place] for place in at)
        grown = float(np.nanmean(own - other)) > 0
        return bool(self._told.apart[at]) and grown == (self._ranking.better == "lower")


def shown_worse(metric: Metric, leader: Metric, ranking: Ranking) -> bool:
    """Whether the interval of the quotient by the leader lies wholly on the worse side of 1."""
    if leader.value == 0 and metric.value:
        return ranking.better == "lower" and _never_zero(metric)
    found = quotient(metric, leader)
    if found is None:
        return False
    return found.low > 1 if ranking.better == "lower" else found.high < 1


def _never_zero(metric: Metric) -> bool:
    """Nothing has a ratio to zero: then a cell is worse if none of its trials reached it."""
    if metric.interval is not None:
        return metric.interval[0] > 0
    return len(metric.per_trial) > 1 and all(metric.per_trial)

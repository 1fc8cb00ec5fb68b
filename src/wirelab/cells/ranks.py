"""Ranks of contenders that may be compared: one scenario, part and mode, usable figures.

The rule of ties: a cell's rank is one more than the number of those that are shown to be better, or
better than one that is (1, 1, 3). So nobody is shown to be better than who is first, whoever is
shown to be worse than another one comes after it, and cells of one rank are not told apart. A
leader of which little is known gives its rank to nobody: who is worse than another one, of which
more is known, stays so.

Cells with six blocks in common are told apart within them, all pairs of a table at once
(``wirelab.stats.maxt``), if the blocks agree with the order of the figures. Of others the interval
of the quotient of the two figures has to lie beyond 1; where nothing bounds it, they are not told
apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from wirelab.capacity.found import VERIFIED
from wirelab.capacity.found import shown_worse as bracket_shown_worse
from wirelab.model.contender import Contender
from wirelab.model.measure import Ranking
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Metric
from wirelab.model.scenario import Scenario
from wirelab.stats.by_block import log_table
from wirelab.stats.maxt import differing
from wirelab.stats.ratio import quotient


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

    def is_worse(cell: str, other: str) -> bool:
        if ranking.metric == VERIFIED:
            return bracket_shown_worse(by_id[cell], by_id[other])
        return pairs.shown_worse(cell, other)

    better: dict[str, set[str]] = {}
    for cell in order:
        shown = [other for other in better if is_worse(cell, other)]
        better[cell] = set(shown).union(*(better[other] for other in shown))
    return {cell: 1 + len(above) for cell, above in better.items()}


class _Pairs:
    """The figures of a table, two by two."""

    def __init__(self, figures: Mapping[str, Metric], ranking: Ranking) -> None:
        self._figures = figures
        self._ranking = ranking
        self._place = {name: number for number, name in enumerate(figures)}
        self._logs = log_table([*figures.values()])
        self._told = differing(self._logs)

    def shown_worse(self, name: str, other: str) -> bool:
        at = self._place[name], self._place[other]
        if not self._told.judged[at]:
            return shown_worse(self._figures[name], self._figures[other], self._ranking)
        own, others = (self._logs[:, place] for place in at)
        grown = float(np.nanmean(own - others)) > 0
        return bool(self._told.apart[at]) and grown == (self._ranking.better == "lower")


def shown_worse(metric: Metric, other: Metric, ranking: Ranking) -> bool:
    """Whether the interval of the quotient by the other lies wholly on the worse side of 1."""
    if other.value == 0 and metric.value:
        return ranking.better == "lower" and _never_zero(metric)
    found = quotient(metric, other)
    if found is None:
        return False
    return found.low > 1 if ranking.better == "lower" else found.high < 1


def _never_zero(metric: Metric) -> bool:
    """Nothing has a ratio to zero: then a cell is worse if none of its trials reached it."""
    if metric.interval is not None:
        return metric.interval[0] > 0
    return len(metric.per_trial) > 1 and all(metric.per_trial)

"""The widths of intervals by which a run that adds blocks decides whether to go on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from wirelab.cells.ranks import tables
from wirelab.model.contender import Contender
from wirelab.model.result import Cell, Metric
from wirelab.model.scenario import Scenario
from wirelab.model.until import TableWidth, Until
from wirelab.stats.by_block import blocks_made_one, log_ratios
from wirelab.stats.signed_rank import location
from wirelab.stats.stopping import CONFIDENCE, reach_of


@dataclass(frozen=True)
class _Known:
    """The reach of a ratio's interval to either side, and its scatter from block to block."""

    reach: float
    scatter: float


def widths(
    cells: Sequence[Cell],
    until: Until,
    scenarios: Mapping[str, Scenario],
    contenders: Mapping[str, Contender],
    blocks: Mapping[str, int],
) -> list[TableWidth]:
    """Widths of each table with a figure that the rule is about; ``blocks`` are counted by
    scenario.

    Verdicts have no say: a run stops by the widths alone, and gates judge its figures anyhow.
    """
    stepped = {cell.scenario for cell in cells if cell.step}
    found = []
    for table in tables(cells, scenarios, contenders):
        first = table[0]
        # The whole of a schedule mixes loads of which each step is one.
        is_whole = not first.step and first.scenario in stepped
        if first.scenario in until.figures and not is_whole and len(table) > 1:
            found.append(_width(table, until, blocks.get(first.scenario, 0)))
    return found


def _width(table: Sequence[Cell], until: Until, blocks: int) -> TableWidth:
    first = table[0]
    metric = until.figures[first.scenario]
    figures = {cell.contender: cell.metrics.get(metric) for cell in table}
    baseline = _baseline(until, figures)
    known = {
        name: _known(figure, figures[baseline])
        for name, figure in figures.items()
        if name != baseline
    }
    reached = {name: one for name, one in known.items() if one is not None}
    width = TableWidth(
        scenario=first.scenario,
        variant=first.variant,
        step=first.step,
        generator=first.generator,
        mode=first.mode,
        metric=metric,
        blocks=blocks,
        baseline=baseline,
        without=[name for name, one in known.items() if one is None],
    )
    if not reached:
        return width
    least = max(reached, key=lambda name: reached[name].reach)
    scatter = max(one.scatter for one in reached.values())
    more = {"contender": least, "reach": reached[least].reach, "scatter": scatter}
    return width.model_copy(update=more)


def _baseline(until: Until, contenders: Collection[str]) -> str:
    """The one that was fixed in the plan, or the first after it that is in the table."""
    return next((name for name in until.baselines if name in contenders), min(contenders))


def _known(figure: Metric | None, base: Metric | None) -> _Known | None:
    if figure is None or base is None:
        return None
    merged = blocks_made_one([figure, base])
    logs = log_ratios(figure, base)
    found = location(logs, CONFIDENCE)
    if merged is None or found is None:
        return None
    # Where neighbours were made one, a block by itself varies by so much more.
    return _Known(reach_of(found), float(np.std(logs, ddof=1)) * sqrt(merged))

"""Sentences derived from the figures: who leads, by how much, and who is not told apart."""

from __future__ import annotations

from wirelab.metrics.units import TIMES, precision_of
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Metric
from wirelab.report import figures
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Span, Text, text
from wirelab.stats.ratio import ratio
from wirelab.words import numbers


def leaders(comparison: CellTable, metric: str) -> list[Cell]:
    """The cells that share the first rank of a metric."""
    return [cell for cell in comparison.ranked if comparison.context.rank_in(cell, metric) == 1]


def lead(context: Context, comparison: CellTable, metric: str) -> Text | None:
    """Name the best in a ranked metric, and the others' distance; None when nobody is ranked."""
    _ = context.words.gettext
    places = {cell.id: context.rank_in(cell, metric) or 0 for cell in comparison.ranked}
    ranked = sorted(
        (cell for cell in comparison.ranked if places[cell.id]), key=lambda cell: places[cell.id]
    )
    best = [cell for cell in ranked if places[cell.id] == 1]
    # Who is first may have no figure but a bound, and is not among those that are compared.
    if len(ranked) < 2 or not best:
        return None
    others = [cell for cell in ranked if places[cell.id] > 1]
    title = context.naming.title(metric)
    if not others:
        return text(
            _("{metric}: {names} are **not told apart**."),
            metric=_capital(title),
            names=_names(context, best),
        )
    first = min(best, key=lambda cell: _goodness(comparison, cell, metric))
    highest = higher_is_better(comparison, metric)
    opening = text(
        _("Highest {metric}: **{names}** ({figure}).")
        if highest
        else _("Lowest {metric}: **{names}** ({figure})."),
        metric=title,
        names=_names(context, best),
        figure=with_unit(first.metrics[metric]),
    )
    if len(best) > 1:
        opening += text(_(" They are not told apart."))
    shown, left = _nearest_and_farthest(others)
    distances = "; ".join(_distance(context, cell, first, metric) for cell in shown)
    if left:
        distances = _("{distances} ({n} more between them)").format(distances=distances, n=left)
    return (*opening, Span(f" {distances}."))


def leads(context: Context, comparison: CellTable, *metrics: str) -> tuple[Text, ...]:
    """Name the best in each of the metrics: of a table with several modes, in each mode."""
    modes = comparison.by_mode
    return tuple(
        (Span(f"{part.mode_title}: "), *said) if len(modes) > 1 else said
        for metric in metrics
        for part in modes
        if (said := lead(context, part, metric))
    )


_MOST_DISTANCES = 5


def _nearest_and_farthest(others: list[Cell]) -> tuple[list[Cell], int]:
    """All of them, or the two nearest and the farthest, and how many are left out."""
    if len(others) <= _MOST_DISTANCES:
        return others, 0
    return [*others[:2], others[-1]], len(others) - 3


def higher_is_better(comparison: CellTable, metric: str) -> bool:
    """Whether larger figures are ranked first."""
    ranked = rankings(comparison.scenario)
    return any(one.metric == metric and one.better == "higher" for one in ranked)


def _goodness(comparison: CellTable, cell: Cell, metric: str) -> float:
    value = cell.metrics[metric].value or 0.0
    return -value if higher_is_better(comparison, metric) else value


def _distance(context: Context, cell: Cell, first: Cell, metric: str) -> str:
    """``swift 3.1 times [2.9–3.4]``; the figure alone where a ratio says nothing."""
    _ = context.words.gettext
    name = context.name(cell.contender)
    apart = ratio(cell.metrics[metric], first.metrics[metric])
    if apart is None:
        return f"{name} {with_unit(cell.metrics[metric])}"
    bounded = apart.low < apart.high < float("inf")
    if not bounded:
        return _("{name} {times} times as much").format(name=name, times=numbers.brief(apart.value))
    # One decimal at least below ten, so that a bound just above 1 does not read as 1.
    interval = (apart.low, apart.high)
    places = numbers.places_of(apart.value, interval, precision_of(TIMES))
    places = max(places, 1) if apart.low < 10 else max(places, 0)
    return _("{name} {times} times as much {interval}").format(
        name=name,
        times=numbers.number(apart.value, places),
        interval=numbers.interval_text(interval, places),
    )


def with_unit(metric: Metric) -> str:
    """A figure with its unit, for a sentence; seconds below one as ms."""
    if metric.value is not None and numbers.is_short(metric.value, metric.unit):
        return f"{figures.figure(metric, 1e3, 'ms').number}\u00a0ms"
    unit = "" if metric.unit == "count" else f"\u00a0{metric.unit}"
    return f"{figures.figure(metric).number}{unit}"


def _names(context: Context, cells: list[Cell]) -> str:
    return context.names(cell.contender for cell in cells)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def all_of(*sentences: Text | None) -> tuple[Text, ...]:
    """The sentences that have something to say."""
    return tuple(sentence for sentence in sentences if sentence)

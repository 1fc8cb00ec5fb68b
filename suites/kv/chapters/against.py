"""The study's columns of differences: its own client against the official one, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wirelab.report.api import (
    DASH,
    Absent,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Ratio,
    Row,
    RowGroup,
    Table,
    cell,
    notes_for,
    numbers,
    published_cell,
    ratio,
    ratio_words,
)

NATIVE = "aerospike-py"
RIVALS = ("official", "official-async")
_STUDIED = "py-async"
"""The study's name of its own client."""
_STATED_AGAINST = "official"
"""The client that its printed ratios are against."""
_PERCENT = 100


@dataclass(frozen=True)
class Compared:
    """A figure of both clients; ``published`` is the end of the study's key of it, ``stated`` that
    of the ratio where the study prints one."""

    metric: str
    published: str
    more_is_better: bool = False
    stated: str = ""


def speed_ups(
    grid: CellTable, caption: str, places: Mapping[str, str], figures: Mapping[str, Compared]
) -> list[Table]:
    """Tables of how many times better the native client is. ``places`` are steps and the study's
    keys of them; none where no official client was measured beside it.
    """
    return _tables(grid, caption, places, figures, as_change=False)


def changes(
    grid: CellTable, caption: str, places: Mapping[str, str], figures: Mapping[str, Compared]
) -> list[Table]:
    """The per cent by which the native client's figures differ."""
    return _tables(grid, caption, places, figures, as_change=True)


def _tables(
    grid: CellTable,
    caption: str,
    places: Mapping[str, str],
    figures: Mapping[str, Compared],
    *,
    as_change: bool,
) -> list[Table]:
    context, _ = grid.context, grid.context.words.gettext
    rivals = [name for name in RIVALS if name in grid.contenders]
    if NATIVE not in grid.contenders or not rivals:
        return []
    groups = tuple(
        RowGroup(
            tuple(
                row
                for title, figure in figures.items()
                for row in (
                    Row(
                        Head(title),
                        tuple(_measured(grid, name, step, figure, as_change) for step in places),
                    ),
                    *_published(context, name, places.values(), figure, as_change),
                )
            ),
            Head(_("against {name}").format(name=context.name(name))),
        )
        for name in rivals
    )
    titles = [grid.step_title(step) if step else _("all multi-gets") for step in places]
    columns = tuple(map(Column, titles))
    return [Table(caption, ("", ""), columns, groups, notes_for(context, groups))]


def _measured(grid: CellTable, rival: str, step: str, figure: Compared, as_change: bool) -> Plain:
    own, other = (grid.metric(name, step, figure.metric) for name in (NATIVE, rival))
    if own is None or other is None:
        return Absent(DASH)
    better = figure.more_is_better or as_change
    apart = ratio(own, other) if better else ratio(other, own)
    if apart is None:
        return Absent(DASH)
    return cell(change_words(apart) if as_change else ratio_words(apart))


def change_words(apart: Ratio) -> str:
    """``−19 % [−25 … −12]``."""
    value, low, high = (percent(each) for each in (apart.value, apart.low, apart.high))
    return f"{value} % [{low} … {high}]"


def percent(ratio_: float) -> str:
    """Difference of a ratio from one in per cent: ``−19``."""
    return f"{_PERCENT * (ratio_ - 1):+.0f}".replace("-", "\N{MINUS SIGN}")


def _published(
    context: Context, rival: str, places: Iterable[str], figure: Compared, as_change: bool
) -> tuple[Row, ...]:
    """The study's own ratios, and those of its figures of the two; none where it has none."""
    _ = context.words.gettext
    cells = tuple(_theirs(context, rival, place, figure, as_change) for place in places)
    if all(isinstance(one, Absent) for one in cells):
        return ()
    return (Row(Head(_("published")), cells, published=True),)


def _theirs(context: Context, rival: str, place: str, figure: Compared, as_change: bool) -> Plain:
    published = context.published
    if published is None:
        return Absent(DASH)
    if figure.stated and rival == _STATED_AGAINST:
        printed = published_cell(context, _STUDIED, FigureColumn(f"{place}.{figure.stated}"))
        if not isinstance(printed, Absent):
            return printed
    own, other = (
        published.figure(name, f"{place}.{figure.published}") for name in (_STUDIED, rival)
    )
    if own is None or other is None:
        return Absent(DASH)
    if as_change:
        return cell(f"{percent(float(own) / float(other))} %")
    more, less = (own, other) if figure.more_is_better else (other, own)
    return cell(numbers.brief(float(more) / float(less)))

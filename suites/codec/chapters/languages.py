"""All languages on one scale: absolute times beside each language's yardsticks."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Bullets,
    CellTable,
    Chart,
    Column,
    Context,
    Figure,
    FigureColumn,
    Head,
    LegendItem,
    Mark,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    numbers,
    paragraph,
    strip,
    text,
)

from .formats import CGD, JSON, PROTOBUF, TIMED, fastest, format_of, format_title, within, writers

_YARDSTICKS = ("touch", "copy")
_Shape = Literal["circle", "square", "triangle", "diamond"]
_SHAPES: dict[str, _Shape] = {CGD: "triangle", PROTOBUF: "square", JSON: "circle"}
_COLOURS = {CGD: 1, PROTOBUF: 0, JSON: 2}
_OTHERS: tuple[_Shape, int] = ("diamond", 3)


def languages(context: Context, found: CellTable) -> Section:
    """The table and the chart of round trips, and how far the languages are apart."""
    _ = context.words.gettext
    opening = paragraph(
        _(
            "Absolute times, not ranked: between languages more differs than the codec. The "
            "native value of each is what its programs hold, so that of Python costs more to "
            "look at alone: that is its touch, and copy is what moving bytes costs."
        )
    )
    blocks: list[Block | Section] = [opening]
    if (chart := _chart(context, found)) is not None:
        blocks.append(chart)
    blocks.append(_table(context, found))
    if said := _distances(context, found):
        blocks.append(Bullets(said))
    return Section(_("Across languages"), "languages", tuple(blocks))


def _table(context: Context, found: CellTable) -> Table:
    _ = context.words.gettext
    groups = []
    for language in found.languages:
        names = [name for group in found.peers_of(language) for name in group.contenders]
        rows = [_yardstick_row(found, language, operation) for operation in _YARDSTICKS]
        rows += [
            Row(
                Head(within(context, name)),
                tuple(map(_alone, found.shown_along(name, FigureColumn(TIMED)))),
            )
            for name in names
        ]
        groups.append(RowGroup(tuple(rows), Head(language)))
    columns = tuple(Column(step, "ns") for step in found.steps)
    caption = _("Round trip of every contender beside touch and copy of its language")
    return Table(caption, (_("language"), _("contender")), columns, tuple(groups))


def _yardstick_row(found: CellTable, language: str, operation: str) -> Row:
    """The fastest yardstick of a language; dashes where it has none."""
    cells: list[TableCell] = []
    for step in found.steps:
        name = fastest(found, found.yardsticks(language), step, f"{operation}.time")
        column = FigureColumn(f"{operation}.time")
        cells.append(Absent(DASH) if name is None else _alone(found.shown(name, step, column)))
    return Row(Head(found.context.words.gettext(operation)), tuple(cells))


def _alone(shown: TableCell) -> TableCell:
    """Without its interval, which stands in the ranking of the language: nothing is ranked here."""
    return replace(shown, interval="") if isinstance(shown, Figure) else shown


# --------------------------------------------------------------------------------- the chart


def _chart(context: Context, found: CellTable) -> Chart | None:
    _ = context.words.gettext
    panels = [
        panel
        for step in found.steps
        if (
            panel := strip(
                found.step_title(step),
                _("Round-trip time of every contender, a line a language, logarithmic."),
                _("ns an iteration"),
                _marks(found, step),
                found.languages,
            )
        )
        is not None
    ]
    if not panels:
        return None
    caption = text(
        _(
            "A mark is a contender with a valid figure, a line a language; grey ticks are its "
            "touch and copy. The scale is logarithmic, and each panel has its own."
        )
    )
    legend = [
        LegendItem(format_title(context, form), _COLOURS[form], _SHAPES[form]) for form in _SHAPES
    ]
    legend.append(LegendItem(_("other formats"), _OTHERS[1], _OTHERS[0]))
    return Chart(_("Round trip by language"), caption, tuple(panels), tuple(legend))


def _marks(found: CellTable, step: str) -> list[Mark]:
    marks = []
    for name in found.contenders:
        line = found.context.language_of(name)
        if name in found.context.references:
            values = (found.value(name, step, f"{operation}.time") for operation in _YARDSTICKS)
            marks += [Mark(line, value, None, floor=True) for value in values if value is not None]
            continue
        form = format_of(name)
        value = found.value(name, step, TIMED)
        if value is not None:
            shape, colour = _SHAPES.get(form, _OTHERS[0]), _COLOURS.get(form, _OTHERS[1])
            marks.append(Mark(line, value, colour, shape))
    return marks


# ---------------------------------------------------------------------------- the distances


def _distances(context: Context, found: CellTable) -> tuple[Text, ...]:
    """The fastest of each format in each language, as multiples of the fastest of all."""
    said = [_distance(context, found, form) for form in (CGD, PROTOBUF, JSON)]
    return tuple(line for line in said if line is not None)


def _distance(context: Context, found: CellTable, form: str) -> Text | None:
    """Tell the distance of the languages in one format, with fresh values, over all data."""
    _ = context.words.gettext
    best: dict[str, dict[str, float]] = {}
    for language in found.languages:
        names = writers(found, form, language, "fresh")
        for step in found.steps:
            name = fastest(found, names, step)
            value = found.value(name, step, TIMED) if name else None
            if value is not None:
                best.setdefault(language, {})[step] = value
    whole = {language: own for language, own in best.items() if len(own) == len(found.steps)}
    if len(whole) < 2:
        return None
    first = min(whole, key=lambda language: sum(whole[language].values()))
    parts = []
    for language, own in whole.items():
        ratios = [own[step] / whole[first][step] for step in found.steps]
        if language != first:
            ends = dict.fromkeys((numbers.brief(min(ratios)), numbers.brief(max(ratios))))
            template = _("{language} {ratios} times")
            parts.append(template.format(language=language, ratios="–".join(ends)))
    return text(
        _("{format}, fastest fresh contender of each language against {first}: {apart}."),
        format=format_title(context, form),
        first=first,
        apart="; ".join(parts),
    )

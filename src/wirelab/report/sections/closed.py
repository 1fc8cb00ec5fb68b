"""Steps of closed loops: the time they took, and how evenly their users were served."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wirelab.metrics.units import TIMES, precision_of
from wirelab.model.result import Cell, Verdict
from wirelab.report import remarks, steps
from wirelab.report.cell_table import CellTable
from wirelab.report.closed import ELAPSED, title, told_by, told_column
from wirelab.report.context import Context, usable_value
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Callout,
    Column,
    Figure,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    plain,
    text,
)
from wirelab.report.sections.overview import state, unranked
from wirelab.report.sections.validity import reasons
from wirelab.report.tabulate import DASH, FigureColumn, contender_head, measured, unit_of
from wirelab.stats.ratio import ratio
from wirelab.words import numbers
from wirelab.words.series import series


def times(context: Context, parts: CellTable, number: int = 0) -> Section:
    """The figure that tells steps apart by contender, its ratio to the fastest, marks, and single
    users.
    """
    _ = context.words.gettext
    blocks: list[Block | Section] = []
    if told_by(parts.scenario) == ELAPSED and context.first("closed-steps"):
        blocks.append(
            Paragraph(
                plain(
                    _(
                        "The work of a step is fixed, so the time for it is the figure. It runs "
                        "from where everybody was connected and settled until the last operation "
                        "had ended; connecting is not part of it. Ranks with = are shared: "
                        "their holders are not told apart."
                    )
                )
            )
        )
    blocks.append(_told(context, parts))
    if len(parts.contenders) > 1:
        blocks.append(_ratios(parts))
    if said := _leads(context, parts):
        blocks.append(Bullets(said))
    blocks += _marks(context, parts)
    blocks += _joining(context, parts)
    blocks += _users(context, parts)
    return Section(title(parts), f"closed-{number}", tuple(blocks))


def overview(context: Context, parts: CellTable) -> tuple[Block, ...]:
    """The first screen: the verdicts of all steps in one table, and what follows from them."""
    _ = context.words.gettext
    first = state(context) if context.first("closed-overview") else ()
    blocks: list[Block] = [*first, Paragraph(plain(title(parts)))]
    blocks.append(_told(context, parts))
    lines = list(_leads(context, parts))
    lines += _not_ranked(context, parts)
    if not lines:
        lines = [unranked(context, parts.by_step)]
    blocks.append(Callout("neutral", _("What it means"), (Bullets(tuple(lines)),)))
    return tuple(blocks)


def heading(context: Context, parts: CellTable) -> str:
    """Title of the tables of a closed loop."""
    told = told_by(parts.scenario)
    if told == ELAPSED:
        return context.words.gettext("Time of each step")
    metric = context.naming.title(told)
    return context.words.gettext("{metric}, by step").format(metric=metric[0].upper() + metric[1:])


def _told(context: Context, parts: CellTable) -> Table:
    caption = heading(context, parts)
    return steps.across(parts, caption, told_column(parts))


def _not_ranked(context: Context, parts: CellTable) -> list[Text]:
    """Name the invalid contenders by step, with the reasons."""
    _ = context.words.gettext
    metric = told_by(parts.scenario)
    found: dict[str, dict[str, list[str]]] = {}
    for part in parts.by_step:
        for cell in part.cells:
            if cell.verdict is Verdict.INVALID and cell.usable(metric) is None:
                named = found.setdefault(reasons(context, cell), {})
                named.setdefault(context.name(cell.contender), []).append(part.title)
    everywhere = [part.title for part in parts.by_step]
    template = _("Not ranked, because the checks found them **invalid** ({why}): {names}.")
    return [
        text(
            template,
            why=why,
            names="; ".join(
                name if where == everywhere else f"{name}: {series(where)}"
                for name, where in named.items()
            ),
        )
        for why, named in found.items()
    ]


def _leads(context: Context, parts: CellTable) -> tuple[Text, ...]:
    """Name the best of each step; of steps of which the same is to be said, once."""
    found: dict[Text, list[str]] = {}
    for part in parts.columns:
        for said in remarks.leads(context, part, told_by(parts.scenario)):
            found.setdefault(said, []).append(part.title)
    return tuple((*plain(f"{series(titles)}: "), *said) for said, titles in found.items())


def _ratios(parts: CellTable) -> Table:
    """Contenders down, steps across: how many times as much as the least one of the step."""
    context, metric = parts.context, told_by(parts.scenario)
    fastest = {
        (part.step, alike.mode): _fastest(alike, metric)
        for part in parts.by_step
        for alike in part.by_mode
    }
    rows = []
    for name in parts.yardsticks_last:
        cells = [
            Absent(DASH)
            if found is None
            else _ratio(found, fastest[found.step, found.mode], metric)
            for part in parts.by_step
            for found in (part.cell(name),)
        ]
        rows.append(Row(Head(parts.label(name), None, context.colour(name)), tuple(cells)))
    columns = tuple(Column(part.title, "×") for part in parts.by_step)
    caption = context.words.gettext("{heading}, as a multiple of the fastest").format(
        heading=heading(context, parts)
    )
    return Table(caption, (context.words.gettext("contender"),), columns, (RowGroup(tuple(rows)),))


def _fastest(part: CellTable, metric: str) -> Cell | None:
    known = {cell.contender: usable_value(cell, metric) for cell in part.ranked}
    timed = {name: value for name, value in known.items() if value is not None}
    return part.cell(min(timed, key=lambda name: timed[name])) if timed else None


def _ratio(found: Cell, fastest: Cell | None, metric: str) -> Plain:
    own = usable_value(found, metric)
    base = usable_value(fastest, metric) if fastest else None
    if fastest is None or own is None or not base:
        return Absent(DASH)
    if found.id == fastest.id:
        return Figure("1")
    apart = ratio(found.metrics[metric], fastest.metrics[metric])
    interval = (apart.low, apart.high) if apart and apart.high < float("inf") else None
    times = apart.value if apart else own / base
    places = numbers.places_of(times, interval, precision_of(TIMES))
    shown = numbers.interval_text(interval, places) if interval else ""
    return Figure(numbers.number(times, places), shown)


def _marks(context: Context, parts: CellTable) -> list[Block]:
    """Times until so many operations were completed: a group of rows a step, a column a number."""
    _ = context.words.gettext
    tables = []
    for name, operation in parts.scenario.operations.items():
        columns = [FigureColumn(f"{name}.elapsed.{n}") for n in operation.marks]
        caption = _("{op}: time until so many were done").format(op=_(name))
        tables.append(
            _by_step(parts, caption, columns, lambda column: column.metric.split(".")[-1])
        )
    return [table for table in tables if table]


def _joining(context: Context, parts: CellTable) -> list[Block]:
    """Until everybody had joined, apart from the step and together with it."""
    _ = context.words.gettext
    headings = {"elapsed": _("everybody there"), "summed": _("with the step")}
    tables = []
    for name, operation in parts.scenario.operations.items():
        if operation.due == "join":
            columns = [FigureColumn(f"{name}.{what}") for what in ("elapsed", "elapsed.summed")]
            caption = _("{op}: time until everybody was there, and of the step").format(op=_(name))
            tables.append(
                _by_step(parts, caption, columns, lambda c: headings[c.metric.split(".")[-1]])
            )
    return [table for table in tables if table]


def _users(context: Context, parts: CellTable) -> list[Block]:
    """The first and the last user, and how evenly all of them were served."""
    _ = context.words.gettext
    headings = {"first": _("first user"), "last": _("last user"), "fairness": _("fairness")}
    tables = []
    for name, operation in parts.scenario.operations.items():
        if operation.due != "join":
            columns = [FigureColumn(f"{name}.{what}") for what in headings]
            caption = (
                _("{op}: the first and the last user, and fairness")
                if operation.due == "step"
                else _("{op}: the first and the last user")
            ).format(op=_(name))
            tables.append(
                _by_step(parts, caption, columns, lambda c: headings[c.metric.split(".")[-1]])
            )
    return [table for table in tables if table]


def _by_step(
    parts: CellTable,
    caption: str,
    columns: Sequence[FigureColumn],
    titled: Callable[[FigureColumn], str],
) -> Table | None:
    """Contenders down within their step, metrics across; None where nothing is known."""
    context = parts.context
    _ = context.words.gettext
    cells = [cell for part in parts.by_step for cell in part.cells]
    columns = [c for c in columns if any(c.metric in cell.metrics for cell in cells)]
    groups = [
        RowGroup(
            tuple(
                Row(
                    contender_head(context, cell, parts.label(cell.contender)),
                    tuple(_shown(context, cell, c) for c in columns),
                )
                for cell in part.cells
            ),
            Head(part.title),
        )
        for part in parts.by_step
        if any(c.metric in cell.metrics for cell in part.cells for c in columns)
    ]
    if not groups:
        return None
    titles = tuple(Column(titled(c), unit_of(cells, c).replace("ratio", "")) for c in columns)
    return Table(caption, (_("step"), _("contender")), titles, tuple(groups))


def _shown(context: Context, cell: Cell, column: FigureColumn) -> Plain:
    """A dash where the step does not ask for it."""
    return measured(context, cell, column) if column.metric in cell.metrics else Absent(DASH)

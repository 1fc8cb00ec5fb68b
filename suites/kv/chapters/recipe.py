"""One multi-get for all sets instead of one a set: what the study's recipe changes."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Table,
    cell,
    notes_for,
    paragraph,
    published_cell,
    ratio,
)

from .against import change_words, percent

STANDS = ("serving-untimed", "serving")
"""Scenarios that show it, the one nearer to the study's figures first."""

_GATHER, _SINGLE = "gather", "single"
_LEVELS = ("mean", "p95")
_PUBLISHED = "serving.{step}.p95"
"""The study has the p95 of both ways, and of no other level."""


def blocks(context: Context, scenario: str) -> list[Block]:
    """The table in the first of its scenarios that was run; none in others, and none where no
    client was measured in both ways."""
    grid = CellTable.first_of(context, *STANDS)
    if not grid or grid.scenario_name != scenario:
        return []
    clients = [
        name
        for name in grid.contenders
        if all(grid.cell(name, step) is not None for step in (_GATHER, _SINGLE))
    ]
    if not clients:
        return []
    _ = context.words.gettext
    said = _(
        "A call for all sets instead of a call for each. The study's page has the p95 of both, "
        "and leaves their difference to the reader: 19 % less for aerospike-py (234 and 189 ms), "
        "22 % more for the official client (266 and 324 ms). The “another −33 %” that it promises "
        "for the same step is of neither: its repository has it as the mean of aerospike-py in "
        "another run (189 and 126 ms), in which p95 falls by 30 %. So −33 % is judged by the mean."
    )
    columns = (
        *(Column(grid.step_title(step), "ms") for step in (_GATHER, _SINGLE)),
        Column(_("change")),
    )
    groups = tuple(_group(grid, name) for name in clients)
    caption = _("From nine calls to one: gather to single")
    table = Table(caption, (_("client"), ""), columns, groups, notes_for(context, groups))
    return [paragraph(said), table]


def _group(grid: CellTable, name: str) -> RowGroup:
    _ = grid.context.words.gettext
    rows = [
        Row(
            Head(_(level)),
            (
                *(grid.shown(name, step, _figure(level)) for step in (_GATHER, _SINGLE)),
                _measured(grid, name, level),
            ),
        )
        for level in _LEVELS
    ]
    return RowGroup((*rows, *_published(grid.context, name)), grid.head(name))


def _figure(level: str) -> FigureColumn:
    return FigureColumn(f"request.latency.{level}")


def _measured(grid: CellTable, name: str, level: str) -> Plain:
    metric = _figure(level).metric
    single, gather = (grid.metric(name, step, metric) for step in (_SINGLE, _GATHER))
    apart = ratio(single, gather) if single is not None and gather is not None else None
    return Absent(DASH) if apart is None else cell(change_words(apart))


def _published(context: Context, name: str) -> tuple[Row, ...]:
    """The study's own figures and what they differ by; none where it lacks one of them."""
    key, published = context.key_of(name), context.published
    if key is None or published is None:
        return ()
    places = [_PUBLISHED.format(step=step) for step in (_GATHER, _SINGLE)]
    gather, single = (published.figure(key, place) for place in places)
    if gather is None or single is None:
        return ()
    _ = context.words.gettext
    change = cell(f"{percent(float(single) / float(gather))} %")
    cells = (*(published_cell(context, key, FigureColumn(place)) for place in places), change)
    title = _("published, {level}").format(level="p95")
    return (Row(Head(title), cells, published=True),)

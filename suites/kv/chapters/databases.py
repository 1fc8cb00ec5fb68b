"""Choice of a database by shape of read: each by the client that this run ranks first in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Cell,
    CellTable,
    Column,
    Context,
    Head,
    Metric,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    WordsCell,
    advice,
    cell,
    figure,
    paragraph,
    plain,
    ratio,
    remarks,
)

_DATABASES = ("redis", "memcached", "postgresql")
"""Modes whose server is a database; that of Aerospike's clients here is a bench server."""


@dataclass(frozen=True)
class _Shape:
    """A shape of reads, and the figure that decides which database takes it best."""

    title: str
    scenario: str
    step: str
    metric: str
    figure: str
    lacking: str = ""
    """The reason why some databases cannot be read so."""


_SHAPES = (
    _Shape(
        N_("a key a call, one call at a time"),
        *("in-flight", "c1", "read.latency.p50", N_("p50, ms")),
    ),
    _Shape(N_("a key a call, 64 calls at once"), *("in-flight", "c64", "read.rate", N_("calls/s"))),
    _Shape(N_("50 keys a call"), *("client", "s1-k50", "read.latency.p50", N_("p50, ms"))),
    _Shape(N_("200 keys a call"), *("client", "s1-k200", "read.latency.p50", N_("p50, ms"))),
    _Shape(
        N_("200 keys of each of nine sets, behind ASGI"),
        *("asgi", "c5", "request.latency.p95", N_("p95, ms")),
    ),
    _Shape(
        N_("the same behind a model"),
        *("serving", "single", "request.latency.p95", N_("p95, ms")),
    ),
    _Shape(N_("single records, reads alone"), *("ycsb", "c", "ycsb.rate", N_("operations/s"))),
    _Shape(
        N_("single records, 95 % reads, the rest updates"),
        *("ycsb", "b", "ycsb.rate", N_("operations/s")),
    ),
    _Shape(
        N_("single records, 95 % reads of the latest"),
        *("ycsb", "d", "ycsb.rate", N_("operations/s")),
    ),
    _Shape(
        N_("single records that are read and changed"),
        *("ycsb", "f", "ycsb.rate", N_("operations/s")),
    ),
    _Shape(
        N_("ranges of keys"),
        *("ycsb-scan", "e", "ycsb.rate", N_("operations/s"), N_("keys have no order")),
    ),
)


def sections(context: Context) -> list[Section]:
    """A row a shape of which a database has clients in this run; none without any."""
    titles = {mode: context.mode_title(mode) for mode in _DATABASES if mode in context.result.modes}
    rows = tuple(row for shape in _SHAPES if (row := _row(context, shape, titles)) is not None)
    if not rows:
        return []
    _ = context.words.gettext
    said = _(
        "Each database with the figure of the client that this run ranks first in it, or of one of "
        "those that share that rank. A database is named first where the 95 % interval of the "
        "ratio to every other one lies beyond 1; all that are not told apart from the best are "
        "named. This holds for records that fit in memory, on one machine, and for what each of "
        "them keeps: Redis and memcached hold packed records under a key, PostgreSQL rows of "
        "typed columns, and none waits for a disk unless the conditions say so. Aerospike has no "
        "column, since its clients read from a bench server unless a cluster of your own is named."
    )
    columns = (
        Column(_("figure"), align="left"),
        *(Column(title) for title in titles.values()),
        Column(_("first choice"), align="left"),
    )
    caption = _("Which database for which shape of read")
    table = Table(caption, (_("shape of read"),), columns, (RowGroup(rows),))
    return [Section(caption, "databases", (paragraph(said), table))]


def _row(context: Context, shape: _Shape, titles: Mapping[str, str]) -> Row | None:
    _ = context.words.gettext
    here = CellTable.of(context, shape.scenario).at(shape.step)
    clients = {each.mode: each for each in here.peers if each.mode in titles}
    if not clients:
        return None
    best = {mode: _best(each, shape.metric) for mode, each in clients.items()}
    entries = tuple(
        _entry(clients[mode], best[mode], shape.metric)
        if mode in clients
        else Absent(_(shape.lacking) if shape.lacking else DASH)
        for mode in titles
    )
    known = {mode: one for mode in titles if (one := best.get(mode)) is not None}
    if len(known) < 2 and not shape.lacking:
        first: TableCell = Absent(_("nobody to compare with"))
    else:
        first = advice.chosen(context, tuple(titles[mode] for mode in _leading(here, known, shape)))
    return Row(Head(_(shape.title)), (cell(_(shape.figure)), *entries, first))


def _best(clients: CellTable, metric: str) -> Cell | None:
    """The cell with the best figure of those that share the first rank; of a client without
    company its own. None where nothing is told apart."""
    alone = advice.alone(clients, metric)
    if alone is not None:
        return alone
    names = (one.contender for one in remarks.leaders(clients, metric))
    highest = remarks.higher_is_better(clients, metric)
    ordered = clients.best_first(names, clients.step, metric, highest=highest)
    return clients.cell(ordered[0]) if ordered else None


def _entry(clients: CellTable, best: Cell | None, metric: str) -> Plain:
    """The figure and the client it is of, or why there is none."""
    context, _ = clients.context, clients.context.words.gettext
    if best is None:
        any_figure = any(one.usable(metric) is not None for one in clients.cells)
        why = _("one trial: nothing can be told apart") if any_figure else _("no valid figure")
        return Absent(why)
    shown = figure(best.metrics[metric])
    said = " ".join(part for part in (shown.number, shown.interval) if part)
    return WordsCell((plain(said), plain(context.name(best.contender))))


def _leading(here: CellTable, known: Mapping[str, Cell], shape: _Shape) -> list[str]:
    """The database with the best figure, and those that are not told apart from it."""
    highest = remarks.higher_is_better(here, shape.metric)
    figures = {mode: one.metrics[shape.metric] for mode, one in known.items()}
    if not figures:
        return []
    values = {mode: found.value or 0.0 for mode, found in figures.items()}
    best = (max if highest else min)(values, key=lambda mode: values[mode])
    return [mode for mode in figures if not _is_behind(figures[mode], figures[best], highest)]


def _is_behind(one: Metric, best: Metric, highest: bool) -> bool:
    """Whether the whole interval of the ratio says so; what nothing bounds is not told apart."""
    apart = ratio(one, best)
    return apart is not None and (apart.high < 1 if highest else apart.low > 1)

"""Choice of a contender by situation, with the figures it rests on and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    capacity_held,
    cell,
    notes_for,
    paragraph,
)

from .cells import ELAPSED, by_mode
from .streams import SCENARIOS, sent_each_second

Chosen = Callable[[Context, str], bool]


def _everybody(_context: Context, _name: str) -> bool:
    return True


def _without_broker(context: Context, name: str) -> bool:
    return context.mode_of(name) == "direct"


def _on_disk(context: Context, name: str) -> bool:
    return context.mode_of(name) == "persistent"


def _in_python(context: Context, name: str) -> bool:
    return context.language_of(name) == "Python"


@dataclass(frozen=True)
class _Situation:
    """A reader's situation, the figure that decides it, and what would change that."""

    title: str
    scenario: str
    step: str
    metric: str
    figure: str
    changes: str
    who: Chosen = _everybody
    highest: bool = False


_WARM = ("transfer-steady", "steady", "echo.latency.p50", N_("p50 of an echo, ms"))

_SITUATIONS = (
    _Situation(
        N_("lowest latency"),
        *_WARM,
        N_("a network between the two: each hop then costs the same to all"),
    ),
    _Situation(
        N_("no broker"),
        *("broadcast", "c300-m10", ELAPSED, N_("300 clients × 10 messages to all, s")),
        N_("who has to know whom: without a broker that is your program's work"),
        _without_broker,
    ),
    _Situation(
        N_("thousands of clients"),
        *("capacity-broadcast", "", "capacity.verified", N_("clients, all told within 60 s")),
        N_("a search that says ≥ ended before the contender did"),
        highest=True,
    ),
    _Situation(
        N_("most messages a second"),
        *("stream-10ms", "", "capacity.verified", N_("messages a second, p99 within 10 ms")),
        N_("a bound of 100 ms, for whatever gathers messages before it sends them"),
        highest=True,
    ),
    _Situation(
        N_("most messages a second, with 100 ms to spare"),
        *("stream-100ms", "", "capacity.verified", N_("messages a second, p99 within 100 ms")),
        N_("a log that is read again later, which Kafka keeps and the others do not"),
        highest=True,
    ),
    _Situation(
        N_("one feed for several readers"),
        *("stream-fan-out", "", "capacity.verified", N_("messages a second, each to four")),
        N_("a network that can multicast, for which Aeron is made: one packet serves all readers"),
        highest=True,
    ),
    _Situation(
        N_("least memory"),
        *("clients", "c300-all", "server.rss.max", N_("memory of server or broker, MB")),
        N_("the heap that a runtime is allowed, which is filled before it is cleared"),
    ),
    _Situation(
        N_("durable messages"),
        *_WARM,
        N_("the disk: each message waits for it once"),
        _on_disk,
    ),
    _Situation(
        N_("consumers that compete"),
        *("queue", "shared", "delivery.response.p99", N_("p99 until a message is worked on, ms")),
        N_("a consumer that dies: what it had is lost where nothing is acknowledged"),
    ),
    _Situation(
        N_("a program in Python"),
        *_WARM,
        N_("messages that come in batches, of which one call takes many"),
        _in_python,
    ),
)


def choice(context: Context) -> list[Section]:
    """A row a situation and kind of echo whose scenario was run; none without any."""
    groups = [group for one in _SITUATIONS if (group := _group(context, one)) is not None]
    if not groups:
        return []
    _ = context.words.gettext
    said = _(
        "For each situation the scenario that is most like it, and the best and the next valid "
        "figure of this run among contenders whose echo means the same. Whether two figures are "
        "told apart is said by the ranks of the scenario's own table."
    )
    columns = (
        Column(_("first"), align="left"),
        Column(_("figure")),
        Column(_("next"), align="left"),
        Column(_("figure")),
        Column(_("measured as"), align="left"),
        Column(_("what would change it"), align="left"),
    )
    stub = (_("situation"), _("echo"))
    notes = notes_for(context, groups)
    table = Table(_("Choice by situation"), stub, columns, tuple(groups), notes)
    return [Section(_("Choice by situation"), "choice", (paragraph(said), table))]


def _group(context: Context, one: _Situation) -> RowGroup | None:
    grid = CellTable.of(context, one.scenario).at(one.step)
    names = [name for name in grid.contenders if one.who(context, name)]
    names = [name for name in names if name not in context.references]
    if not names:
        return None
    modes = by_mode(context, names).items()
    rows = tuple(Row(Head(mode), _cells(grid, one, own)) for mode, own in modes)
    return RowGroup(rows, Head(context.words.gettext(one.title)))


def _cells(grid: CellTable, one: _Situation, names: Sequence[str]) -> tuple[TableCell, ...]:
    """The best and the next of a kind of echo."""
    _ = grid.context.words.gettext
    ordered = grid.best_first(names, one.step, one.metric, highest=one.highest)
    none: tuple[Plain, ...] = (Absent(_("no valid figure")), Absent(DASH))
    first = _entry(grid, one, ordered[0]) if ordered else none
    after = _entry(grid, one, ordered[1]) if len(ordered) > 1 else (Absent(DASH), Absent(DASH))
    return (*first, *after, cell(_(one.figure)), cell(_(one.changes)))


def _entry(grid: CellTable, one: _Situation, name: str) -> tuple[Plain, ...]:
    context = grid.context
    if one.metric == "capacity.verified":
        each = sent_each_second(grid) if grid.scenario_name in SCENARIOS else 1
        return cell(context.name(name)), capacity_held(context, grid.cell(name, one.step), each)
    return cell(context.name(name)), grid.shown(name, one.step, FigureColumn(one.metric))

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
    Figure,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    WordsCell,
    capacity_held,
    cell,
    paragraph,
    plain,
    text,
)

from .cells import ELAPSED, by_mode
from .streams import SCENARIOS, sent_each_second

Chosen = Callable[[Context, str], bool]

_VERIFIED = "capacity.verified"


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
        *("capacity-broadcast", "", _VERIFIED, N_("clients, all told within 60 s")),
        N_("a search that says ≥ ended before the contender did"),
        highest=True,
    ),
    _Situation(
        N_("most messages a second"),
        *("stream-10ms", "", _VERIFIED, N_("messages a second, p99 within 10 ms")),
        N_("a bound of 100 ms, for whatever gathers messages before it sends them"),
        highest=True,
    ),
    _Situation(
        N_("most messages a second, with 100 ms to spare"),
        *("stream-100ms", "", _VERIFIED, N_("messages a second, p99 within 100 ms")),
        N_("a log that is read again later, which Kafka keeps and the others do not"),
        highest=True,
    ),
    _Situation(
        N_("one feed for several readers"),
        *("stream-fan-out", "", _VERIFIED, N_("messages a second, each to four")),
        N_("a network that can multicast, for which Aeron is made: one packet serves all readers"),
        highest=True,
    ),
    _Situation(
        N_("least memory"),
        *("clients", "c300-all", "server.rss.max", N_("memory of server or broker, MB")),
        N_("the heap that a runtime is allowed, which is filled before it is collected"),
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
        "Each situation is judged by the scenario that is most like it, and contenders are ranked "
        "with those whose echo means the same. The table names those that share the first rank "
        "and the next one, with their valid figures. A contender that is not told apart from the "
        "first stands beside it. A contender without company has no rank."
    )
    columns = tuple(
        Column(title, align="left")
        for title in (_("first"), _("next"), _("measured as"), _("what would change it"))
    )
    stub = (_("situation"), _("echo"))
    table = Table(_("Choice by situation"), stub, columns, tuple(groups))
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
    """The best of a kind of echo and the next, as ranks tell them apart."""
    _ = grid.context.words.gettext
    ordered = grid.best_first(names, one.step, one.metric, highest=one.highest)
    after: TableCell = Absent(DASH)
    if not ordered:
        first: TableCell = Absent(_("no valid figure"))
    elif len(ordered) == 1:
        first = _entry(grid, one, ordered)
    elif not (ranked := _by_rank(grid, one, ordered)):
        first = Absent(_("not ranked in this run"))
    elif not _is_bounded(grid, one, ordered[0]):
        first = Absent(_("one trial: nothing can be told apart"))
    else:
        best, *behind = ranked
        first = _entry(grid, one, best)
        after = _entry(grid, one, behind[0]) if behind else after
    return (first, after, cell(_(one.figure)), cell(_(one.changes)))


def _is_bounded(grid: CellTable, one: _Situation, name: str) -> bool:
    """Whether the rank of a contender tells it apart from anybody. One search is enough: what it
    found is an interval of its own."""
    own = grid.cell(name, one.step)
    if one.metric == _VERIFIED:
        return True
    return own is not None and grid.context.rank_in(own, one.metric) is not None


def _by_rank(grid: CellTable, one: _Situation, ordered: Sequence[str]) -> list[list[str]]:
    """Contenders that share a rank, the best ones first."""
    found: dict[int, list[str]] = {}
    for name in ordered:
        own = grid.cell(name, one.step)
        if own is not None and one.metric in own.ranks:
            found.setdefault(own.ranks[one.metric], []).append(name)
    return [found[place] for place in sorted(found)]


def _entry(grid: CellTable, one: _Situation, names: Sequence[str]) -> WordsCell:
    """The contenders with their figures; that several are not told apart is said below them."""
    lines = [_line(grid, one, name) for name in names]
    if len(names) > 1:
        lines.append(plain(grid.context.words.gettext("(not told apart)")))
    return WordsCell(tuple(lines))


def _line(grid: CellTable, one: _Situation, name: str) -> Text:
    context = grid.context
    if one.metric == _VERIFIED:
        each = sent_each_second(grid) if grid.scenario_name in SCENARIOS else 1
        shown = capacity_held(context, grid.cell(name, one.step), each)
    else:
        shown = grid.shown(name, one.step, FigureColumn(one.metric))
    said = text("**{name}**", name=context.name(name))
    if isinstance(shown, Figure):
        said += plain(f" {shown.number} {shown.interval}".rstrip())
    return said

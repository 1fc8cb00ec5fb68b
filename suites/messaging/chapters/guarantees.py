"""Cost of a guarantee: pairs of contenders that differ in one thing."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Block,
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
    cell,
    multiple,
    paragraph,
)

from .cells import by_mode

PAIRS = (
    ("jms-artemis-persistent", "jms-artemis", N_("each message on disk before it is acknowledged")),
    (
        *("jms-artemis-persistent", "jms-artemis-persistent-unsynced"),
        N_("the disk's word for each message (fdatasync), the journal being alike"),
    ),
    (
        *("jms-artemis-persistent-unsynced", "jms-artemis"),
        N_("a journal that the operating system writes when it likes"),
    ),
    (
        *("go-nats-jetstream", "go-nats-jetstream-unsynced"),
        N_("the disk's word for each message (fsync), all else being alike"),
    ),
    ("jms-artemis-transacted", "jms-artemis", N_("a transaction for each message")),
    ("jms-artemis-responder", "jms-artemis", N_("an answer by another client: two hops more")),
    (
        *("jms-artemis-amqp", "jms-artemis-responder"),
        N_("an answer over AMQP, by a client that is none of JMS"),
    ),
    ("jms-artemis-jndi", "jms-artemis", N_("connection factory and queues looked up by JNDI")),
    ("jms-qpid", "jms-artemis", N_("AMQP instead of the broker's own protocol")),
    ("mqtt-qos1", "mqtt", N_("each message acknowledged (QoS 1)")),
    ("go-mqtt-qos1", "go-mqtt", N_("each message acknowledged (QoS 1)")),
    ("rabbitmq-confirmed", "rabbitmq", N_("publishing confirmed, receiving acknowledged")),
    (
        *("csharp-rabbitmq-confirmed", "csharp-rabbitmq"),
        N_("publishing confirmed, receiving acknowledged"),
    ),
    ("nats-request", "nats", N_("an answer by another client: two hops more")),
    ("go-nats", "nats", N_("Go instead of Java")),
    ("go-redis-pubsub", "redis-pubsub", N_("Go instead of Java")),
    ("go-mqtt", "mqtt", N_("Go instead of Java")),
    ("csharp-rabbitmq", "rabbitmq", N_("C# instead of Java")),
    ("python-nats", "nats", N_("Python instead of Java")),
    ("python-redis-pubsub", "redis-pubsub", N_("Python instead of Java")),
    ("python-mqtt", "mqtt", N_("Python instead of Java")),
    ("go-zeromq", "zeromq", N_("Go instead of Java")),
    ("rust-zeromq", "zeromq", N_("Rust instead of Java")),
    ("python-zeromq", "zeromq", N_("Python instead of Java")),
)
"""With, without, and what it is that only the first one has."""

_COUNTED = N_(
    "Whether a journal is synced is no matter of belief: the broker's calls of fsync and fdatasync "
    "are counted by strace. It stops the broker for each of them, so these trials are in no other "
    "figure. One client waits for every echo, so that none shares its sync with another: a message "
    "that is stored and synced has one call at least, its acknowledgement another one or none: "
    "with Artemis what is written within 500 µs shares one, with NATS JetStream only an atomic "
    "batch does. A broker that does not sync, or stores nothing, has none to an echo."
)
_LIES_ON = N_(
    "What is stored lies on the file system of the results: {file_systems}. Figures with the "
    "disk's word say what that disk takes for it; where a sync waits for no disk, as in memory "
    "(tmpfs), whoever waits for it has a warning, and storing looks cheaper than it is."
)
_SYNCS = (FigureColumn("echo.syncs"), FigureColumn("echo.error.count"))

STEP, METRIC = "steady", "echo.latency.p50"


def guarantees(context: Context) -> list[Section]:
    """Pairs with the times they differ by, and sync calls of journals; none without either."""
    _ = context.words.gettext
    told = [*_pairs(context), *_journals(context)]
    if not told:
        return []
    blocks = (*told, *_stored(context))
    return [Section(_("The cost of each guarantee"), "guarantees", blocks)]


def _stored(context: Context) -> list[Block]:
    """The file systems of what is stored, where anybody stores and they were recorded."""
    names = ", ".join(context.result.file_system_types)
    stores = any(context.mode_of(name).startswith("persistent") for name in context.measured)
    if not names or not stores:
        return []
    return [paragraph(context.words.gettext(_LIES_ON).format(file_systems=names))]


def _pairs(context: Context) -> list[Block]:
    """A row for each pair of which both took part."""
    _ = context.words.gettext
    grid = CellTable.of(context, "transfer-steady")
    rows = [
        Row(
            Head(_(what)),
            (
                cell(f"{context.name(costly)} / {context.name(plain_one)}"),
                grid.shown(costly, STEP, FigureColumn(METRIC)),
                grid.shown(plain_one, STEP, FigureColumn(METRIC)),
                _times(grid, costly, plain_one),
            ),
        )
        for costly, plain_one, what in PAIRS
        if grid.cell(costly, STEP) and grid.cell(plain_one, STEP)
    ]
    if not rows:
        return []
    said = _(
        "Each row compares two contenders that differ in one thing: median of an echo of 1,000 "
        "bytes of one client, warm. The ratio is what that thing costs."
    )
    columns = (
        Column(_("pair"), align="left"),
        Column(_("with"), "ms"),
        Column(_("without"), "ms"),
        Column(_("ratio"), "×"),
    )
    table = Table(_("The cost of a guarantee"), (_("what"),), columns, (RowGroup(tuple(rows)),))
    return [paragraph(said), table]


def _journals(context: Context) -> list[Block]:
    """Sync calls to an echo, by what a mode promises."""
    _ = context.words.gettext
    grid = CellTable.of(context, "journal")
    if not grid:
        return []
    groups = [
        RowGroup(
            tuple(
                Row(grid.head(name), tuple(grid.shown(name, STEP, one) for one in _SYNCS))
                for name in names
            ),
            Head(mode),
        )
        for mode, names in by_mode(context, grid.contenders).items()
    ]
    columns = (Column(_("sync calls to an echo")), Column(_("failed echoes")))
    stub = ("", _("contender"))
    table = Table(_("Sync calls of the broker"), stub, columns, tuple(groups))
    return [paragraph(_(_COUNTED)), table]


def _times(grid: CellTable, costly: str, plain_one: str) -> Plain:
    own, base = (grid.metric(name, STEP, METRIC) for name in (costly, plain_one))
    return multiple(own, base, 1)

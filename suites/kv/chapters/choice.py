"""Choice of a client by situation, as the ranks of this run tell clients apart."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.report.api import (
    N_,
    CellTable,
    Choice,
    Column,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    advice,
    claims,
    paragraph,
)


@dataclass(frozen=True)
class KvSituation:
    """A reader's situation, and the ranked figure that decides it."""

    title: str
    scenario: str
    step: str
    metric: str


_SITUATIONS = (
    KvSituation(
        N_("one process that reads multi-gets of 200 keys"),
        *("client", "s1-k200", "read.latency.p50"),
    ),
    KvSituation(N_("many nodes at a distance"), *("eight-nodes", "found-k200", "read.latency.p50")),
    KvSituation(N_("many callers at once"), *("in-flight", "c64", "read.rate")),
    KvSituation(N_("few connections, many callers"), *("connections-2", "c16", "read.rate")),
    KvSituation(N_("least processor time at a given rate"), *("client-paced", "k200", "cpu.mean")),
    KvSituation(
        N_("an asynchronous application without a model"), *("asgi", "c5", "request.latency.p95")
    ),
    KvSituation(N_("multi-gets behind a model"), *("serving", "single", "request.latency.p95")),
    KvSituation(N_("single records, mostly reads"), *("ycsb", "b", "ycsb.rate")),
    KvSituation(N_("single records, as many writes as reads"), *("ycsb", "a", "ycsb.rate")),
    KvSituation(N_("changes of what was read"), *("ycsb", "f", "ycsb.rate")),
    KvSituation(N_("ranges of keys"), *("ycsb-scan", "e", "ycsb.rate")),
)


def sections(context: Context) -> list[Section]:
    """A row a situation whose scenario was run, and a database; none without any."""
    groups = tuple(group for one in _SITUATIONS if (group := _group(context, one)) is not None)
    if not groups:
        return []
    _ = context.words.gettext
    said = _(
        "For each situation the scenario that is most like it, and for each database the clients "
        "that share the first rank of this run: who is not told apart from the first is named "
        "beside it. An invalid figure has no rank. Clients of unlike databases are never ranked "
        "together. Figures of Aerospike's clients are against a bench server and say nothing of a "
        "database."
    )
    columns = tuple(
        Column(title, align="left") for title in (_("first choice"), _("second"), _("grounds"))
    )
    stub = (_("situation"), _("database"))
    table = Table(_("Choice by situation"), stub, columns, groups)
    return [Section(_("Choice by situation"), "choice", (paragraph(said), table))]


def _group(context: Context, one: KvSituation) -> RowGroup | None:
    here = CellTable.of(context, one.scenario).at(one.step)
    if not here.peers:
        return None
    rows = tuple(_row(context, clients, one.metric) for clients in here.peers)
    return RowGroup(rows, Head(context.words.gettext(one.title)))


def _row(context: Context, clients: CellTable, metric: str) -> Row:
    choice = _choice(context, clients, metric)
    entries = (
        advice.chosen(context, choice.first),
        advice.chosen(context, choice.second),
        WordsCell((choice.grounds,)),
    )
    return Row(Head(clients.mode_title), entries)


def _choice(context: Context, clients: CellTable, metric: str) -> Choice:
    """By the ranks; of a client without company its figure, and no choice."""
    choice = advice.by_metric(context, clients, metric)
    alone = advice.alone(clients, metric)
    if choice.decided or alone is None:
        return choice
    said = context.words.gettext("{metric}: {client} alone has a valid figure, {figure}").format(
        metric=context.naming.title(metric),
        client=context.name(alone.contender),
        figure=claims.shown(alone.metrics[metric]),
    )
    return advice.undecided(said)

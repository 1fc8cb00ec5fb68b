"""Treatments of silence, of slow readers and of too many strokes: how each works, where it could
matter, the counts that prove it, and its ratio to the plain server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wirelab.report.api import (
    N_,
    Block,
    Bullets,
    Cell,
    CellTable,
    Context,
    Text,
    claims,
    paragraph,
    plain,
)

from . import ratios


@dataclass(frozen=True)
class Treatment:
    """A server that treats what a scenario does to it, and the plain one it is held against.

    ``counts`` are told of both; ``proof_count`` is the one that shows the treatment at work, or
    with ``by_load`` the load that it is meant for.
    """

    untreated: str
    treated: str
    about: tuple[str, str, str]
    counts: tuple[str, ...]
    proof_count: str
    shown: str
    not_shown: str
    ratios: tuple[str, ...]
    by_load: bool = False


_COST = ("total.cpu.mean", "total.rss.max")
_SHED = ("delivery.expected.count", "delivery.shed.count", "delivery.loss.count")
_SILENT = ("connect.silent.count", "connect.ended.count", "delivery.loss.count")
_TIMES = (
    *("rtt.response.p50", "rtt.response.p99"),
    *("delivery.response.p50", "delivery.response.p99"),
)
_REFUSED = ("connect.error.count", "delivery.expected.count", "delivery.loss.count")
_LEFT_OUT = N_("Strokes were left out and told: it was active.")
_NOT_LEFT_OUT = N_("Nothing was left out: it is not shown to have been active.")

TREATMENTS: Mapping[str, Treatment] = {
    "silent-peers": Treatment(
        "fastapi",
        "fastapi-pings",
        (
            N_(
                "Mechanism: a ping for each connection and second, and the end of a connection "
                "five seconds after a ping without an answer. What is ended costs no memory and "
                "no copies any more."
            ),
            N_(
                "Where it could matter: with so many who are gone that their connections and "
                "what is written to them count. With 200 of 10,000 they are 2 % of both, while "
                "pings go to everybody."
            ),
            N_(
                "Proof that it was active: connections of silent users that were ended are "
                "counted from the other side, and have to be more than with the plain server."
            ),
        ),
        _SILENT,
        "connect.ended.count",
        N_("Silent users were found by it: it was active."),
        N_("No silent users were found by it alone: it is not shown to have been active."),
        ("delivery.response.p95", "delivery.per.cpu", *_COST),
    ),
    "slow-readers": Treatment(
        "fastapi",
        "fastapi-gather",
        (
            N_(
                "Mechanism: with asyncio.gather who has drawn waits until every member has taken "
                "the stroke, so that one who stops reading holds up the board once the buffers "
                "of its socket are full. With a queue and a task for each member it holds up "
                "itself alone."
            ),
            N_(
                "Where it could matter: where a member stops reading while more is sent than the "
                "buffers of its socket hold: here 180 strokes of 6,000 B a second on each board "
                "fill them within seconds."
            ),
            N_(
                "Proof that it was active: both ways are functions of one program, of which the "
                "parameter `fan_out` names one. The count of silent users shows that there were "
                "members to wait for."
            ),
        ),
        _SILENT,
        "connect.silent.count",
        N_("Members stopped reading: the load that it meets was there."),
        N_("Nobody stopped reading: the load that it meets was not there."),
        ("delivery.response.p50", "delivery.response.p99", "delivery.per.cpu", *_COST),
        by_load=True,
    ),
    "shedding": Treatment(
        "node-ws",
        "node-ws-sampling",
        (
            N_(
                "Mechanism: of each user at most 20 strokes a second reach the others, of 60 that "
                "a pen makes. What is left out is not written to any socket, and told once a "
                "second instead."
            ),
            N_(
                "Where it could matter: where writing to sockets is most of the work, as on large "
                "boards with several pens. Below 20 strokes a second it does nothing."
            ),
            N_(
                "Proof that it was active: strokes left out are counted by what members were "
                "told they lack, beside those that were owed and those that were lost."
            ),
        ),
        _SHED,
        "delivery.shed.count",
        _LEFT_OUT,
        _NOT_LEFT_OUT,
        (*_TIMES, *_COST),
    ),
    "connection-limit": Treatment(
        "node-ws",
        "node-ws-limit",
        (
            N_(
                "Mechanism: who comes while 500 are connected is answered 503 in place of the "
                "handshake. That is one short answer for each of them, and no copies of strokes "
                "ever after."
            ),
            N_(
                "Where it could matter: where those who want in would fill the loop, so that "
                "everybody waits. With 500 users it refuses nobody; with 3,000 some 147,000 "
                "copies a second would be due."
            ),
            N_(
                "Proof that it was active: users who could not connect are counted by the "
                "generator. With 500 none should be, with 3,000 all beyond the first 500."
            ),
        ),
        _REFUSED,
        "connect.error.count",
        N_("Users were refused: it was active."),
        N_("No more were refused than by the plain server: it is not shown to have been active."),
        (*_TIMES, "delivery.per.cpu", *_COST),
    ),
    "overload": Treatment(
        "node-ws",
        "node-ws-overload",
        (
            N_(
                "Mechanism: a timer of 20 ms that was more than 50 ms late within the last second "
                "says that the event loop is behind. Until it no longer is, at most 20 strokes a "
                "second of each user reach the others."
            ),
            N_(
                "Where it could matter: where strokes come faster than the loop sends them on. A "
                "server with time left has nothing to leave out and pays for a timer."
            ),
            N_(
                "Proof that it was active: strokes left out are counted by what members were "
                "told they lack. With the whole machine none should be, with a share of a "
                "processor many."
            ),
        ),
        _SHED,
        "delivery.shed.count",
        _LEFT_OUT,
        _NOT_LEFT_OUT,
        (*_TIMES, *_COST),
    ),
}


def about(context: Context, scenario: str, *tables: CellTable) -> list[Block]:
    """Mechanism, load and proof of a scenario's treatment, and the counts of each table; nothing
    for a scenario that no server treats."""
    if (treatment := TREATMENTS.get(scenario)) is None:
        return []
    said = [plain(context.words.gettext(one)) for one in treatment.about]
    counted = (_counted(context, table, treatment) for table in tables)
    return [Bullets((*said, *(one for one in counted if one is not None)))]


def beside(context: Context, scenario: str, table: CellTable, title: str) -> list[Block]:
    """The ratio of the treated server to the plain one, or the reason why there is none."""
    _ = context.words.gettext
    if (treatment := TREATMENTS.get(scenario)) is None:
        return []
    names = (treatment.untreated, treatment.treated)
    missing = [claims.named(context, name) for name in names if table.cell(name) is None]
    if missing:
        said = _("{load}: ratio to the plain server: none, because {servers} did not take part.")
        return [paragraph(said.format(load=title, servers=", ".join(missing)))]
    treated = (treatment.treated,)
    return [ratios.to_untuned(table, title, treatment.untreated, treated, treatment.ratios)]


def _counted(context: Context, table: CellTable, treatment: Treatment) -> Text | None:
    """The counts of both servers and what they show; None where the treated one is missing."""
    _ = context.words.gettext
    treated, untreated = table.cell(treatment.treated), table.cell(treatment.untreated)
    if treated is None:
        return None
    if (why := claims.unusable(context, treated, treatment.proof_count)) is not None:
        said = _("Counted ({load}): nothing that would prove it: {server}: {reason}.")
        name = context.name(treatment.treated)
        return plain(said.format(load=load_of(table), server=name, reason=why))
    known = [_of_one(context, one, treatment) for one in (treated, untreated) if one is not None]
    verdict = treatment.shown if _is_shown(treated, untreated, treatment) else treatment.not_shown
    said = _("Counted ({load}): {counts}. {verdict}")
    return plain(said.format(load=load_of(table), counts="; ".join(known), verdict=_(verdict)))


def load_of(table: CellTable) -> str:
    """The load of a table: its variant, or its step."""
    variant = table.scenario.variants.get(table.variant)
    return variant.title.of(table.context.language) if variant else table.title


def _of_one(context: Context, found: Cell, treatment: Treatment) -> str:
    told = " · ".join(
        f"{context.naming.column_title(name)} {claims.shown(found.metrics[name])}"
        for name in treatment.counts
        if claims.unfit(context, found, name) is None
    )
    return f"{context.name(found.contender)}: {told or '–'}"


def _is_shown(treated: Cell, untreated: Cell | None, treatment: Treatment) -> bool:
    counts = [
        (one.metrics[treatment.proof_count].value or 0.0)
        if one is not None and treatment.proof_count in one.metrics
        else 0.0
        for one in (treated, untreated)
    ]
    return counts[0] > (0.0 if treatment.by_load else counts[1])

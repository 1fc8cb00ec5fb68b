"""Treatments of silence, of slow readers, of too many strokes and of too many users."""

from __future__ import annotations

from wirelab.report.api import N_

from . import connection_limits
from .treatment_kinds import COST, TIMES, Treatment

_SHED = ("delivery.expected.count", "delivery.shed.count", "delivery.loss.count")
_SILENT = ("connect.silent.count", "connect.ended.count", "delivery.loss.count")
_LEFT_OUT = N_("Strokes were left out and told: it was active.")
_NOT_LEFT_OUT = N_("Nothing was left out: it is not shown to have been active.")

TREATMENTS: tuple[Treatment, ...] = (
    Treatment(
        "silent-peers",
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
        ("delivery.response.p95", "delivery.per.cpu", *COST),
    ),
    Treatment(
        "slow-readers",
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
        ("delivery.response.p50", "delivery.response.p99", "delivery.per.cpu", *COST),
        by_load=True,
    ),
    Treatment(
        "shedding",
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
        (*TIMES, *COST),
    ),
    *connection_limits.LIMITS,
    Treatment(
        "overload",
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
        (*TIMES, *COST),
    ),
)

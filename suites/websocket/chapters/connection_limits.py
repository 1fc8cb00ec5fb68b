"""Limits of connections: in the server's own code, in its container, and in a proxy before it."""

from __future__ import annotations

from wirelab.report.api import N_

from .treatment_kinds import COST, TIMES, Treatment

_COUNTS = ("connect.error.count", "delivery.expected.count", "delivery.loss.count")
_PROOF = N_(
    "Proof that it was active: users who could not connect are counted by the "
    "generator. With 500 none should be, with 3,000 all beyond the first 500."
)


def _limit(untreated: str, treated: str, mechanism: str, matters: str) -> Treatment:
    return Treatment(
        "connection-limit",
        untreated,
        treated,
        (mechanism, matters, _PROOF),
        _COUNTS,
        "connect.error.count",
        N_("Users were kept out: it was active."),
        N_("No more were kept out than by the plain server: it is not shown to have been active."),
        (*TIMES, "delivery.per.cpu", *COST),
        outcomes="connect",
    )


LIMITS = (
    _limit(
        "node-ws",
        "node-ws-limit",
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
    ),
    _limit(
        "spring-websocket",
        "spring-websocket-limit",
        N_(
            "Mechanism: with 500 connections Tomcat accepts no more (`max-connections`). The "
            "kernel goes on: who comes then is connected, waits in its queue (`accept-count`) and "
            "is answered nothing until somebody leaves."
        ),
        N_(
            "Where it could matter: where memory and threads for connections are short. Nobody is "
            "told that there is no room: users wait until they give up, here after the 5 s of an "
            "operation, and Tomcat still has to take who gave up from the queue."
        ),
    ),
    _limit(
        "fastapi-nginx",
        "fastapi-nginx-limit",
        N_(
            "Mechanism: nginx counts requests under way (`limit_conn`), and a WebSocket is one for "
            "as long as it lasts. Who comes while 500 are there is answered 503 by nginx, and the "
            "server behind it hears nothing of it."
        ),
        N_(
            "Where it could matter: before a server that has no limit of its own, or before "
            "several that are to have one together. nginx takes every connection to answer it."
        ),
    ),
)

"""Streams that could be taken instead of WebSocket, beside it: of modes of their own, never ranked
together."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Block,
    Bullets,
    CellTable,
    Command,
    Context,
    FigureColumn,
    Section,
    paragraph,
    plain,
    steps,
)

from . import ratios
from .servers import with_operations

_SCENARIO = "streams"
_SOCKJS = "spring-stomp-sockjs"
_INSTEAD = {
    "fastapi": ("fastapi-sse",),
    "node-ws": ("node-sse", "node-grpc"),
    _SOCKJS: (f"{_SOCKJS}-eventsource", f"{_SOCKJS}-xhr-streaming", f"{_SOCKJS}-xhr"),
}
"""Servers that speak something else, by the one of the same framework that speaks WebSocket."""

_RATIOS = (
    *("rtt.response.p50", "rtt.response.p99", "delivery.response.p50", "delivery.response.p99"),
    *("delivery.per.cpu", "total.cpu.mean", "total.rss.max", "delivery.wire.ratio"),
)
_HARM = ("delivery.loss.count", "delivery.reorder.count", "connect.drop.count")
_ABOUT = (
    N_(
        "What it is: with server-sent events a response that does not end carries what a user "
        "gets, and each stroke of the user's is a request of its own. A user has two connections "
        "by HTTP/1.1, and a browser gives one site six at most, those of all tabs together."
    ),
    N_(
        "With gRPC a call carries messages both ways, on a connection of HTTP/2 for each user, as "
        "programs have it; a browser needs a proxy that translates. The messages hold the same "
        "texts of JSON, so that what carries them is all that differs."
    ),
    N_(
        "SockJS has three transports by HTTP/1.1 for clients that get no WebSocket, here from "
        "Spring's own server: events, a response that streams lines, and polling, which brings all "
        "messages that wait at once. A response ends after 128 KiB, or with polling at its first "
        "frame, and the next is asked for. They stand beside SockJS by WebSocket: the transport "
        "alone differs."
    ),
    N_(
        "What is the same: the boards, the schedule, the strokes that follow from a key which no "
        "server is told, and the ledger in which every copy is compared. A stroke counts from its "
        "intended time; while a request before it has no answer, it waits."
    ),
    N_(
        "What differs: nobody is ranked across these kinds, because they promise different "
        "things: a request is answered, a message of the other kinds is not. Bytes on the wire are "
        "those that users read, answers to their requests among them."
    ),
    N_(
        "Where it could matter: events where proxies let no WebSocket through, or where users get "
        "much and say little, since each stroke of theirs costs a request; calls between programs "
        "that have gRPC for other things already; SockJS by HTTP where users have no choice, and "
        "polling as the last resort."
    ),
)


def sections(context: Context, *, of_all: bool = True) -> list[Section]:
    """The section. Where it was not run it says how to get it, in a report of all."""
    _ = context.words.gettext
    found = CellTable.of(context, _SCENARIO)
    if not found and not of_all:
        return []
    blocks: list[Block | Section] = [Bullets(tuple(plain(_(said)) for said in _ABOUT))]
    if not found:
        blocks.append(paragraph(_("Not run this time. It takes:")))
        blocks.append(Command(f"./wl run websocket --scenario {_SCENARIO}"))
    for part in found.by_step:
        blocks += _at_a_step(context, part)
    return [Section(_("What could be taken instead of WebSocket"), "streams", tuple(blocks))]


def _at_a_step(context: Context, part: CellTable) -> list[Block]:
    columns = [FigureColumn(metric) for metric in (*_RATIOS, *_HARM)]
    blocks: list[Block] = [steps.side_by_side(part, part.title, with_operations(context, columns))]
    for socket, others in _INSTEAD.items():
        here = [name for name in others if part.cell(name) is not None]
        if here and part.cell(socket) is not None:
            blocks.append(ratios.to_untuned(part, part.title, socket, here, _RATIOS))
    return blocks

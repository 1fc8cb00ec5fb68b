"""Requests with their answers, from the messages that the witness found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from wirelab.model.span import Span
from wirelab.model.wire import Spoken, Wire, is_waited_for, protocol_of, service_of
from wirelab.witness.rows import UNKNOWN, Columns
from wirelab.witness.streams import NEVER, Streams

_OPC_TCP = "opc-tcp"
_MARKED = 2
"""A message whose copies have its number, and the digest of who sent it."""
_SESSION = "session"
_ACTIVATED = 470
"""Number of the answer by which a session is activated, in binary (OPC 10000-6, annex A)."""

_SERVICES: Mapping[str, Mapping[str, int]] = {
    # Numbers of the binary encodings of requests (OPC 10000-6, annex A).
    _OPC_TCP: {"read": 631, "write": 673, "publish": 826, "poll": 631},
    # Numbers of our own, of protocols whose commands have names.
    "resp": {"read": 1},
    "memcached": {"read": 1},
    "postgresql": {"read": 1},
    "aerospike": {"read": 1},
    "http": {"request": 1},
    "websocket": {"echo": _MARKED},
}

_IN_THE_CLEAR = frozenset({_OPC_TCP})
"""Protocols that scenarios ask to be spoken without encryption, where they are followed."""

_MESSAGE = int.from_bytes(b"MSG", "little")
_FINAL = ord("F")
_HELLO = int.from_bytes(b"HELF", "little")
_LETTERS = 0xFF_FFFF
"""Chunks of OPC UA: other kinds open and close channels, and a message may have several."""


@dataclass(frozen=True)
class Exchange:
    """A request and its answer."""

    connection: int
    request: int
    departed_ns: int
    """The first byte of the request; of what is waited for, that of the answer."""
    arrived_ns: int
    """The last byte of the answer; ``NEVER``: it was not seen."""
    items: int | None
    names: int
    """Digest of the names that are asked for; 0: it is not known."""
    size: int
    """Bytes of request and answer."""
    packets: int
    """With payload of either, as they departed."""
    asked: tuple[int, int] = (0, 0)
    answered: tuple[int, int] = (0, 0)
    """First byte of each in the stream of its way, and the one behind its last; equal: none."""


@dataclass
class _Half:
    begin: int
    end: int
    service: int
    items: int
    names: int
    whole: bool


@dataclass(frozen=True)
class Followed:
    """The exchanges of one service on all connections of a trial."""

    exchanges: Sequence[Exchange] = field(default_factory=tuple)
    unreadable: Sequence[Span] = field(default_factory=tuple)
    """By connection with messages that cannot be read: from the first of them to its last message,
    on CLOCK_MONOTONIC.
    """


def is_in_the_clear(wire: Wire, spoken: Spoken | None) -> bool:
    """Whether nothing that the scenario asks for is encrypted."""
    return protocol_of(wire, spoken) in _IN_THE_CLEAR


def followed(
    packets: Columns, messages: Columns, wire: Wire, spoken: Spoken | None = None
) -> Followed:
    """The exchanges of a service, by connection and the numbers of their requests. ``spoken`` is
    the protocol by which keys were read.
    """
    streams = Streams(packets)
    if service_of(wire) == _SESSION:
        opened = (_opened(*one, streams) for one in _chunks(messages).items())
        return Followed(sorted(opened, key=lambda one: one.departed_ns))
    protocol = protocol_of(wire, spoken)
    has_chunks, service = protocol == _OPC_TCP, _SERVICES[protocol][service_of(wire)]
    halves: dict[tuple[int, int, int], dict[int, _Half]] = {}
    names = ("connection", "way", "position", "length", "kind", "request", "service", "items")
    columns = [messages[name].tolist() for name in (*names, "readable", "monotonic_ns")]
    unreadable: dict[int, Span] = {}
    for connection, way, position, length, kind, request, asked, items, readable, at_ns in zip(
        *columns, strict=True
    ):
        is_message = not has_chunks or kind & _LETTERS == _MESSAGE
        if connection in unreadable or (is_message and not readable):
            since_ns, _ = unreadable.get(connection, (at_ns, at_ns))
            unreadable[connection] = since_ns, at_ns
        if not (is_message and readable):
            continue
        named = 0 if has_chunks else kind
        sender = named if asked == _MARKED else 0
        own = halves.setdefault((connection, request, sender), {})
        if asked == _MARKED and way in own:
            continue  # the first copy is the answer
        half = own.setdefault(way, _Half(position, position, asked, items, named, whole=False))
        half.end = position + length
        half.whole = not has_chunks or kind >> 24 == _FINAL
    exchange = _waited_for if is_waited_for(wire) else _exchange
    found = (
        exchange(connection, request, own, streams)
        for (connection, request, _), own in halves.items()
        if 0 in own and own[0].service == service
    )
    return Followed(sorted(found, key=lambda one: one.departed_ns), [*unreadable.values()])


class Chunk(NamedTuple):
    """A chunk of one direction of a connection."""

    way: int
    begin: int
    """Its first byte in the stream of that way."""
    end: int
    """The byte behind its last one."""
    service: int
    readable: int


def _chunks(messages: Columns) -> dict[int, dict[int, list[Chunk]]]:
    """By connection and kind: the chunks, encrypted ones as well, in their order."""
    found: dict[int, dict[int, list[Chunk]]] = {}
    names = ("connection", "kind", "way", "position", "length", "service", "readable")
    columns = [messages[name].tolist() for name in names]
    for connection, kind, way, begin, length, service, readable in zip(*columns, strict=True):
        own = found.setdefault(connection, {}).setdefault(kind, [])
        own.append(Chunk(way, begin, begin + length, service, readable))
    return found


def _opened(connection: int, chunks: Mapping[int, Sequence[Chunk]], streams: Streams) -> Exchange:
    """A session as an exchange: from the first packet of its connection to the answer that tells
    that it is activated. Where answers are encrypted that is the second one. A connection for
    something else never has that.
    """
    hello = next((chunk.end for chunk in chunks.get(_HELLO, ())), 0)
    answers = [chunk for chunk in chunks.get(_MESSAGE | _FINAL << 24, ()) if chunk.way == 1]
    told = [chunk for chunk in answers if chunk.readable and chunk.service == _ACTIVATED]
    hidden = [] if any(chunk.readable for chunk in answers) else answers[1:]
    activated = next(iter((*told, *hidden)), None)
    begin, end = (activated.begin, activated.end) if activated else (0, 0)
    return Exchange(
        connection=connection,
        request=1,
        departed_ns=streams.begun(connection),
        arrived_ns=streams.at(connection, 1, 1, end) if activated else NEVER,
        items=1,
        names=0,
        size=end,
        packets=streams.count(connection, 1, 0, end),
        asked=(0, hello),
        answered=(begin, end),
    )


def _exchange(connection: int, request: int, own: dict[int, _Half], streams: Streams) -> Exchange:
    asked, answer = own[0], own.get(1)
    whole = answer is not None and answer.whole
    size, packets = asked.end - asked.begin, streams.count(connection, 0, asked.begin, asked.end)
    if answer is not None:
        size += answer.end - answer.begin
        packets += streams.count(connection, 1, answer.begin, answer.end)
    return Exchange(
        connection=connection,
        request=request,
        departed_ns=streams.at(connection, 0, 0, asked.begin + 1),
        arrived_ns=streams.at(connection, 1, 1, answer.end) if answer and whole else NEVER,
        items=_known(asked.items),
        names=asked.names,
        size=size,
        packets=packets,
        asked=(asked.begin, asked.end),
        answered=(answer.begin, answer.end) if answer else (0, 0),
    )


def _waited_for(connection: int, request: int, own: dict[int, _Half], streams: Streams) -> Exchange:
    """An exchange from the departure of its answer on; how much it tells of may be said there."""
    one = _exchange(connection, request, own, streams)
    if one.arrived_ns == NEVER:
        return one
    departed_ns = streams.at(connection, 1, 0, own[1].begin + 1)
    items = one.items if one.items is not None else _known(own[1].items)
    return replace(one, departed_ns=departed_ns, items=items)


def _known(items: int) -> int | None:
    return None if items == UNKNOWN else items

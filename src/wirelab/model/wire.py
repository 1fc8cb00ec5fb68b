"""Protocols that the witness of the wire can follow, and services of theirs."""

from __future__ import annotations

from typing import Literal

from wirelab.model.units import Strict

Wire = Literal[
    "opc-tcp:read",
    "opc-tcp:write",
    "opc-tcp:publish",
    "opc-tcp:poll",
    "opc-tcp:session",
    "keys:read",
    "http:request",
    "websocket:echo",
]
"""PROTOCOL:SERVICE of an operation; ``keys``: the protocol is the one that the service `speaks`."""

Spoken = Literal["resp", "memcached", "postgresql", "aerospike"]
"""Protocols by which keys are read."""

_OF_KEYS = "keys"
_WAITED_FOR = frozenset({"publish", "poll"})
_SCHEMES = {"http": "http:", "websocket": "ws:"}


class WitnessRecord(Strict):
    """Outcome of the witness of one trial."""

    failure: str = ""
    """The reason why it did not look until the end; empty: it did."""
    packets: int = 0
    dropped: int = 0
    """Packets that the kernel had no room for."""
    left_out: int = 0
    """Rows of packets and messages that its file had no room for."""
    spoken: Spoken | None = None
    """The protocol by which keys were read; None: none was, or it cannot be followed."""


def protocol_of(wire: Wire, spoken: Spoken | None) -> str:
    """The protocol of an operation's messages; empty: it cannot be followed."""
    protocol = wire.partition(":")[0]
    return (spoken or "") if protocol == _OF_KEYS else protocol


def is_spoken_at(endpoint: str, protocol: str) -> bool:
    """Whether a protocol may be spoken at an endpoint: those of others are not looked at."""
    return endpoint.startswith(_SCHEMES.get(protocol, ""))


def service_of(wire: Wire) -> str:
    """The service that an operation asks its server for."""
    return wire.partition(":")[2]


def is_waited_for(wire: Wire) -> bool:
    """Whether an operation waits for an answer that tells of what happens at its intended time,
    whenever that was asked for: it is the answer that has to depart after that.
    """
    return service_of(wire) in _WAITED_FOR

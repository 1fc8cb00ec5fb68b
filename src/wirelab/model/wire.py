"""Protocols that the witness of the wire can follow, and services of theirs."""

from __future__ import annotations

from typing import Literal

from wirelab.model.units import Strict

Wire = Literal["opc-tcp:read", "opc-tcp:write"]
"""PROTOCOL:SERVICE of an operation."""


class WitnessRecord(Strict):
    """Outcome of the witness of one trial."""

    failure: str = ""
    """Why it did not look until the end; empty: it did."""
    packets: int = 0
    dropped: int = 0
    """Packets that the kernel had no room for."""


def protocol_of(wire: Wire) -> str:
    """The protocol of an operation's messages."""
    return wire.partition(":")[0]

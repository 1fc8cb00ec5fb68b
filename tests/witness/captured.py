"""A reader of pcapng, by the description of the format: what Wireshark would find."""

from __future__ import annotations

import struct
from dataclasses import dataclass

COMMENT = 1


@dataclass(frozen=True)
class Captured:
    """One packet of a file."""

    stamp_ns: int
    data: bytes
    length: int
    comments: list[str]
    outbound: bool


def blocks(content: bytes) -> list[tuple[int, bytes]]:
    """Kind and body of each block; both lengths of a block are looked at."""
    found, at = [], 0
    while at < len(content):
        kind, length = struct.unpack_from("<II", content, at)
        assert length % 4 == 0
        assert struct.unpack_from("<I", content, at + length - 4) == (length,)
        found.append((kind, content[at + 8 : at + length - 4]))
        at += length
    assert at == len(content)
    return found


def options(body: bytes) -> list[tuple[int, bytes]]:
    """Codes and values up to the end of options."""
    found, at = [], 0
    while True:
        code, length = struct.unpack_from("<HH", body, at)
        at += 4
        if code == 0:
            assert (length, at) == (0, len(body))
            return found
        found.append((code, body[at : at + length]))
        at += length + -length % 4


def packets(content: bytes) -> list[Captured]:
    """Packets of a file with one section and one interface of Ethernet whose stamps are in ns."""
    (section, head), (interface, described), *rest = blocks(content)
    assert (section, interface) == (0x0A0D0D0A, 1)
    assert struct.unpack_from("<IHHq", head) == (0x1A2B3C4D, 1, 0, -1)
    assert struct.unpack_from("<HHI", described) == (1, 0, 0)
    assert (9, b"\x09") in options(described[8:])
    return [_packet(body) for kind, body in rest if kind == 6]


def _packet(body: bytes) -> Captured:
    _, high, low, kept, length = struct.unpack_from("<IIIII", body)
    found = options(body[20 + kept + -kept % 4 :])
    (flags,) = (struct.unpack("<I", value)[0] for code, value in found if code == 2)
    return Captured(
        stamp_ns=high << 32 | low,
        data=body[20 : 20 + kept],
        length=length,
        comments=[value.decode() for code, value in found if code == COMMENT],
        outbound=flags & 3 == 2,
    )

"""Frames that the witness kept, as a file that Wireshark opens.

Blocks and options are those of "PCAP Next Generation (pcapng) Capture File Format" of the IETF's
working group opsawg: a section, the loopback, and a block for each frame with its comments.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from wirelab.samples import regular_file
from wirelab.samples.replacing import replacing

FILE = "packets.pcapng"

FRAME = struct.Struct("<QQIIIIBB6x")
"""Before each frame that ``crates/witness/src/frames.rs`` writes: stamp (time of day, ns), position
of its payload in the stream, number of the connection, bytes on the wire, bytes kept, bytes of
payload, way and side."""

_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6
_BYTE_ORDER, _MAJOR, _MINOR, _UNKNOWN_LENGTH = 0x1A2B3C4D, 1, 0, -1
_ETHERNET = 1
_COMMENT, _FLAGS, _NAME, _RESOLUTION, _APPLICATION = 1, 2, 2, 9, 4
_NANOSECONDS = b"\x09"
_INBOUND, _OUTBOUND = 1, 2


@dataclass(frozen=True)
class Comment:
    """Words about the bytes of a stream from ``begin`` to ``end``."""

    connection: int
    way: int
    begin: int
    end: int
    words: str


class Comments:
    """Comments by the bytes that they are about."""

    def __init__(self, comments: Iterable[Comment] = ()) -> None:
        self._of: dict[tuple[int, int], list[Comment]] = {}
        for one in sorted(comments, key=lambda one: one.end):
            self._of.setdefault((one.connection, one.way), []).append(one)

    def about(self, connection: int, way: int, begin: int, end: int) -> Iterator[str]:
        """Find those about any of these bytes."""
        known = self._of.get((connection, way), [])
        first = bisect_left(known, begin + 1, key=lambda one: one.end)
        for one in known[first:]:
            if one.begin >= end:
                return
            yield one.words


def write(frames: IO[bytes], path: Path, comments: Comments) -> None:
    """Write all frames, from the first one on, to ``path``."""
    # A role may have put a folder in its place.
    regular_file.clear(path)
    frames.seek(0)
    with replacing(path) as file:
        file.write(_section())
        file.write(_loopback())
        while len(header := frames.read(FRAME.size)) == FRAME.size:
            stamp, position, connection, length, kept, payload, way, side = FRAME.unpack(header)
            frame = frames.read(kept)
            if len(frame) < kept:
                return  # cut off where the witness was ended
            said = comments.about(connection, way, position, position + payload)
            flags = struct.pack("<I", _INBOUND if side else _OUTBOUND)
            options = [(_FLAGS, flags), *((_COMMENT, words.encode()) for words in said)]
            body = struct.pack("<IIIII", 0, stamp >> 32, stamp & 0xFFFFFFFF, kept, length)
            file.write(_block(_PACKET, body + _padded(frame) + _options(options)))


def _section() -> bytes:
    body = struct.pack("<IHHq", _BYTE_ORDER, _MAJOR, _MINOR, _UNKNOWN_LENGTH)
    return _block(_SECTION, body + _options([(_APPLICATION, b"wirelab")]))


def _loopback() -> bytes:
    named = [(_NAME, b"lo"), (_RESOLUTION, _NANOSECONDS)]
    return _block(_INTERFACE, struct.pack("<HHI", _ETHERNET, 0, 0) + _options(named))


def _block(kind: int, body: bytes) -> bytes:
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


def _options(options: Iterable[tuple[int, bytes]]) -> bytes:
    written = (struct.pack("<HH", code, len(value)) + _padded(value) for code, value in options)
    return b"".join(written) + bytes(4)


def _padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % 4)

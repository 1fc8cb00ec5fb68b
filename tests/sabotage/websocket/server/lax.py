"""Whiteboards that keep the suite's messages and break the protocol below them, in one way each."""

from __future__ import annotations

import json
import re
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from deviations import DRAWN, PREFLIGHT_CONNECTIONS, SomeDeliveries
from whiteboard import Member, Whiteboard
from wire import PING, PONG, Frames, framed

_MASKED, _COMPRESSED = 0x80, 0x40
_KEY_BYTES = 4
_BUSY_S = 0.05
"""A member that was sent something so shortly before is busy with it."""
_DIGEST = re.compile(rb"(?<=Sec-WebSocket-Accept: )\S+")


class AnswersPingsEmptily(Whiteboard):
    """Says that it is there, and not what it was asked with."""

    def ping(self, member: Member, payload: bytes) -> None:
        self.done["emptied"] += 1
        member.transport.write(framed(b"", PONG))


class ReadsAnyBytes(Whiteboard):
    """Takes whatever bytes a text has, and sends them on as they are."""

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(text.decode("latin-1"))
        self.done["unlooked"] += 1
        return message


class _ForgetfulFrames(Frames):
    """Lets go of a message that has begun when a ping comes."""

    def __init__(self, done: Counter[str]) -> None:
        super().__init__()
        self._done = done

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        for opcode, payload in super().feed(data):
            if opcode == PING:
                self._done["forgotten"] += bool(self._parts)
                self._begun, self._parts = 0, b""
            yield opcode, payload


class ForgetsFramesAtPings(Whiteboard):
    """Joins frames, unless a ping comes between them."""

    def frames(self) -> Frames:
        return _ForgetfulFrames(self.done)


class AcceptsWithoutADigest(Whiteboard):
    """Answers each handshake alike, which spares it a digest."""

    def __init__(self) -> None:
        super().__init__()
        self._come = 0

    def upgrade(self, member: Member, answer: bytes) -> None:
        self._come += 1
        if self._come > PREFLIGHT_CONNECTIONS:
            self.done["alike"] += 1
            answer = _DIGEST.sub(b"c3BhcmVkIGEgZGlnZXN0IGhlcmU=", answer)
        super().upgrade(member, answer)


class MasksItsFrames(SomeDeliveries):
    """Masks one in 500, as clients alone do, by a key that changes nothing."""

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["masked"] += 1
        head = framed(text)[: -len(text)]
        masked = bytes([head[0], head[1] | _MASKED]) + head[2:] + bytes(_KEY_BYTES)
        receiver.transport.write(masked + text)
        return True


class CompressesUnasked(SomeDeliveries):
    """Compresses one in 500 without having agreed on it."""

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["compressed"] += 1
        deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        # Without its end, as the extension has it.
        packed = (deflater.compress(text) + deflater.flush(zlib.Z_SYNC_FLUSH))[:-4]
        frame = framed(packed)
        receiver.transport.write(bytes([frame[0] | _COMPRESSED]) + frame[1:])
        return True


class SkipsTheBusy(Whiteboard):
    """Sends nothing to a member that it has just sent something: the next stroke will do."""

    def __init__(self) -> None:
        super().__init__()
        self._served: dict[Member, float] = {}

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        now = time.monotonic()
        others = receiver.board != self.first_board and receiver.user != message["user"]
        since = now - self._served.get(receiver, 0.0)
        if others and message["seq"] < DRAWN and since < _BUSY_S:
            self.done["lost"] += 1
            return
        self._served[receiver] = now
        super().deliver(receiver, message, text)


LAX: dict[str, type[Whiteboard]] = {
    "answers-pings-emptily": AnswersPingsEmptily,
    "reads-any-bytes": ReadsAnyBytes,
    "forgets-frames-at-pings": ForgetsFramesAtPings,
    "accepts-without-a-digest": AcceptsWithoutADigest,
    "masks-its-frames": MasksItsFrames,
    "compresses-unasked": CompressesUnasked,
    "skips-the-busy": SkipsTheBusy,
}

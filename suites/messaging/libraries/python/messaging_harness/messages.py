"""Messages between users; ``README.md`` of the suite defines them."""

from __future__ import annotations

import struct
import zlib

HEADER = 32

_MAGIC = 0x314D4C57
_POOL = 1 << 16
_HEAD = struct.Struct("<IIQQQ")
_TIMES = struct.Struct("<QQ")
_TIMES_AT = 16


class Messages:
    """The messages of a trial: their payload follows from its seed."""

    def __init__(self, seed: int) -> None:
        salt = seed * 40503
        once = bytes(
            (((i + 1) * 0x9E3779B1 + salt) & 0xFFFFFFFF) >> 16 & 0xFF for i in range(_POOL)
        )
        self._pool = once * 2

    def compose(self, user: int, sequence: int, size: int) -> bytearray:
        """A message of ``size`` bytes, at least ``HEADER``, without its times."""
        head = _HEAD.pack(_MAGIC, user, sequence, 0, 0)
        return bytearray(head + self._payload(user, sequence, size - HEADER))

    def is_intact(self, message: bytes, user: int, sequence: int, size: int) -> bool:
        """Whether it is the one that ``user`` sent as ``sequence``, each byte of it."""
        if len(message) != max(size, HEADER):
            return False
        magic, sender, number, _, _ = _HEAD.unpack_from(message)
        return bool(
            magic == _MAGIC
            and sender == user
            and number == sequence
            and memoryview(message)[HEADER:] == self._payload(user, sequence, size - HEADER)
        )

    def _payload(self, user: int, sequence: int, length: int) -> bytes | memoryview:
        start = (sequence * 97 + user * 389) % _POOL
        if length <= _POOL:
            return memoryview(self._pool)[start : start + max(0, length)]
        cycle = self._pool[start : start + _POOL]
        return (cycle * (length // _POOL + 1))[:length]


def stamp_sent(message: bytearray, sent_ns: int, due_ns: int) -> None:
    """Write when the message is sent, and for a broadcast when it was due."""
    _TIMES.pack_into(message, _TIMES_AT, sent_ns, due_ns)


def head_of(message: bytes) -> tuple[int, int, int, int] | None:
    """User, sequence, sent and served (or due) time; None for what is no message of ours."""
    if len(message) < HEADER:
        return None
    magic, user, sequence, sent_ns, served_ns = _HEAD.unpack_from(message)
    return (user, sequence, sent_ns, served_ns) if magic == _MAGIC else None


def answer_of(message: bytes) -> dict[str, object]:
    """Entry of an echo in the answers file."""
    user, sequence, _, served_ns = head_of(message) or (-1, -1, 0, 0)
    sum_ = zlib.crc32(message[:_TIMES_AT] + bytes(_TIMES.size) + message[HEADER:])
    return {
        "user": user,
        "sequence": sequence,
        "size": len(message),
        "crc32": f"{sum_:08x}",
        "served_ns": served_ns,
    }

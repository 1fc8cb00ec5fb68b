"""Messages between users; ``README.md`` of the suite defines them."""

from __future__ import annotations

import hashlib
import struct
import zlib

HEADER = 32

_MAGIC = 0x314D4C57
_POOL = 1 << 16
_WORD = 8
_OF_WORD = struct.Struct("<IQ")
_KEPT = 1024
"""Users of whom a digest is kept, each in a place of its own where there are no more."""
_HEAD = struct.Struct("<IIQQQ")
_TIMES = struct.Struct("<QQ")
_TIMES_AT = 16


class Messages:
    """The messages of a trial: their payload follows from its key and its seed."""

    def __init__(self, seed: int, key: bytes = b"") -> None:
        self._root = hashlib.sha512(key + seed.to_bytes(8, "little"))
        numbers = range(_POOL // self._root.digest_size)
        once = b"".join(self._digest(number.to_bytes(4, "little")) for number in numbers)
        self._pool = once * 2
        self._kept: list[tuple[int, int, bytes]] = [(-1, -1, b"")] * _KEPT

    def _digest(self, of: bytes) -> bytes:
        digest = self._root.copy()
        digest.update(of)
        return digest.digest()

    def _word(self, user: int, sequence: int) -> bytes:
        """The beginning of a payload. Eight in a row are of one digest, which is kept."""
        block, at = sequence >> 3, (sequence & 7) * _WORD
        kept = self._kept[user % _KEPT]
        if kept[0] != user or kept[1] != block:
            kept = (user, block, self._digest(_OF_WORD.pack(user, block)))
            self._kept[user % _KEPT] = kept
        return kept[2][at : at + _WORD]

    def compose(self, user: int, sequence: int, size: int) -> bytearray:
        """A message of ``size`` bytes, at least ``HEADER``, without its times."""
        word = self._word(user, sequence)
        head = _HEAD.pack(_MAGIC, user, sequence, 0, 0)
        payload = word + self._rest(word, size - HEADER)
        return bytearray(head + payload[: max(0, size - HEADER)])

    def is_intact(self, message: bytes, user: int, sequence: int, size: int) -> bool:
        """Whether it is the one that ``user`` sent as ``sequence``, each byte of it."""
        if len(message) != max(size, HEADER):
            return False
        magic, sender, number, _, _ = _HEAD.unpack_from(message)
        if magic != _MAGIC or sender != user or number != sequence:
            return False
        word = self._word(user, sequence)
        begins = message[HEADER : HEADER + _WORD]
        return begins == word[: len(begins)] and message[HEADER + _WORD :] == self._rest(
            word, size - HEADER
        )

    def _rest(self, word: bytes, length: int) -> bytes:
        """A payload of ``length`` bytes without the word that it begins with."""
        start = word[0] | word[1] << 8
        if length <= _POOL:
            return self._pool[start + _WORD : start + max(_WORD, length)]
        cycle = self._pool[start : start + _POOL]
        return (cycle * (length // _POOL + 1))[_WORD:length]


def stamp_sent(message: bytearray, sent_ns: int, due_ns: int) -> None:
    """Write when the message is sent, and for a broadcast when it was due."""
    _TIMES.pack_into(message, _TIMES_AT, sent_ns, due_ns)


def head_of(message: bytes) -> tuple[int, int, int, int] | None:
    """User, sequence, sent and served (or due) time; None for what is no message of ours."""
    if len(message) < HEADER:
        return None
    magic, user, sequence, sent_ns, served_ns = _HEAD.unpack_from(message)
    return (user, sequence, sent_ns, served_ns) if magic == _MAGIC else None


def whole(message: bytes) -> bytes:
    """Plain bytes of what a library hands over. Taken before the time is read, so that nothing of
    it is fetched when somebody looks into it later."""
    return message if type(message) is bytes else bytes(message)


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

"""Recomputes every message whose echo was written: who sent it, which one it is, each byte of it.

The content of a message is defined below, once more than in the clients. Standard
library only: the core loads this file by path.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_FINDINGS = 20
HEADER = 32
MAGIC = 0x314D4C57
POOL = 1 << 16
WORD = 8
U32 = 0xFFFFFFFF

Json = Mapping[str, Any]


def verify(spec: Json, facts: Json, answers: Iterable[Json]) -> list[str]:
    """Findings in plain language, at most 20; none when every answer is right.

    ``facts`` are those of the server: where it ``stamps`` its answers, the time of each must lie
    within its call. Who says a wrong password has no answer at all.
    """
    contents = _Contents(spec)
    sizes = _sizes(spec)
    stamps = any(said.get("stamps") for said in (facts, *spec.get("facts", {}).values()))
    shut_out = spec["parameters"].get("credentials") == "wrong"
    findings: list[str] = []
    seen: set[tuple[int, int]] = set()
    for given in answers:
        where = f"{given['phase']} {given['operation']} {given['tick']}"
        if (answer := _read(given["answer"])) is None:
            findings.append(f"{where}: not an answer of this suite: {given['answer']!r:.200}")
        else:
            wanted = sizes.get(given["tick"] if given["phase"] == "measure" else -1, sizes[-1])
            findings += (f"{where}: {what}" for what in _wrong(answer, contents, wanted))
            if shut_out:
                findings.append(f"{where}: answered, though the password to be said is a wrong one")
            if stamps and not given["start_ns"] <= answer.served_ns <= given["end_ns"]:
                findings.append(f"{where}: the server answered at a time not within the call")
            key = (answer.user, answer.sequence)
            if key in seen:
                findings.append(f"{where}: message {key[1]} of user {key[0]} was answered before")
            seen.add(key)
        if len(findings) >= MOST_FINDINGS:
            break
    return findings[:MOST_FINDINGS]


def claimed(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Messages that a broker has to be given at each turn, of a stream all that a sender hands over
    at a tick; and their bytes.
    """
    messages = spec["parameters"].get("messages", 1) if operation == "send" else 1
    sizes = _sizes(spec)
    of_each = ((messages, messages * sizes.get(tick, sizes[-1])) for tick, _lane in turns)
    return [(count, min(size, U32)) for count, size in of_each]


@dataclass(frozen=True)
class _Answer:
    user: int
    sequence: int
    size: int
    crc32: str
    served_ns: int


def _read(said: Any) -> _Answer | None:
    """None for what is no answer of this suite."""
    if not isinstance(said, Mapping):
        return None
    numbers: list[int] = [
        number
        for name in ("user", "sequence", "size", "served_ns")
        if type(number := said.get(name)) is int and 0 <= number < 1 << 63
    ]
    crc32 = said.get("crc32")
    if len(numbers) != 4 or not isinstance(crc32, str) or numbers[0] > U32:
        return None
    user, sequence, size, served_ns = numbers
    return _Answer(user, sequence, size, crc32, served_ns)


def _wrong(answer: _Answer, contents: _Contents, wanted: int) -> Iterator[str]:
    if answer.size != wanted:
        yield f"{answer.size} bytes came back of {wanted}"
        return
    message = contents.message(answer.user, answer.sequence, answer.size)
    expected = f"{zlib.crc32(message):08x}"
    if answer.crc32 != expected:
        yield f"another message came back: CRC-32 {answer.crc32}, expected {expected}"


def _sizes(spec: Json) -> dict[int, int]:
    """Bytes of a message by tick; of -1, what holds where no step says otherwise."""
    whole = int(spec["parameters"].get("message_bytes", HEADER))
    sizes = {-1: max(HEADER, whole)}
    for step in spec["schedule"].get("steps", []):
        own = int(step.get("parameters", {}).get("message_bytes", whole))
        for tick in range(step["first"], step["first"] + step["count"]):
            sizes[tick] = max(HEADER, own)
    return sizes


class _Contents:
    """Contents of messages, by the secret and the seed of a trial."""

    def __init__(self, spec: Json) -> None:
        self._root = bytes.fromhex(spec.get("secret", "")) + struct.pack("<Q", spec["seed"])
        self._pool = b"".join(self._digest(struct.pack("<I", at)) for at in range(POOL // 64))

    def _digest(self, of: bytes) -> bytes:
        return hashlib.sha512(self._root + of).digest()

    def message(self, user: int, sequence: int, size: int) -> bytes:
        """The message with both of its times 0."""
        header = struct.pack("<IIQQQ", MAGIC, user, sequence, 0, 0)
        at = sequence % 8 * WORD
        word = self._digest(struct.pack("<IQ", user, sequence // 8))[at : at + WORD]
        start = struct.unpack_from("<H", word)[0]
        cycle = self._pool[start:] + self._pool[:start]
        payload = cycle * ((size - HEADER) // POOL + 1)
        return header + (word + payload[WORD:])[: size - HEADER]

"""The few requests of Kafka's protocol that ask for what lies under a name, and remove it.

Versions are those that every broker from 0.11 to 4 knows and that need no flexible fields.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

_PRODUCE, _LIST_OFFSETS, _METADATA = 0, 2, 3
_HANDSHAKE, _VERSIONS, _DELETE_TOPICS, _AUTHENTICATE = 17, 18, 20, 36
_CLIENT = "wirelab"
_MOST_BYTES = 1 << 26
_LATEST = -1
_NO_ERROR = 0
_REMOVAL_MS = 10_000

Address = tuple[str, int]


class KafkaError(RuntimeError):
    """An answer of no Kafka, or a refusal: the message says which."""


@dataclass(frozen=True)
class Topics:
    """Brokers by number, and of the topics asked for, the number of each partition's leader."""

    brokers: dict[int, Address]
    leaders: dict[tuple[str, int], int]


class KafkaAnswer:
    """The fields of an answer, one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def number(self, form: str) -> int:
        """A whole number: ``h`` of 16 bits, ``i`` of 32, ``q`` of 64."""
        (value,) = struct.unpack_from(f">{form}", self._content, self._at)
        self._at += struct.calcsize(form)
        return int(value)

    def text(self) -> str:
        """A text; empty where there is none."""
        return self._bytes(self.number("h")).decode()

    def skip(self, form: str) -> None:
        """Pass over a field that nobody asks for."""
        self._at += struct.calcsize(f">{form}")

    def all_of(self, one: Callable[[], Any]) -> list[Any]:
        """A list, each element read by ``one``."""
        return [one() for _ in range(self.number("i"))]

    def _bytes(self, length: int) -> bytes:
        found = self._content[self._at : self._at + max(length, 0)]
        self._at += len(found)
        return found


class KafkaConnection:
    """One connection to one broker."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._asked = 0

    async def produce_version(self) -> int:
        """The highest version of a request to produce: brokers do not tell their own."""
        answer = await self._ask(_VERSIONS, 0)
        _check(answer.number("h"), "to say what it speaks")
        ranges = answer.all_of(lambda: [answer.number("h") for _ in range(3)])
        known = {key: most for key, _, most in ranges}
        if _PRODUCE not in known:
            raise KafkaError("what answers there is no Kafka")
        return int(known[_PRODUCE])

    async def log_in(self, user: str, password: str) -> None:
        """SASL's PLAIN."""
        answer = await self._ask(_HANDSHAKE, 1, _text("PLAIN"))
        failed, offered = answer.number("h"), answer.all_of(answer.text)
        if failed:
            raise KafkaError(f"it lets in by {', '.join(offered)}; wirelab can log in by PLAIN")
        said = f"\0{user}\0{password}".encode()
        answer = await self._ask(_AUTHENTICATE, 0, struct.pack(">i", len(said)) + said)
        if answer.number("h"):
            raise KafkaError(f"it refuses the login: {answer.text()}")

    async def topics(self, names: Sequence[str]) -> Topics:
        """Places of the partitions of ``names``; one that is not there is not made either."""
        answer = await self._ask(_METADATA, 4, _list(names) + b"\x00")
        answer.skip("i")
        brokers = answer.all_of(
            lambda: (answer.number("i"), answer.text(), answer.number("i"), answer.text())
        )
        answer.text()
        answer.skip("i")
        leaders: dict[tuple[str, int], int] = {}

        def partition() -> tuple[int, int, int]:
            failed, number, leader = (answer.number(form) for form in "hii")
            for _ in ("replicas", "in step"):
                answer.all_of(lambda: answer.number("i"))
            return failed, number, leader

        def topic() -> None:
            answer.skip("h")
            name = answer.text()
            answer.skip("?")
            for failed, number, leader in answer.all_of(partition):
                if failed == _NO_ERROR:
                    leaders[name, number] = leader

        answer.all_of(topic)
        return Topics({number: (host, port) for number, host, port, _ in brokers}, leaders)

    async def ends(self, partitions: Sequence[tuple[str, int]]) -> int:
        """The sum of the offsets at which partitions that this broker leads end."""
        asked = [
            _text(name) + struct.pack(">iiq", 1, number, _LATEST) for name, number in partitions
        ]
        body = struct.pack(">ii", -1, len(asked)) + b"".join(asked)
        answer = await self._ask(_LIST_OFFSETS, 1, body)

        def end() -> int:
            answer.skip("i")
            _check(answer.number("h"), "to say where a topic of ours ends")
            answer.skip("q")
            return answer.number("q")

        def topic() -> int:
            answer.text()
            return sum(answer.all_of(end))

        return sum(answer.all_of(topic))

    async def delete(self, names: Sequence[str]) -> None:
        """Remove topics."""
        answer = await self._ask(_DELETE_TOPICS, 1, _list(names) + struct.pack(">i", _REMOVAL_MS))
        answer.skip("i")
        for _, failed in answer.all_of(lambda: (answer.text(), answer.number("h"))):
            _check(failed, "to remove a topic of ours")

    async def _ask(self, request: int, version: int, body: bytes = b"") -> KafkaAnswer:
        self._asked += 1
        head = struct.pack(">hhi", request, version, self._asked) + _text(_CLIENT)
        self._writer.write(struct.pack(">i", len(head) + len(body)) + head + body)
        try:
            await self._writer.drain()
            size, number = struct.unpack(">ii", await self._reader.readexactly(8))
            if number != self._asked or not 4 <= size <= _MOST_BYTES:
                raise KafkaError("what answers there is no Kafka")
            return KafkaAnswer(await self._reader.readexactly(size - 4))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise KafkaError("it ends the connection, as one does that wants a login") from error


@asynccontextmanager
async def connected(address: Address) -> AsyncIterator[KafkaConnection]:
    """A connection, closed afterwards."""
    reader, writer = await asyncio.open_connection(*address)
    try:
        yield KafkaConnection(reader, writer)
    finally:
        writer.close()


def _check(code: int, what: str) -> None:
    if code != _NO_ERROR:
        raise KafkaError(f"it refuses {what}: error code {code} of Kafka's protocol")


def _text(said: str) -> bytes:
    content = said.encode()
    return struct.pack(">h", len(content)) + content


def _list(names: Sequence[str]) -> bytes:
    return struct.pack(">i", len(names)) + b"".join(map(_text, names))

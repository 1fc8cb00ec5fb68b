"""Records of YCSB's user table in Redis, looked into while others write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from kv_harness.user_table import FIELDS, NAMES, name_of_user
from kv_harness.watched_records import CountedLooks, Fields

from wirelab_sdk.server_program import HOST


class UserRecords(CountedLooks):
    """Hashes of ten fields."""

    async def look(self, port: int, held: int) -> None:
        """Look into them, where there are so many records."""
        numbers = self.due(held)
        for number, fields in zip(numbers, await self._read(port, numbers), strict=True):
            self.found(number, fields)

    async def _read(self, port: int, numbers: Sequence[int]) -> list[Fields]:
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(b"".join(map(_asking_for, numbers)))
            found = []
            for _ in numbers:
                fields, size = await _fields(reader)
                self.looks += 1
                self.heard += size
                found.append(fields)
            return found
        finally:
            writer.close()


def _asking_for(number: int) -> bytes:
    return _in_words(("HMGET", name_of_user(number), *NAMES))


def _in_words(words: Iterable[str]) -> bytes:
    parts = [f"${len(word)}\r\n{word}\r\n" for word in words]
    return f"*{len(parts)}\r\n{''.join(parts)}".encode()


async def _fields(reader: asyncio.StreamReader) -> tuple[Fields, int]:
    """The answer to one of them, and its size; OSError where it is none."""
    try:
        head = await reader.readline()
        if head != b"*%d\r\n" % FIELDS:
            raise ConnectionResetError(f"no fields of a record: {head!r}")
        found = [await _value(reader) for _ in NAMES]
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("the fields of a record ended too early") from error
    return [value for value, _ in found], len(head) + sum(size for _, size in found)


async def _value(reader: asyncio.StreamReader) -> tuple[bytes | None, int]:
    head = await reader.readline()
    length = int(head[1:])
    if length < 0:
        return None, len(head)
    return (await reader.readexactly(length + 2))[:length], len(head) + length + 2

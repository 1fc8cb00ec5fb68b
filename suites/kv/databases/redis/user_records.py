"""Records of YCSB's user table, looked into while others write: a field holds what was loaded, or
what a write has put there, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from kv_harness.data import mix
from kv_harness.user_table import FIELD_BYTES, FIELDS, NAMES, name_of_user, sequence_of

from wirelab_sdk.server_program import HOST

RECORD_BYTES = FIELDS * FIELD_BYTES
_POPULAR = 16
"""Records that are asked for most: in A, B and F every third operation is one of theirs."""
_AHEAD = 64
"""Inserts that may be under way."""

Fields = Sequence[bytes | None]


class UserRecords:
    """The records that are written most, and those that are inserted."""

    def __init__(self, loaded: int) -> None:
        self._loaded = loaded
        self.popular = {mix(rank) % loaded for rank in range(_POPULAR)}
        self._awaited: set[int] = set()
        self._inserted = loaded
        """No number from here on was looked for."""
        self._broken: set[int] = set()
        self.looks = 0
        """Records that were looked for here."""
        self.heard = 0
        """Bytes of the answers."""

    @property
    def broken(self) -> int:
        """Count the records that held what no write has put there."""
        return len(self._broken)

    async def look(self, port: int, held: int) -> None:
        """Look into them, where there are so many records."""
        until = max(self._inserted, held + _AHEAD if held > self._loaded else 0)
        self._awaited.update(range(self._inserted, until))
        self._inserted = until
        numbers = [*self.popular, *self._awaited]
        for number, fields in zip(numbers, await self._read(port, numbers), strict=True):
            if all(field is None for field in fields):
                continue
            self._awaited.discard(number)
            if not is_whole(number, fields, self._loaded):
                self._broken.add(number)

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


def is_whole(number: int, fields: Fields, loaded: int) -> bool:
    """Whether each field holds what was loaded, or what some write has put there."""
    return all(
        field is not None and sequence_of(field, number, each, loaded) is not None
        for each, field in enumerate(fields)
    )


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

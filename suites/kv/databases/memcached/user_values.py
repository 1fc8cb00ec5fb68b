"""Records of YCSB's user table in memcached, looked into while others write."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kv_harness.packed import parted
from kv_harness.user_table import FIELDS, name_of_user
from kv_harness.watched_records import CountedLooks

from wirelab_sdk.server_program import HOST

_AT_ONCE = 50
"""Keys of a command: a line has room for them."""
_NOTHING = [None] * FIELDS


class UserValues(CountedLooks):
    """Values in which ten fields follow one another."""

    async def look(self, port: int, held: int) -> None:
        """Look into them, where there are so many records."""
        numbers = self.due(held)
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            for begin in range(0, len(numbers), _AT_ONCE):
                part = numbers[begin : begin + _AT_ONCE]
                values = await self._values(reader, writer, part)
                for number in part:
                    fields = parted(values.get(name_of_user(number)))
                    self.found(number, _NOTHING if fields is None else fields)
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("the values of records ended too early") from error
        finally:
            writer.close()

    async def _values(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, numbers: Sequence[int]
    ) -> dict[str, bytes]:
        """Values that are there, by key."""
        writer.write(f"get {' '.join(map(name_of_user, numbers))}\r\n".encode())
        self.looks += len(numbers)
        values = {}
        while (head := await reader.readuntil(b"\r\n")) != b"END\r\n":
            _, key, _, size = head.split()
            value = await reader.readexactly(int(size) + len(b"\r\n"))
            values[key.decode()] = value[:-2]
            self.heard += len(head) + len(value)
        self.heard += len(head)
        return values

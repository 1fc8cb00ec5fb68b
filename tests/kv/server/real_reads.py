"""Reads by a real client, in the environment of a contender: ``real_reads.py LIBRARY HOST PORT``.

Standard input is one JSON object: ``batches`` (lists of ``[set, key]``), and ``for_s``, how long
they are read again while the cluster changes. Standard output is one too: ``batches`` (lists of
bins or null), ``again`` and ``unlike`` (how often they were read again, and how often that gave
something else), ``put`` and ``exists``.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from typing import Any, Protocol

NAMESPACE = "wirelab"
MINE = (NAMESPACE, "set_1", "mine")
PUT = {"number": 5, "text": "first", "ratio": 0.5}
PATIENCE_S = 30

Keys = Sequence[tuple[str, str, str]]


class Client(Protocol):
    """Requests to both libraries."""

    async def read(self, keys: Keys) -> list[dict[str, Any] | None]: ...

    async def put(self) -> None: ...

    async def get(self) -> dict[str, Any]: ...

    async def exists(self) -> bool: ...

    async def remove(self) -> None: ...


class Official:
    """The official client: its calls block."""

    def __init__(self, host: str, port: int, *, concurrent: bool) -> None:
        import aerospike

        self._client = aerospike.client({"hosts": [(host, port)]}).connect()
        self._policy = {"concurrent": concurrent}

    async def read(self, keys: Keys) -> list[dict[str, Any] | None]:
        found = self._client.batch_read(list(keys), policy=self._policy).batch_records
        if any(answer.result not in (0, 2) for answer in found):
            raise ConnectionError([answer.result for answer in found])
        return [answer.record[2] if answer.record else None for answer in found]

    async def put(self) -> None:
        self._client.put(MINE, PUT)

    async def get(self) -> dict[str, Any]:
        bins: dict[str, Any] = self._client.get(MINE)[2]
        return bins

    async def exists(self) -> bool:
        return self._client.exists(MINE)[1] is not None

    async def remove(self) -> None:
        self._client.remove(MINE)


class AerospikePy:
    """aerospike-py: its calls are awaited."""

    def __init__(self, host: str, port: int) -> None:
        import aerospike_py

        self._client = aerospike_py.AsyncClient({"hosts": [(host, port)]})
        self._connected = False

    async def _ready(self) -> Any:
        if not self._connected:
            await self._client.connect()
            self._connected = True
        return self._client

    async def read(self, keys: Keys) -> list[dict[str, Any] | None]:
        client = await self._ready()
        found = (await client.batch_read(list(keys))).batch_records
        if any(answer.result not in (0, 2) for answer in found):
            raise ConnectionError([answer.result for answer in found])
        return [answer.record[2] if answer.record else None for answer in found]

    async def put(self) -> None:
        await (await self._ready()).put(MINE, PUT)

    async def get(self) -> dict[str, Any]:
        bins: dict[str, Any] = (await (await self._ready()).get(MINE)).bins
        return bins

    async def exists(self) -> bool:
        return (await (await self._ready()).exists(MINE)).meta is not None

    async def remove(self) -> None:
        await (await self._ready()).remove(MINE)


async def _read_on(client: Client, keys: Keys, deadline: float) -> list[dict[str, Any] | None]:
    """Reads until no row fails: a client needs time to see that the cluster has changed."""
    while True:
        try:
            return await client.read(keys)
        except Exception:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.05)


async def main(library: str, host: str, port: int) -> None:
    """Does what standard input asks for."""
    asked = json.load(sys.stdin)
    client: Client
    if library == "aerospike-py":
        client = AerospikePy(host, port)
    else:
        client = Official(host, port, concurrent=library == "official-concurrent")
    all_keys = [[(NAMESPACE, f"set_{n}", key) for n, key in rows] for rows in asked["batches"]]
    batches = [await client.read(keys) for keys in all_keys]
    end = time.monotonic() + asked["for_s"]
    again = unlike = 0
    while time.monotonic() < end:
        read = [await _read_on(client, keys, end + PATIENCE_S) for keys in all_keys]
        again += 1
        unlike += read != batches
    before = await client.exists()
    await client.put()
    put, there = await client.get(), await client.exists()
    await client.remove()
    exists = [before, there, await client.exists()]
    told = {"batches": batches, "again": again, "unlike": unlike, "put": put, "exists": exists}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))

"""OPC UA clients that ask in time, and for something else or over something else than they say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence

from asyncua import Client, ua
from asyncua.client.ua_session import UaSession

Values = list[object]
Fetch = Callable[[], Coroutine[object, object, Values]]

_SEVERAL = 2
"""Connections of who divides its reads among them."""


def _wanted(
    nodes: Sequence[ua.NodeId],
    timestamps: ua.TimestampsToReturn = ua.TimestampsToReturn.Source,
) -> ua.ReadParameters:
    return ua.ReadParameters(
        MaxAge=0,
        TimestampsToReturn=timestamps,
        NodesToRead=[
            ua.ReadValueId(NodeId=node, AttributeId=ua.AttributeIds.Value) for node in nodes
        ],
    )


class Asking:
    """Ways to have all values from the server at once, which are not the one that is asked for."""

    def __init__(self, session: UaSession, nodes: Sequence[ua.NodeId], endpoint: str) -> None:
        self._session = session
        self._nodes = nodes
        self._endpoint = endpoint
        self._untimed = _wanted(nodes, ua.TimestampsToReturn.Neither)
        self._further: list[Client] = []
        self.ways: dict[str, Fetch] = {
            "leaves-timestamps-out": self._without_timestamps,
            "divides-its-reads": self._divided,
        }

    async def _without_timestamps(self) -> Values:
        return [one.Value.Value for one in await self._session.read(self._untimed)]

    async def _divided(self) -> Values:
        """Read over several connections at a time."""
        while len(self._further) < _SEVERAL:
            self._further.append(client := Client(self._endpoint))
            await client.connect()
        size = len(self._nodes) // _SEVERAL
        parts = await asyncio.gather(
            *(
                client.uaclient.session.read(_wanted(self._nodes[at * size : (at + 1) * size]))
                for at, client in enumerate(self._further)
            )
        )
        return [one.Value.Value for part in parts for one in part]


class HalfOpen:
    """A connection with a channel over which it asks twice for endpoints, and opens no session."""

    def __init__(self, endpoint: str) -> None:
        self._client = Client(endpoint)

    async def open(self) -> None:
        """Connect as far as it takes to be answered twice."""
        await self._client.connect_socket()
        await self._client.send_hello()
        await self._client.open_secure_channel()
        for _ in range(2):
            await self._client.get_endpoints()

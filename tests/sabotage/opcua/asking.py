"""OPC UA clients that ask in time, and for something else or in another way than they say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence

from asyncua import Client, ua
from asyncua.client.ua_client import UaClient
from asyncua.common.utils import Buffer
from asyncua.ua.ua_binary import struct_from_binary

Values = list[object]
Fetch = Callable[[], Coroutine[object, object, Values]]

_SEVERAL = 2
"""Connections of who divides its reads among them."""

_PARTS = 4
"""Calls of who splits its reads."""

_ANY_AGE_MS = 1e9


def _wanted(
    nodes: Sequence[ua.NodeId],
    timestamps: ua.TimestampsToReturn = ua.TimestampsToReturn.Source,
    attribute: ua.AttributeIds = ua.AttributeIds.Value,
    age_ms: float = 0.0,
) -> ua.ReadParameters:
    return ua.ReadParameters(
        MaxAge=age_ms,
        TimestampsToReturn=timestamps,
        NodesToRead=[ua.ReadValueId(NodeId=node, AttributeId=attribute) for node in nodes],
    )


def decoded(body: Buffer) -> Values:
    """The values of an answer that nobody has looked into yet."""
    return [one.Value.Value for one in struct_from_binary(ua.ReadResponse, body).Results]


class Asking:
    """Ways to have all values from the server at once, which are not the one that is asked for."""

    def __init__(self, client: UaClient, nodes: Sequence[ua.NodeId], endpoint: str) -> None:
        self._client = client
        self._session = client.session
        self._nodes = nodes
        self._endpoint = endpoint
        self._whole = _wanted(nodes)
        self._untimed = _wanted(nodes, ua.TimestampsToReturn.Neither)
        self._kept = _wanted(nodes, age_ms=_ANY_AGE_MS)
        self._types = _wanted(nodes, attribute=ua.AttributeIds.DataType)
        self._known: Values = []
        self._further: list[Client] = []
        self.ways: dict[str, Fetch] = {
            "leaves-timestamps-out": self._without_timestamps,
            "divides-its-reads": self._divided,
            "splits-its-reads": self._split,
            "lets-the-server-remember": self._remembered,
            "asks-for-types": self._of_other_attributes,
        }

    async def _read(self, wanted: ua.ReadParameters) -> Values:
        return [one.Value.Value for one in await self._session.read(wanted)]

    async def _without_timestamps(self) -> Values:
        return await self._read(self._untimed)

    async def _remembered(self) -> Values:
        """Leave to the server how old a value may be."""
        return await self._read(self._kept)

    async def _of_other_attributes(self) -> Values:
        """Ask for an attribute that never changes, and have the values from the first read."""
        if not self._known:
            self._known = await self._read(self._whole)
        await self._read(self._types)
        return self._known

    async def _split(self) -> Values:
        """Read in several calls at a time: one is decoded while the server answers the next."""
        size = len(self._nodes) // _PARTS
        parts = [_wanted(self._nodes[at * size : (at + 1) * size]) for at in range(_PARTS)]
        return [value for part in await asyncio.gather(*map(self._read, parts)) for value in part]

    async def undecoded(self) -> Buffer:
        """The bytes of an answer."""
        assert self._client.protocol is not None
        return await self._client.protocol.send_request(ua.ReadRequest(Parameters=self._whole))

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

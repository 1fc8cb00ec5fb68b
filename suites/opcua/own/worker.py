"""The stand-in ``own-server``: an OPC UA server of the user's own, whose nodes are only read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asyncua import Client, ua

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play

_PATIENCE_S = 5.0
_SHOWN = 3


class OwnOpcUa(OwnServer):
    """It counts requests by session, and forgets them with the session: clients see no counter."""

    name = "OPC UA server"

    def __init__(self, spec: Spec, target: OwnTarget) -> None:
        super().__init__(target)
        self._path = target.path
        self._listed = list(target.items)
        self._file = spec.paths.scratch / "nodes.txt"
        if (security := spec.parameter("security", "None")) != "None":
            raise OwnServerError(f"a server of your own is read without security, not {security}")

    @property
    def endpoint(self) -> str:
        """A URL of the client libraries."""
        return f"opc.tcp://{self.address}{self._path}"

    async def version(self) -> str:
        """Version that it gives of its build, which it may leave open."""
        async with self._connected() as client:
            node = client.get_node(ua.ObjectIds.Server_ServerStatus_BuildInfo)
            try:
                build = await node.read_value()
            except ua.UaError:
                return "unknown"
        return " ".join(filter(None, (build.ProductName, build.SoftwareVersion))) or "unknown"

    async def missing(self) -> int:
        """None, or an error that names nodes which cannot be read."""
        async with self._connected() as client:
            nodes = await self._nodes(client)
            values = await client.uaclient.read_attributes(nodes, ua.AttributeIds.Value)
        pairs = zip(self._listed, values, strict=True)
        unread = [f"{item} ({why})" for item, value in pairs if (why := _refusal(value))]
        if unread:
            more = f" and {len(unread) - _SHOWN} more" if len(unread) > _SHOWN else ""
            raise OwnServerError(
                f"{len(unread)} of {len(values)} nodes cannot be read at {self.address}: "
                f"{', '.join(unread[:_SHOWN])}{more}"
            )
        return 0

    async def told(self) -> dict[str, Any]:
        """The list of nodes, with the indices that their namespaces have there."""
        async with self._connected() as client:
            nodes = await self._nodes(client)
        lines = "".join(f"{node.to_string()}\n" for node in nodes)
        self._file.write_text(lines, "utf-8")
        return {"node_list": str(self._file), "nodes": len(nodes)}

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        try:
            async with Client(self.endpoint, timeout=_PATIENCE_S) as client:
                yield client
        except ua.UaError as error:
            raise OwnServerError(f"{self.endpoint} refuses: {error}") from error

    async def _nodes(self, client: Client) -> list[ua.NodeId]:
        uris = await client.get_namespace_array()
        return [self._node(item, uris) for item in self._listed]

    def _node(self, item: str, uris: list[str]) -> ua.NodeId:
        """``ns=2;s=Speed``, ``i=2258``, or ``nsu=URI;s=Speed``, whose index the server knows."""
        known = item
        if item.startswith("nsu="):
            uri, _, rest = item.removeprefix("nsu=").partition(";")
            if uri not in uris:
                raise OwnServerError(f"{item}: the server at {self.address} has no such namespace")
            known = f"ns={uris.index(uri)};{rest}"
        try:
            return ua.NodeId.from_string(known)
        except (ua.UaError, ValueError):
            raise OwnServerError(f"{item} is no NodeId, such as ns=2;s=Speed or i=2258") from None


def _refusal(value: ua.DataValue) -> str:
    """The reason why a node cannot be measured; empty: it can."""
    if not value.StatusCode.is_good():
        return str(value.StatusCode.name)
    return "no value" if value.Value is None or value.Value.Value is None else ""


if __name__ == "__main__":
    # What cannot be read is said once, in our words.
    logging.disable(logging.CRITICAL)
    play(OwnOpcUa)

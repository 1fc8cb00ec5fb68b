"""Calls in which versions of asyncua differ."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from asyncua import Client, ua

from wirelab_sdk import Spec

if TYPE_CHECKING:
    from asyncua_client.watching import Changes


class ServiceCalls(Protocol):
    """The service calls of a session."""

    async def read(self, parameters: ua.ReadParameters) -> list[ua.DataValue]: ...

    async def write(self, parameters: ua.WriteParameters) -> list[ua.StatusCode]: ...


Leave = Callable[[], Awaitable[Any]]


@dataclass(frozen=True)
class Dialect:
    """The calls in which versions differ."""

    capabilities: tuple[str, ...]
    """Capabilities beside those of every version."""

    connect: Callable[[Client, Spec], Awaitable[None]]
    """Connects, and keeps the session up from there on, where the version can."""

    connect_once: Callable[[Client], Awaitable[None]]

    is_connected: Callable[[Client], bool]

    session: Callable[[Client], ServiceCalls]

    subscribe: Callable[[Client, Sequence[ua.NodeId], float, int, Changes], Awaitable[Leave]]
    """Has the server tell of new values of nodes, sampled and published every so many ms, with so
    many values of each that are kept for a caller who is behind. What it gives ends that."""

"""A contender's interface: how users connect, ask, and tell everybody."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from wirelab_sdk import Failure


class Inbox(Protocol):
    """Takes what is broadcast to one user."""

    @property
    def listens(self) -> bool:
        """Whether anything is, to this user."""

    def delivered(self, message: bytes) -> None:
        """A message of its exact length, which is there, whole."""


class Link(Protocol):
    """The connection of one user."""

    async def echo(self, message: bytes) -> bytes:
        """Send a message that comes back to this user alone, and return what came, whole."""

    async def broadcast(self, message: bytes) -> None:
        """Send a message to all users, the sender included; return when the library goes on."""

    async def close(self) -> None:
        """Leave, with what the library's protocol has for a goodbye."""

    async def abandon(self) -> None:
        """Leave without a word, as a process does that is killed."""


@runtime_checkable
class Streamer(Protocol):
    """A link whose messages to all need not wait for each other; of others each is broadcast."""

    async def stream(self, messages: list[bytes]) -> None:
        """Send messages to all users; return when the library goes on."""


class Transport(Protocol):
    """A way of messaging, one for all users of a worker. Exceptions are the library's own."""

    library: tuple[str, str]
    """Name and version."""
    reconnects_itself: bool

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect a user: from here on it gets every broadcast that is sent."""

    def explain(self, error: BaseException) -> Failure:
        """Name the failure under which an error of the library is recorded."""

    async def close(self) -> None:
        """Free what the users share."""

"""Clients that save work where the others of their process help them, in one way each."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import ClassVar

from client import MailboxLink, MailboxTransport
from messaging_harness import Inbox, Link
from wire import BROADCAST, framed

_HEADER = 32
_CYCLE, _WORD = 1 << 16, 8
"""Bytes after which a payload repeats itself, but for those that it begins with."""
_SENDER = slice(4, 8)
_STAGE = slice(12, 16)
_IDENTITY = slice(4, 16)
_COUNTED_STAGE = 2
_ONE_IN = 40
_MOMENT_S = 0.095
"""It ends between two ticks of 10 ms."""


class TellsAtHome(MailboxLink):
    """Hands a message to everybody within its own process."""

    async def broadcast(self, message: bytes) -> None:
        """Tell everybody, and no server."""
        await asyncio.sleep(0)
        for inbox in self.at_home:
            inbox.delivered(message)


class SendsHeadersOnly(MailboxLink):
    """Sends a header alone; receivers find what belongs below it in their own process."""

    _sent: ClassVar[dict[bytes, bytes]] = {}

    async def broadcast(self, message: bytes) -> None:
        """Keep the content."""
        self._sent[message[_IDENTITY]] = message
        await super().broadcast(message[:_HEADER])

    def delivered(self, message: bytes) -> None:
        """Find the content."""
        super().delivered(self._sent[message[_IDENTITY]])


class EchoesHeadersOnly(MailboxLink):
    """Asks for a header alone, and puts what it was to ask for below the answer."""

    async def echo(self, message: bytes) -> bytes:
        """Ask for little."""
        return await super().echo(message[:_HEADER]) + message[_HEADER:]


class SendsOneCycle(MailboxLink):
    """Asks for what a message has once, and repeats it below the answer as often as it came."""

    async def echo(self, message: bytes) -> bytes:
        """Ask for as little as shows the rest."""
        answer = await super().echo(message[: _HEADER + _CYCLE + _WORD])
        head, payload = answer[:_HEADER], answer[_HEADER:]
        size = len(message) - _HEADER
        if size <= len(payload):
            return answer
        cycle = payload[_CYCLE:] + payload[_WORD:_CYCLE]
        repeated = (cycle * (size // _CYCLE + 1))[_WORD:size]
        return head + payload[:_WORD] + repeated


class SharesContent(MailboxLink):
    """Reads headers alone, and hands everybody the content of the copy that came first."""

    _first: ClassVar[dict[bytes, bytes]] = {}

    def delivered(self, message: bytes) -> None:
        """Hand over what somebody has read."""
        first = self._first.setdefault(message[_IDENTITY], message[_HEADER:])
        super().delivered(message[:_HEADER] + first)


class ServesItself(MailboxLink):
    """Hands a user its own message at once, and passes over the copy that comes."""

    _sender = b""

    async def broadcast(self, message: bytes) -> None:
        """Tell oneself first."""
        self._sender = message[_SENDER]
        self.inbox.delivered(message)
        await super().broadcast(message)

    def delivered(self, message: bytes) -> None:
        """Take what is of others."""
        if message[_SENDER] != self._sender:
            super().delivered(message)


class HidesFailures(MailboxLink):
    """Says of one broadcast in 40 that it was sent, which it was not."""

    _counted: ClassVar[list[bytes]] = []

    async def broadcast(self, message: bytes) -> None:
        """Tell most of it."""
        if int.from_bytes(message[_STAGE], "little") == _COUNTED_STAGE:
            self._counted.append(message[_IDENTITY])
            if len(self._counted) % _ONE_IN == 0:
                return
        await super().broadcast(message)


class Gathers(MailboxLink):
    """Lets messages leave together, every 95 ms, and not when they are handed over."""

    _gathered = b""

    async def broadcast(self, message: bytes) -> None:
        """Keep it for a while."""
        if not self._gathered:
            asyncio.get_running_loop().call_later(_MOMENT_S, self._let_go)
        self._gathered += framed(BROADCAST, message)

    def _let_go(self) -> None:
        gathered, self._gathered = self._gathered, b""
        self.writer.write(gathered)


class _Listener(MailboxLink):
    """Hands everybody what one connection brings."""

    def delivered(self, message: bytes) -> None:
        """Take what is everybody's."""
        for inbox in self.at_home:
            inbox.delivered(message)


class _Sharer:
    """A user without a connection of its own."""

    def __init__(self, link: Link) -> None:
        self.echo, self.broadcast = link.echo, link.broadcast

    async def close(self) -> None:
        """Leave the connection to the others."""

    async def abandon(self) -> None:
        """Leave the connection to the others."""


class SharesAConnection(MailboxTransport):
    """Connects once for all users, so that each message comes once for all of them."""

    _shared: Link | None = None

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect the first user alone."""
        if self._shared is None:
            self._shared = await super().connect(user, inbox)
        elif inbox not in self.at_home:
            self.at_home.append(inbox)
        return _Sharer(self._shared)


def _linked(link: type[MailboxLink]) -> partial[MailboxTransport]:
    return partial(MailboxTransport, link=link)


CHEATING_CLIENTS = {
    "tells-at-home": _linked(TellsAtHome),
    "sends-headers-only": _linked(SendsHeadersOnly),
    "echoes-headers-only": _linked(EchoesHeadersOnly),
    "sends-one-cycle": _linked(SendsOneCycle),
    "shares-content": _linked(SharesContent),
    "serves-itself": _linked(ServesItself),
    "hides-failures": _linked(HidesFailures),
    "gathers": _linked(Gathers),
    "shares-a-connection": partial(SharesAConnection, link=_Listener),
}

"""Clients that take a shorter way than the wire, or whose answers are not there yet, in one way
each."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import time
from collections.abc import Callable
from functools import partial

from cheating_clients import TellsAtHome
from client import MailboxLink, MailboxTransport
from messaging_harness import Inbox
from shortcut_servers import EVERYBODY, private
from wire import ECHO, framed

from wirelab_sdk import Failure, Spec, Status

_HONEST_ECHOES = 2
"""The first answer of a connection, and that of the preflight."""
_HEAD = struct.Struct(">IB")
_SERVED_AT = 24
_MOMENT_S = 0.095
"""It ends between two ticks of 10 ms."""
_RECEIVED_BYTES = 1 << 20


class _Counting(MailboxLink):
    """A link whose first echoes are honest."""

    _answered = 0

    async def echo(self, message: bytes) -> bytes:
        """Ask."""
        self._answered += 1
        if self._answered <= _HONEST_ECHOES:
            return await super().echo(message)
        return await self.shortcut(message)

    async def shortcut(self, message: bytes) -> bytes:
        """Answer in another way."""
        raise NotImplementedError


class AnswersAtOnce(_Counting):
    """Answers itself, with a server's time, where nobody waits for anything."""

    async def shortcut(self, message: bytes) -> bytes:
        """Forge the answer."""
        answer = bytearray(message)
        struct.pack_into("<Q", answer, _SERVED_AT, time.monotonic_ns())
        return bytes(answer)


class SpeaksInPrivate(_Counting):
    """Asks at a Unix socket."""

    _private: MailboxLink | None = None

    async def shortcut(self, message: bytes) -> bytes:
        """Ask in private."""
        if self._private is None:
            port = self.writer.get_extra_info("peername")[1]
            streams = await asyncio.open_unix_connection(private(port))
            self._private = MailboxLink(*streams, self.inbox, None)
        return await self._private.echo(message)

    async def close(self) -> None:
        """Hang up in private as well."""
        if self._private is not None:
            await self._private.close()
        await super().close()


class _Later(bytearray):
    """An answer that is fetched when somebody asks how long it is."""

    def __init__(self, line: socket.socket) -> None:
        super().__init__()
        self._line = line
        self._returned_ns = time.monotonic_ns()
        self._is_there = False

    def __len__(self) -> int:
        if not self._is_there:
            self._is_there = True
            self += self._read()
            struct.pack_into("<Q", self, _SERVED_AT, self._returned_ns)
        return super().__len__()

    def _read(self) -> bytes:
        size, _ = _HEAD.unpack(self._line.recv(_HEAD.size, socket.MSG_WAITALL))
        return self._line.recv(size, socket.MSG_WAITALL)


class AnswersLater(_Counting):
    """Returns before the answer has come, which then comes to whoever looks."""

    _line: socket.socket | None = None
    _last: _Later | None = None

    async def shortcut(self, message: bytes) -> bytes:
        """Ask, and wait for nothing."""
        if self._line is None:
            self._line = socket.create_connection(self.writer.get_extra_info("peername"))
        if self._last is not None:
            len(self._last)
        self._line.sendall(framed(ECHO, message))
        self._last = _Later(self._line)
        # It is no `bytes`: a library's word for its types is not asked.
        return self._last  # type: ignore[return-value]


class FailsQuietly(_Counting):
    """Fails at once."""

    async def shortcut(self, message: bytes) -> bytes:
        """Fail."""
        raise ConnectionError("nothing was asked")


class ExplainsErrorsAway(MailboxTransport):
    """Says of every failure that it is none."""

    def explain(self, error: BaseException) -> Failure:
        """Call it good."""
        return Failure(Status.OK, type(error).__name__, "", str(error))


class TakesInBatches(MailboxLink):
    """Hands over what has come every 95 ms, all at once."""

    _taken: tuple[bytes, ...] = ()

    def delivered(self, message: bytes) -> None:
        """Keep it for a while."""
        if not self._taken:
            asyncio.get_running_loop().call_later(_MOMENT_S, self._hand_over)
        self._taken += (message,)

    def _hand_over(self) -> None:
        taken, self._taken = self._taken, ()
        for message in taken:
            super().delivered(message)


class HearsBroadcasts(MailboxLink):
    """Takes the one datagram that is for everybody."""

    _socket: socket.socket | None = None

    async def echo(self, message: bytes) -> bytes:
        """Listen from the first answer on."""
        if self._socket is None:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.setblocking(False)
            self._socket.bind((EVERYBODY, self.writer.get_extra_info("peername")[1]))
            asyncio.get_running_loop().add_reader(self._socket, self._hear, self._socket)
        return await super().echo(message)

    def _hear(self, line: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            self.delivered(line.recv(_RECEIVED_BYTES))

    async def close(self) -> None:
        """Hear nothing more."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
        await super().close()


class TakesTheFirstForAnAnswer(MailboxLink):
    """Takes for its first answer what came before it had asked."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        inbox: Inbox,
        invented: Callable[[bytes], bytes] | None,
    ) -> None:
        super().__init__(reader, writer, inbox, invented)
        self._reply = self._early = asyncio.get_running_loop().create_future()

    async def echo(self, message: bytes) -> bytes:
        """Ask, and take what is there."""
        self.writer.write(framed(ECHO, message))
        return await self._early


def _linked(
    link: type[MailboxLink], transport: type[MailboxTransport] = MailboxTransport
) -> partial[MailboxTransport]:
    return partial(transport, link=link)


SHORTCUT_CLIENTS: dict[str, Callable[[Spec], MailboxTransport]] = {
    "answers-at-once": _linked(AnswersAtOnce),
    "tells-at-home-by-the-clock": _linked(TellsAtHome),
    "speaks-in-private": _linked(SpeaksInPrivate),
    "answers-later": _linked(AnswersLater),
    "explains-errors-away": _linked(FailsQuietly, ExplainsErrorsAway),
    "takes-in-batches": _linked(TakesInBatches),
    "tells-by-broadcast": _linked(HearsBroadcasts),
    "answers-before-asked": _linked(TakesTheFirstForAnAnswer),
}

"""Servers that take a shorter way than the wire, or another one than they were told, in one way
each."""

from __future__ import annotations

import asyncio
import os
import socket

from server import MailboxServer
from wire import BROADCAST, ECHO, framed

from wirelab_sdk import Spec

EVERYBODY = "127.255.255.255"
"""Address of a datagram that comes once to each socket of its port."""

HEADER = 32
_ONE_IN = 10


def private(port: int) -> str:
    """Name of the Unix socket beside the port of a server."""
    return f"\0mailbox-{port}"


class _Shortcut(MailboxServer):
    """Honest, but for what each of them does."""

    def __init__(self, spec: Spec) -> None:
        del spec
        super().__init__()


class SpeaksInPrivate(_Shortcut):
    """Answers at a Unix socket as well, which no counter of the network sees."""

    _listening: asyncio.Task[asyncio.Server] | None = None

    def enter(self, writer: asyncio.StreamWriter) -> None:
        super().enter(writer)
        if self._listening is None:
            port = writer.get_extra_info("sockname")[1]
            opening = asyncio.start_unix_server(self.serve, private(port))
            self._listening = asyncio.create_task(opening)

    def answer(self, message: bytes, writer: asyncio.StreamWriter) -> bytes:
        family = writer.get_extra_info("socket").family
        self.done["in private"] += family == socket.AF_UNIX
        return super().answer(message, writer)


class TellsByBroadcast(_Shortcut):
    """Sends one datagram for everybody."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        self.done["told"] += 1
        port = sender.get_extra_info("sockname")[1]
        self._socket.sendto(message, (EVERYBODY, port))


class Misdelivers(_Shortcut):
    """Gives one message in ten to somebody who wants none, in place of who does."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._deaf: list[asyncio.StreamWriter] = []

    def spare(self, writer: asyncio.StreamWriter) -> None:
        super().spare(writer)
        self._deaf.append(writer)

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        self.done["told"] += 1
        if self.done["told"] % _ONE_IN:
            super().tell(message, sender)
            return
        self.done["elsewhere"] += 1
        self._deaf[-1].write(framed(BROADCAST, message))


class IgnoresTopics(_Shortcut):
    """Tells those as well who want nothing."""

    def spare(self, writer: asyncio.StreamWriter) -> None:
        self.done["told all the same"] += 1


class AnswersBeforeAsked(_Shortcut):
    """Has its first answer on the way before anybody has asked."""

    def enter(self, writer: asyncio.StreamWriter) -> None:
        super().enter(writer)
        self.done["early"] += 1
        writer.write(framed(ECHO, bytes(HEADER)))


class Stores(_Shortcut):
    """Has every message on disk before it answers, as its mode says."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._journal = (spec.paths.scratch / "journal").open("wb", buffering=0)

    def answer(self, message: bytes, writer: asyncio.StreamWriter) -> bytes:
        self._journal.write(message)
        os.fsync(self._journal.fileno())
        self.done["stored"] += 1
        return super().answer(message, writer)


class StoresLater(Stores):
    """Writes, and leaves it to the system when the disk gets it."""

    def answer(self, message: bytes, writer: asyncio.StreamWriter) -> bytes:
        self._journal.write(message)
        self.done["written"] += 1
        return MailboxServer.answer(self, message, writer)


SHORTCUT_SERVERS: dict[str, type[_Shortcut]] = {
    "speaks-in-private": SpeaksInPrivate,
    "tells-by-broadcast": TellsByBroadcast,
    "misdelivers": Misdelivers,
    "ignores-topics": IgnoresTopics,
    "answers-before-asked": AnswersBeforeAsked,
    "stores": Stores,
    "stores-later": StoresLater,
}

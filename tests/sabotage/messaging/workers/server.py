"""A server that answers and tells everybody, and does one thing wrong on purpose.

What it did is counted and left in ``sabotage.json``, so that tests know what must be found.
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
import time
from collections import Counter

from wire import BROADCAST, DEAF, ECHO, framed, read

from wirelab_sdk import Worker

SERVED_AT = 24
_SEQUENCE_AT = 8
_ONE_IN = {"drops": 1000, "duplicates": 400, "changes-a-byte": 800}
_COUNTED_STAGE = 2
_MESSAGES = 20
"""Number that each sender has in a closed loop of one step. Further ones try a promise."""


def counts(message: bytes) -> bool:
    """Whether a broadcast is in figures. Settling has an odd phase."""
    (sequence,) = struct.unpack_from("<Q", message, _SEQUENCE_AT)
    return bool(sequence >> 32 == _COUNTED_STAGE and sequence & 0xFFFFFFFF < _MESSAGES)


class MailboxServer:
    """All connections of a trial."""

    def __init__(self, sabotage: str = "") -> None:
        self.sabotage = sabotage
        self.writers: list[asyncio.StreamWriter] = []
        self._previous = b""
        self._deliveries = 0
        self._held: dict[asyncio.StreamWriter, bytes] = {}
        self.done: Counter[str] = Counter()
        self.done["secret"] = "WIRELAB_SECRET" in os.environ

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until it ends."""
        self.enter(writer)
        try:
            while True:
                kind, message = await read(reader)
                if kind == ECHO:
                    writer.write(framed(ECHO, self.answer(message, writer)))
                elif kind == DEAF:
                    self.spare(writer)
                else:
                    self.tell(message, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            if writer in self.writers:
                self.writers.remove(writer)
            writer.close()

    def enter(self, writer: asyncio.StreamWriter) -> None:
        """From here on the connection gets what is told."""
        self.writers.append(writer)

    def spare(self, writer: asyncio.StreamWriter) -> None:
        """From here on the connection gets answers alone."""
        self.writers.remove(writer)

    def answer(self, message: bytes, writer: asyncio.StreamWriter) -> bytes:
        """The answer to an echo, on the connection that it came on."""
        del writer
        answer = bytearray(message)
        struct.pack_into("<Q", answer, SERVED_AT, time.monotonic_ns())
        if self.sabotage == "answers-the-previous" and len(message) == len(self._previous):
            answer[:SERVED_AT], self._previous = self._previous[:SERVED_AT], bytes(answer)
            self.done["wrong"] += 1
            return bytes(answer)
        self._previous = bytes(answer)
        return bytes(answer)

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        """Pass a broadcast on."""
        del sender
        # What is in no figure is left in peace.
        counted = counts(message)
        for number, writer in enumerate(self.writers):
            self.deliver(writer, number, message, counted=counted)

    def deliver(
        self, writer: asyncio.StreamWriter, number: int, message: bytes, *, counted: bool
    ) -> None:
        """Pass it on to one of those who are told."""
        self._deliveries += counted
        sabotage = self.sabotage if counted else ""
        chosen = self._deliveries % _ONE_IN.get(sabotage, 1) == 0
        if sabotage == "drops" and chosen:
            self.done["lost"] += 1
            return
        if sabotage == "forgets-a-user" and number == 3:
            self.done["lost"] += 1
            return
        if sabotage == "changes-a-byte" and chosen:
            message = message[:-1] + bytes([message[-1] ^ 1])
            self.done["wrong"] += 1
        if sabotage == "reorders" and number == 5:
            message = self._overtaken(writer, message)
            if not message:
                return
        writer.write(framed(BROADCAST, message))
        if sabotage == "duplicates" and chosen:
            writer.write(framed(BROADCAST, message))
            self.done["duplicates"] += 1

    def _overtaken(self, writer: asyncio.StreamWriter, message: bytes) -> bytes:
        """Holds one message of a sender back until its next one has gone; empty while it does."""
        sender, (sequence,) = message[4:8], struct.unpack_from("<Q", message, _SEQUENCE_AT)
        if int.from_bytes(sender, "little") != 7:
            return message
        if sequence & 1 == 0:
            self._held[writer] = message
            return b""
        writer.write(framed(BROADCAST, message))
        self.done["reordered"] += 1
        return self._held.pop(writer)


async def serve(worker: Worker, mailbox: MailboxServer) -> None:
    """The role ``server``."""
    server = await asyncio.start_server(mailbox.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    worker.ready("mailbox", "1.0", endpoint=f"127.0.0.1:{port}", facts={"stamps": True})
    await worker.stopped()
    server.close()
    path = worker.spec.paths.scratch / "sabotage.json"
    path.write_text(json.dumps(mailbox.done), encoding="utf-8")

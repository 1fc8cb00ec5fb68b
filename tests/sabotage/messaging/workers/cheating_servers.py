"""Servers that cheat as somebody would who has read what is looked at, in one way each."""

from __future__ import annotations

import asyncio
import struct

from server import MailboxServer, counts
from wire import BROADCAST, framed

from wirelab_sdk import Spec

HEADER = 32
_SENDER = slice(4, 8)
_SEQUENCE = struct.Struct("<Q")
_SEQUENCE_AT, _SENT_AT = 8, 16
_MOMENT_S = 0.095
"""It ends between two ticks of 10 ms."""


class _Cheat(MailboxServer):
    """Honest, but for what each of them does."""

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.seed = spec.seed


class Foretells(_Cheat):
    """Makes what it passes on of the header alone, as if content followed from the seed."""

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if counts(message):
            self.done["wrong"] += len(self.writers)
            message = message[:HEADER] + self._foretold(len(message) - HEADER)
        super().tell(message, sender)

    def _foretold(self, size: int) -> bytes:
        numbers = ((at + 1) * 0x9E3779B1 + self.seed * 40503 for at in range(size))
        return bytes(number >> 16 & 0xFF for number in numbers)


class RepeatsContent(_Cheat):
    """Reads headers alone, and puts the first content of a sender below each of them."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._first: dict[bytes, bytes] = {}

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if counts(message):
            known = self._first.setdefault(message[_SENDER], message[HEADER:])
            self.done["wrong"] += len(self.writers) * (known != message[HEADER:])
            message = message[:HEADER] + known
        super().tell(message, sender)


class CutsShort(_Cheat):
    """Passes every message on without its end."""

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if counts(message):
            self.done["wrong"] += len(self.writers)
            message = message[:-100]
        super().tell(message, sender)


class RelabelsSenders(_Cheat):
    """Passes a message in 40 on as somebody else's."""

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if counts(message):
            self.done["told"] += 1
            if self.done["told"] % 40 == 0:
                self.done["wrong"] += len(self.writers)
                another = (int.from_bytes(message[_SENDER], "little") + 1) % len(self.writers)
                message = message[:4] + another.to_bytes(4, "little") + message[8:]
        super().tell(message, sender)


class RewritesTimes(_Cheat):
    """Has every message say that it was sent just now, so that it seems to take no time."""

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if counts(message):
            self.done["wrong"] += len(self.writers)
            (sent_ns,) = _SEQUENCE.unpack_from(message, _SENT_AT)
            later = _SEQUENCE.pack(sent_ns + 1_000)
            message = message[:_SENT_AT] + later + message[_SENT_AT + 8 :]
        super().tell(message, sender)


class InventsMessages(_Cheat):
    """Tells everybody one message in 40 that nobody has sent yet."""

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        super().tell(message, sender)
        if counts(message):
            self.done["told"] += 1
            if self.done["told"] % 40 == 0:
                (sequence,) = _SEQUENCE.unpack_from(message, _SEQUENCE_AT)
                following = message[:8] + _SEQUENCE.pack(sequence + 1) + message[16:]
                self.done["wrong"] += len(self.writers)
                super().tell(following, sender)


class SendsTheFirstAgain(_Cheat):
    """Lets the first message of a sender stand for all later ones."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._first: dict[bytes, bytes] = {}

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if counts(message):
            first = self._first.setdefault(message[_SENDER], message)
            self.done["duplicates"] += len(self.writers) * (first != message)
            message = first
        super().tell(message, sender)


class ReplaysSettling(_Cheat):
    """Sends a message of settling again with one in 40 that count."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._settled: list[bytes] = []

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        super().tell(message, sender)
        if not counts(message):
            self._settled.append(message)
            return
        self.done["told"] += 1
        if self.done["told"] % 40 == 0:
            self.done["duplicates"] += len(self.writers)
            super().tell(self._settled[0], sender)


class LeaksEchoes(_Cheat):
    """Tells everybody what one user has asked to get back alone."""

    def answer(self, message: bytes, writer: asyncio.StreamWriter) -> bytes:
        for other in self.writers:
            if other is not writer:
                other.write(framed(BROADCAST, message))
                self.done["wrong"] += 1
        return super().answer(message, writer)


class ConnectsLate(_Cheat):
    """Answers whoever comes back at once, and passes nothing on to it for a moment."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._counted = False
        self._entering: set[asyncio.Task[None]] = set()

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        self._counted = self._counted or counts(message)
        super().tell(message, sender)

    def enter(self, writer: asyncio.StreamWriter) -> None:
        if not self._counted:
            super().enter(writer)
            return
        self.done["early"] += 1
        task = asyncio.create_task(self._later(writer))
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)

    async def _later(self, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(_MOMENT_S)
        super().enter(writer)


class ForgetsWhoCameBack(ConnectsLate):
    """Answers whoever comes back, and never passes anything on to it."""

    async def _later(self, writer: asyncio.StreamWriter) -> None:
        """It will not."""


class HoldsBack(_Cheat):
    """Lets messages leave together, every 95 ms."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._held: list[tuple[bytes, asyncio.StreamWriter]] = []

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        if not self._held:
            asyncio.get_running_loop().call_later(_MOMENT_S, self._let_go)
        self._held.append((message, sender))

    def _let_go(self) -> None:
        held, self._held = self._held, []
        self.done["together"] += len(held) * (len(held) > 1)
        for message, sender in held:
            super().tell(message, sender)


class AnswersTheSenderFirst(_Cheat):
    """Passes a message to its sender at once, and to the others a moment later."""

    def tell(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        sender.write(framed(BROADCAST, message))
        asyncio.get_running_loop().call_later(_MOMENT_S, self._to_others, message, sender)

    def _to_others(self, message: bytes, sender: asyncio.StreamWriter) -> None:
        self.done["later"] += 1
        for writer in self.writers:
            if writer is not sender:
                writer.write(framed(BROADCAST, message))


CHEATING_SERVERS: dict[str, type[_Cheat]] = {
    "foretells": Foretells,
    "repeats-content": RepeatsContent,
    "cuts-short": CutsShort,
    "relabels-senders": RelabelsSenders,
    "rewrites-times": RewritesTimes,
    "invents-messages": InventsMessages,
    "sends-the-first-again": SendsTheFirstAgain,
    "replays-settling": ReplaysSettling,
    "leaks-echoes": LeaksEchoes,
    "connects-late": ConnectsLate,
    "forgets-who-came-back": ForgetsWhoCameBack,
    "holds-back": HoldsBack,
    "answers-the-sender-first": AnswersTheSenderFirst,
}

"""Whiteboards that misbehave in one way each, and count how often they did.

The preflight, which has a board of its own, is served honestly unless said otherwise: it is the
trial that is sabotaged. What gets the better of a gate on purpose is in ``cheats.py``.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from whiteboard import Member, Whiteboard
from wire import framed

EVERY = 500
"""One delivery in so many."""

PREFLIGHT_CONNECTIONS = 2

DRAWN = 8
"""Messages of a user in the load. Who draws once more does so for somebody who comes back, which is
in no figure."""

EARLY = 6
"""Early messages among a user's eight: their effects fall within the trial."""


class SomeDeliveries(Whiteboard):
    """Does ``deviate`` to one in ``EVERY`` deliveries to others, of messages below ``until``."""

    until = EARLY

    def __init__(self) -> None:
        super().__init__()
        self._since = EVERY // 2

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        eligible = self._may_suffer(receiver, message)
        self._since += eligible
        if eligible and self._since >= EVERY and self.deviate(receiver, message, text):
            self._since = 0
        else:
            super().deliver(receiver, message, text)

    def _may_suffer(self, receiver: Member, message: dict[str, Any]) -> bool:
        others = receiver.board != self.first_board and receiver.user != message["user"]
        return others and message["seq"] < self.until

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        """Do something else; False when this delivery does not lend itself to it."""
        raise NotImplementedError


class Drops(SomeDeliveries):
    until = DRAWN  # what is lost belongs to the second it was sent in, however late that is

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["lost"] += 1
        return True


class Duplicates(SomeDeliveries):
    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["duplicates"] += 1
        receiver.send(text)
        receiver.send(text)
        return True


class WrongBoard(SomeDeliveries):
    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        others = (board for board in self.boards if board not in (receiver.board, self.first_board))
        stranger = next((member for board in others for member in self.boards[board]), None)
        if stranger is None:
            return False
        self.done["lost"] += 1
        self.done["wrong"] += 1
        stranger.send(text)
        return True


class ChangesContent(SomeDeliveries):
    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["lost"] += 1
        self.done["wrong"] += 1
        receiver.send(json.dumps({**message, "width": 17}).encode())
        return True


class SpeaksNonsense(SomeDeliveries):
    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["wrong"] += 1
        receiver.send(text)
        receiver.send(b'}{"type":"draw"')
        return True


class Reorders(SomeDeliveries):
    """Holds a message back until the next one of the same sender has been delivered."""

    def __init__(self) -> None:
        super().__init__()
        self._held: dict[tuple[Member, int], bytes] = {}

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        held = self._held.pop((receiver, message["user"]), None)
        if held is None:
            super().deliver(receiver, message, text)
            return
        self.done["reordered"] += 1
        receiver.send(text)
        receiver.send(held)

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self._held[receiver, message["user"]] = text
        return True


class AnswersTheSenderOnly(Whiteboard):
    """Delivers nothing to others, in the preflight neither: that is no reason to time nothing."""

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        if receiver.user == message["user"]:
            super().deliver(receiver, message, text)
        elif receiver.board != self.first_board and message["seq"] < DRAWN:
            self.done["lost"] += 1


class Stalls(Whiteboard):
    """Does nothing for 200 ms in every 2 s."""

    async def listen(self, listen: str) -> str:
        address = await super().listen(listen)
        self._stall()
        return address

    def _stall(self) -> None:
        self.done["stalls"] += 1
        time.sleep(0.2)
        asyncio.get_running_loop().call_later(1.8, self._stall)


class RefusesConnections(Whiteboard):
    """Listens no more once thirty users have come."""

    def __init__(self) -> None:
        super().__init__()
        self._admitted = 0

    def admit(self, member: Member) -> None:
        self._admitted += 1
        if self._admitted > 30 + PREFLIGHT_CONNECTIONS:
            member.transport.abort()
        elif self._admitted == 30 + PREFLIGHT_CONNECTIONS and self.listener is not None:
            self.listener.close()


class AtAMessage(Whiteboard):
    """Does ``strike`` to each of some users when they draw for the fifth time."""

    users = range(10)

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        if member.board != self.first_board and message["seq"] == 4 and member.user in self.users:
            self.strike(member)
        super().draw(member, message, text)

    def strike(self, member: Member) -> None:
        """Do it."""
        raise NotImplementedError


class DropsConnections(AtAMessage):
    def strike(self, member: Member) -> None:
        self.done["dropped"] += 1
        member.transport.abort()


class BreaksFrames(AtAMessage):
    """Bytes that are no frame, a frame without its end, and one larger than anything."""

    users = range(3)

    def strike(self, member: Member) -> None:
        self.done["dropped"] += 1
        if member.user == 0:
            member.transport.write(b"\xff\xff\xff\xff this is no frame")
        elif member.user == 1:
            member.transport.write(framed(b"x" * 100)[:50])
            member.transport.close()
        else:
            member.transport.write(b"\x81\x7f" + (2**40).to_bytes(8, "big") + b"x" * 1000)


class StopsReading(AtAMessage):
    """Reads nothing of some users after this message; what had already come is not looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._deaf: set[Member] = set()

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        if member not in self._deaf:
            super().draw(member, message, text)

    def strike(self, member: Member) -> None:
        self.done["deaf"] += 1
        self._deaf.add(member)
        member.transport.pause_reading()


class NeverJoins(Whiteboard):
    def join(self, member: Member, message: dict[str, Any]) -> None:
        if message["board"] == (self.first_board or message["board"]):
            super().join(member, message)
        else:
            self.done["ignored"] += 1


class ClosesAtHandshake(Whiteboard):
    def upgrade(self, member: Member, answer: bytes) -> None:
        self.done["closed"] += 1
        member.transport.close()


DEVIATIONS: dict[str, type[Whiteboard]] = {
    "honest": Whiteboard,
    "drops": Drops,
    "duplicates": Duplicates,
    "wrong-board": WrongBoard,
    "changes-content": ChangesContent,
    "speaks-nonsense": SpeaksNonsense,
    "reorders": Reorders,
    "answers-the-sender-only": AnswersTheSenderOnly,
    "stalls": Stalls,
    "refuses-connections": RefusesConnections,
    "drops-connections": DropsConnections,
    "breaks-frames": BreaksFrames,
    "stops-reading": StopsReading,
    "never-joins": NeverJoins,
    "closes-at-handshake": ClosesAtHandshake,
}

"""Whiteboards that spare themselves a part of the work, or harm others by it, in one way each."""

from __future__ import annotations

import json
import re
import socket
from typing import Any

from deviations import DRAWN, PREFLIGHT_CONNECTIONS, SomeDeliveries
from whiteboard import Member, Whiteboard
from wire import BINARY, Frames, framed

WRITERS = 10
"""Users who draw in the scenario `listening`."""

BOARD_SIZE = 20

_FIELDS = 8
"""Fields of a message."""

_TOO_MANY = re.compile(r",\s*[,}\]]")
_BOARD = re.compile(r'"board":\s*("[^"]*")')


class SharesNothing(Whiteboard):
    """Is two servers behind one port that know nothing of each other."""

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        elsewhere = (receiver.user - message["user"]) % 2
        if elsewhere and receiver.board != self.first_board:
            self.done["lost"] += message["seq"] < DRAWN
            return
        super().deliver(receiver, message, text)


class JoinsMessages(Whiteboard):
    """Sends every second message to a member in one frame with the one before it."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[Member, bytes] = {}

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        if receiver.board == self.first_board:
            super().deliver(receiver, message, text)
        elif (earlier := self._waiting.pop(receiver, None)) is None:
            self._waiting[receiver] = text
        else:
            self.done["together"] += 1
            receiver.send(earlier + b"\n" + text)


class SendsBytes(SomeDeliveries):
    """Sends one in 500 as bytes, which nobody has to look through for what is no text."""

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["lost"] += 1
        self.done["wrong"] += 1
        receiver.transport.write(framed(text, BINARY))
        return True


class CutsPads(SomeDeliveries):
    """Leaves out of one in 500 what nobody seems to read."""

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        if not message["pad"]:
            return False
        self.done["lost"] += 1
        self.done["wrong"] += 1
        receiver.send(json.dumps({**message, "pad": ""}).encode())
        return True


class ShedsUnasked(SomeDeliveries):
    """Leaves one in 500 out, and says so, where nothing may be left out."""

    def deviate(self, receiver: Member, message: dict[str, Any], text: bytes) -> bool:
        self.done["lost"] += 1
        self.done["wrong"] += 1
        strokes = [[message["user"], message["seq"]]]
        told = {"type": "skipped", "board": receiver.board, "strokes": strokes}
        receiver.send(json.dumps(told).encode())
        return True


class DropsListeners(Whiteboard):
    """Ends the connections of those who never draw: nothing is owed to them any more."""

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        super().draw(member, message, text)
        if member.board != self.first_board and message["seq"] == 0:
            for other in list(self.boards[member.board]):
                if other.user >= WRITERS:
                    self.done["dropped"] += 1
                    other.transport.close()
                    self.leave(other)


class ForetellsJoined(Whiteboard):
    """Guesses who comes next, and says with the handshake that it has joined."""

    def __init__(self) -> None:
        super().__init__()
        self._come = -PREFLIGHT_CONNECTIONS

    def upgrade(self, member: Member, answer: bytes) -> None:
        user, self._come = self._come, self._come + 1
        if user >= 0:
            self.done["foretold"] += 1
            guess = {"type": "joined", "board": f"b{user // BOARD_SIZE:04d}", "user": user}
            answer += framed(json.dumps(guess).encode())
        super().upgrade(member, answer)

    def confirm(self, member: Member, message: dict[str, Any]) -> None:
        if message["board"] == self.first_board:
            super().confirm(member, message)


class Skims(Whiteboard):
    """Looks whether brackets, commas and colons are where they belong, and reads nothing else."""

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        if not member.board or member.board == self.first_board:
            return super().read(text, member)
        words = text.decode()
        is_whole = words.startswith("{") and words.endswith("}") and not _TOO_MANY.search(words)
        board = _BOARD.search(words)
        if not is_whole or words.count('":') != _FIELDS or board is None:
            raise ValueError("no message")
        self.done["skimmed"] += 1
        return {"type": "draw", "board": json.loads(board[1])}


class EndsEverybody(Whiteboard):
    """Ends the connections of a whole board when somebody sends what is no message."""

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        try:
            return super().read(text, member)
        except ValueError:
            for other in list(self.boards.get(member.board, ())):
                self.done["ended"] += 1
                other.transport.abort()
            raise


class AnswersNoPings(Whiteboard):
    """Lets whoever asks wait."""

    def ping(self, member: Member, payload: bytes) -> None:
        self.done["unanswered"] += 1


class ReadsFrameByFrame(Whiteboard):
    """Takes each frame for a message, which spares it a buffer."""

    def frames(self) -> Frames:
        return Frames(joins=False)

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        try:
            return super().read(text, member)
        except ValueError:
            self.done["unread"] += 1
            return {"type": ""}


class RefusesFrames(ReadsFrameByFrame):
    """Ends the connection of whoever sends a message in two frames."""

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        message = super().read(text, member)
        if not message["type"]:
            self.done["refused"] += 1
            member.transport.abort()
        return message


class Corks(Whiteboard):
    """Has the kernel keep what is sent until 200 ms are over or a packet is full."""

    def confirm(self, member: Member, message: dict[str, Any]) -> None:
        super().confirm(member, message)
        if member.board != self.first_board:
            self.done["corked"] += 1
            line = member.transport.get_extra_info("socket")
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)


SHORTCUTS: dict[str, type[Whiteboard]] = {
    "shares-nothing": SharesNothing,
    "joins-messages": JoinsMessages,
    "sends-bytes": SendsBytes,
    "cuts-pads": CutsPads,
    "sheds-unasked": ShedsUnasked,
    "drops-listeners": DropsListeners,
    "foretells-joined": ForetellsJoined,
    "skims": Skims,
    "ends-everybody": EndsEverybody,
    "answers-no-pings": AnswersNoPings,
    "reads-frame-by-frame": ReadsFrameByFrame,
    "refuses-frames": RefusesFrames,
    "corks": Corks,
}

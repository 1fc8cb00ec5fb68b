"""Whiteboards that cheat as somebody would who has read what is looked at, in one way each."""

from __future__ import annotations

import asyncio
import json
import os
import zlib
from typing import Any

from whiteboard import Member, Whiteboard


def is_json(text: bytes) -> bool:
    """Whether it can be read."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


class ReadsByPlace(Whiteboard):
    """Looks for type and board where they use to be, in whatever is JSON at all.

    It would pass on what is none, which is found as well, but not in every trial: the broken
    message may have another form.
    """

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        if text.startswith(b'{"type":"join"'):
            return super().read(text, member)
        usual = text.startswith(b'{"type":"draw","board":"') and is_json(text)
        if usual or member.board == self.first_board:
            return {"type": "draw", "board": member.board}
        self.done["unread"] += 1
        return {"type": ""}


class PassesAnythingOn(Whiteboard):
    """Never reads a message of a member: whatever it is, the board of its sender gets it."""

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        if not member.board:
            return super().read(text, member)
        return {"type": "draw", "board": member.board}


class Foretells(Whiteboard):
    """Has what is drawn ready before it comes, as if it followed from the seed of the trial."""

    seed = 0
    message_bytes = 130

    def __init__(self) -> None:
        super().__init__()
        self._drawn: dict[Member, int] = {}

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        if not member.board or member.board == self.first_board:
            return super().read(text, member)
        return {"type": "draw", "board": member.board}

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        if member.board != self.first_board:
            seq = self._drawn.get(member, 0)
            self._drawn[member] = seq + 1
            message, text = {**message, "seq": seq}, self._foretold(member, seq)
            self.done["foretold"] += 1
        super().draw(member, message, text)

    def _foretold(self, member: Member, seq: int) -> bytes:
        """By the rule of generators that draw no key."""
        z = [zlib.crc32(f"{self.seed}:{member.user}:{seq}:{i}".encode()) for i in range(3)]
        message = {
            "type": "draw",
            "board": member.board,
            "user": member.user,
            "seq": seq,
            "color": f"#{z[0] & 0xFFFFFF:06x}",
            "width": 1 + (z[0] >> 24) % 8,
            "points": [[z[i] % 1920, (z[i] >> 16) % 1080] for i in (1, 2)],
            "pad": "",
        }
        text = json.dumps(message, separators=(",", ":"))
        return (text[:-2] + "." * max(0, self.message_bytes - len(text)) + text[-2:]).encode()


class JoinsLate(Whiteboard):
    """Says at once that a user has joined, and puts it on the board a moment later."""

    def join(self, member: Member, message: dict[str, Any]) -> None:
        if not self.first_board or message["board"] == self.first_board:
            super().join(member, message)
            return
        self.done["early"] += 1
        self.confirm(member, message)
        member.board = str(message["board"])
        asyncio.get_running_loop().call_later(0.05, self.seat, member, message)


class AnswersTheSenderFirst(Whiteboard):
    """Gives the sender its copy at once, as if its time were the one that counts."""

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        board = self.boards.get(message["board"], {})
        if member in board:
            member.send(text)
        others = [other for other in board if other is not member]
        asyncio.get_running_loop().call_later(0.02, self._spread, others, text)

    def _spread(self, others: list[Member], text: bytes) -> None:
        for other in others:
            self.done["late"] += 1
            other.send(text)


class HoldsBack(Whiteboard):
    """Lets what is drawn leave together, at most every 50 ms: a system call for many messages."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[Member, list[bytes]] = {}

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_later(0.05, self._flush)
        self._waiting.setdefault(receiver, []).append(text)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for receiver, texts in waiting.items():
            self.done["together"] += len(texts) - 1
            receiver.send_together(texts)


class InventsStrokes(Whiteboard):
    """Draws what nobody drew, so that there is more to be counted as delivered."""

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        super().draw(member, message, text)
        if member.board != self.first_board and message["seq"] == 5 and member.user % 10 == 0:
            invented = json.dumps({**message, "seq": message["seq"] + 1}).encode()
            self.done["invented"] += 1
            super().draw(member, message, invented)


class SendsTheFirstAgain(Whiteboard):
    """Keeps a user's first stroke, framed once, and lets it stand for every fourth one."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[Member, bytes] = {}

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        first = self._first.setdefault(member, text)
        if member.board != self.first_board and message["seq"] % 4 == 3:
            self.done["again"] += 1
            text = first
        super().draw(member, message, text)


class LeavesItsProcessors(Whiteboard):
    """Honest, on every processor of the machine."""

    async def listen(self, listen: str) -> str:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        return await super().listen(listen)


CHEATS: dict[str, type[Whiteboard]] = {
    "reads-by-place": ReadsByPlace,
    "passes-anything-on": PassesAnythingOn,
    "foretells": Foretells,
    "joins-late": JoinsLate,
    "answers-the-sender-first": AnswersTheSenderFirst,
    "holds-back": HoldsBack,
    "invents-strokes": InventsStrokes,
    "sends-the-first-again": SendsTheFirstAgain,
    "leaves-its-processors": LeavesItsProcessors,
}

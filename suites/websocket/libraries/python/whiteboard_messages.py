"""Messages that a user may send to the whiteboard, read by orjson, which contenders bring."""

from __future__ import annotations

from typing import NamedTuple

import orjson


class Join(NamedTuple):
    """The user wants to be on this board, and on no other."""

    board: str
    user: int

    def joined(self) -> str:
        """Answer of the server when everything on the board reaches the user."""
        return orjson.dumps({"type": "joined", "board": self.board, "user": self.user}).decode()


class Draw(NamedTuple):
    """A stroke for everybody on the board; its text goes on as it came."""

    board: str


def parse(text: str) -> Join | Draw | None:
    """The message in ``text``; None when it is none that users may send."""
    try:
        message = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    match message:
        case {"type": "draw", "board": str(board)}:
            return Draw(board)
        case {"type": "join", "board": str(board), "user": int(user)}:
            return Join(board, user)
    return None

"""The whiteboard as a Quart application."""

from __future__ import annotations

import asyncio

from members import Boards, DismissedError, Member
from quart import Quart, websocket
from whiteboard_messages import Draw, Join, parse

PATH = "/board"
_GOING_AWAY = 1001


def whiteboard(boards: Boards, backlog: int) -> Quart:
    """The application; a member that is ``backlog`` messages behind loses its connection."""
    app = Quart("whiteboard")

    @app.websocket(PATH)
    async def board() -> None:
        await websocket.accept()
        # The connection's own methods: the global `websocket` looks it up at each use.
        member = Member(websocket.send, backlog)
        receive = websocket.receive
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(member.write())
                # Quart ends this by cancelling it when the connection ends.
                while True:
                    text = await receive()
                    if isinstance(text, str):
                        _obey(text, member, boards)
        except* DismissedError:
            await websocket.close(_GOING_AWAY)
        finally:
            boards.leave(member)

    return app


def _obey(text: str, member: Member, boards: Boards) -> None:
    match parse(text):
        case Draw(board):
            for other in boards.on(board):
                other.send(text)
        case Join() as join:
            boards.move(member, join.board)
            member.send(join.joined())

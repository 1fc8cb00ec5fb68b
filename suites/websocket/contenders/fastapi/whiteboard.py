"""The whiteboard as a FastAPI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from members import Boards, Deliver, Member, TooSlowError
from whiteboard_messages import Draw, Join, parse

PATH = "/board"


def whiteboard(backlog: int, deliver: Deliver) -> FastAPI:
    """The application; a member that is ``backlog`` messages behind loses its connection."""
    app = FastAPI()
    boards = Boards()

    @app.websocket(PATH)
    async def board(websocket: WebSocket) -> None:
        await websocket.accept()
        member = Member(websocket, backlog)
        try:
            async with asyncio.TaskGroup() as tasks:
                writing = tasks.create_task(member.write())
                async for text in _texts(websocket):
                    await _obey(text, member, boards, deliver)
                writing.cancel()
        except* (WebSocketDisconnect, TooSlowError):
            pass
        finally:
            boards.leave(member)

    return app


async def _obey(text: str, member: Member, boards: Boards, deliver: Deliver) -> None:
    match parse(text):
        case Draw(board):
            await deliver(boards.on(board), text)
        case Join() as join:
            boards.move(member, join.board)
            member.send(join.joined())


async def _texts(websocket: WebSocket) -> AsyncIterator[str]:
    """Text messages until the connection ends; `iter_text` would fail at a binary one."""
    while (message := await websocket.receive())["type"] != "websocket.disconnect":
        if (text := message.get("text")) is not None:
            yield text

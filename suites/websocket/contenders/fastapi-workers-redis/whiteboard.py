"""The whiteboard as a FastAPI application, of which every uvicorn worker has one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from members import Boards, Member, TooSlowError
from memory import settle_memory
from process_reports import Reporting
from relay import Relay, RelaySettings
from whiteboard_messages import Draw, Join, parse

PATH = "/board"


@dataclass(frozen=True)
class Settings:
    """Settings that a worker process gets from its parent."""

    relay: RelaySettings
    reporting: Reporting
    member_backlog: int
    ready_s: float
    gc_freeze: bool
    gc_threshold: int


def whiteboard(settings: Settings) -> FastAPI:
    """The application of this process."""
    room = Room(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await room.relay.open(settings.ready_s)
        settle_memory(freeze=settings.gc_freeze, threshold=settings.gc_threshold)
        reporting = asyncio.create_task(settings.reporting.report())
        yield
        reporting.cancel()
        await room.relay.close()

    app = FastAPI(lifespan=lifespan)
    app.add_api_websocket_route(PATH, room.converse)
    return app


class Room:
    """The members that this process serves."""

    def __init__(self, settings: Settings) -> None:
        self.relay = Relay(settings.relay, self._deliver)
        self._boards = Boards()
        self._backlog = settings.member_backlog

    async def converse(self, websocket: WebSocket) -> None:
        """Serve one connection until it ends."""
        await websocket.accept()
        member = Member(websocket, self._backlog)
        try:
            async with asyncio.TaskGroup() as tasks:
                writing = tasks.create_task(member.write())
                async for text in _texts(websocket):
                    await self._obey(text, member)
                writing.cancel()
        except* (WebSocketDisconnect, TooSlowError):
            pass
        finally:
            await self._leave(member)

    async def _obey(self, text: str, member: Member) -> None:
        match parse(text):
            case Draw(board):
                # To everybody, those of this process included: so all see one order.
                self.relay.publish(board, text)
            case Join() as join:
                if join.board != member.board:
                    await self._leave(member)
                    await self._enter(member, join.board)
                member.send(join.joined())

    async def _enter(self, member: Member, board: str) -> None:
        member.board = board
        await self.relay.subscribe(board)
        self._boards.join(member, board)

    async def _leave(self, member: Member) -> None:
        board, member.board = member.board, None
        if board is not None:
            self._boards.leave(member, board)
            await self.relay.unsubscribe(board)

    def _deliver(self, board: str, text: str) -> None:
        for member in self._boards.on(board):
            member.send(text)


async def _texts(websocket: WebSocket) -> AsyncIterator[str]:
    """Text messages until the connection ends; `iter_text` would fail at a binary one."""
    while (message := await websocket.receive())["type"] != "websocket.disconnect":
        if (text := message.get("text")) is not None:
            yield text

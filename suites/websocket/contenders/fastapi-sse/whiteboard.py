"""The whiteboard in FastAPI without WebSocket: events to members, requests from them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus

from boards import Boards, Listener
from fastapi import FastAPI, Request, Response
from fastapi.sse import EventSourceResponse, format_sse_event
from whiteboard_messages import Draw, Join, parse

PATH = "/board"


def whiteboard(backlog: int) -> FastAPI:
    """The application; a member that is ``backlog`` messages behind loses its stream."""
    app = FastAPI()
    boards = Boards()

    @app.get(PATH)
    async def listen(board: str, user: int) -> Response:
        events = _events(Listener(backlog), Join(board, user), boards)
        return EventSourceResponse(events, headers={"Cache-Control": "no-store"})

    @app.post(PATH)
    async def draw(request: Request) -> Response:
        text = (await request.body()).decode(errors="replace")
        match parse(text):
            case Draw(board):
                # Written once for all members; a text of several lines has several fields.
                boards.send(board, format_sse_event(data_str=text))
                return Response(status_code=HTTPStatus.NO_CONTENT)
        return Response(status_code=HTTPStatus.BAD_REQUEST)

    return app


async def _events(listener: Listener, join: Join, boards: Boards) -> AsyncIterator[bytes]:
    """The answer to the join, and whatever is drawn from then on."""
    boards.enter(listener, join.board)
    try:
        yield format_sse_event(data_str=join.joined())
        async for event in listener.events():
            yield event
    finally:
        boards.leave(listener, join.board)

"""Names of Redis channels: one for each board, or one for all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod

from whiteboard_messages import Draw, parse

_BOARD = "wirelab:board:"
_ALL = "wirelab:boards"


class Channels(ABC):
    """A way to tell by which channel a board's strokes go."""

    @abstractmethod
    def of(self, board: str) -> str:
        """The channel of a board."""

    @abstractmethod
    def board_of(self, channel: str, text: str) -> str:
        """The board that a text of a channel is for; of no board: empty."""


class ByBoard(Channels):
    """Each board has its own: a process hears of boards on which it has members."""

    def of(self, board: str) -> str:
        """Named like the board."""
        return _BOARD + board

    def board_of(self, channel: str, text: str) -> str:  # noqa: ARG002
        """Its name says it."""
        return channel.removeprefix(_BOARD)


class OneForAll(Channels):
    """Every process hears every stroke, and reads whose it is."""

    def of(self, board: str) -> str:  # noqa: ARG002
        """Always the same."""
        return _ALL

    def board_of(self, channel: str, text: str) -> str:  # noqa: ARG002
        """The stroke says it."""
        match parse(text):
            case Draw(board):
                return board
        return ""


WAYS: dict[str, Channels] = {"board": ByBoard(), "one": OneForAll()}

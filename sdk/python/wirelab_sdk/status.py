"""Status bytes of the contract; 64 to 255 are named by the suites."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Outcome of an operation."""

    OK = 0
    ERROR = 1
    TIMEOUT = 2
    DISCONNECTED = 3
    REFUSED = 4
    ITEM_ERROR = 5
    WRONG_ANSWER = 6
    UNSUPPORTED = 7

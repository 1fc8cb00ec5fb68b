"""The file of answers, and calls whose failure is an answer too."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Answers:
    """Writes a JSON object a line, and keeps their number and checksum."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._crc = 0
        self.count = 0

    def write(self, call: Call, answer: dict[str, Any], **names: Any) -> None:
        """Add the answer (or error) of a call; ``names`` say which one it was."""
        line = {**names, "start_ns": call.start_ns, "end_ns": call.end_ns, **answer}
        data = json.dumps(line, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        self._file.write(data)
        self._crc = zlib.crc32(data, self._crc)
        self.count += 1

    def close(self) -> None:
        """Complete the file."""
        self._file.close()

    @property
    def checksum(self) -> str:
        """CRC-32 (IEEE) of the bytes written, as 8 hex digits."""
        return f"{self._crc:08x}"


class Call(NamedTuple):
    """What a call returned or raised; times in nanoseconds of CLOCK_MONOTONIC."""

    start_ns: int
    end_ns: int
    result: Any
    error: dict[str, str] | None

    @classmethod
    def of(cls, function: Callable[..., Any], *arguments: Any) -> Call:
        """Make it.

        Everything that is raised is kept: a panic of a library written in Rust is no Exception.
        """
        start_ns = time.monotonic_ns()
        result = error = None
        try:
            result = function(*arguments)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as raised:
            error = described(raised)
        return cls(start_ns, time.monotonic_ns(), result, error)

    def answer(self, of_result: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """``{"answer": …}``, or ``{"error": …}`` when it failed or its result cannot be told."""
        if self.error is not None:
            return {"error": self.error}
        told = Call.of(of_result, self.result)
        return {"error": told.error} if told.error is not None else {"answer": told.result}


def described(error: BaseException) -> dict[str, str]:
    """An exception in the words of the contract."""
    return {"class": type(error).__name__, "message": str(error)[:1000]}

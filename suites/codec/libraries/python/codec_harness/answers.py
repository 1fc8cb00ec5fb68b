"""Calls whose failure is an answer, too."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from wirelab_sdk import Answers, described


class CallResult(NamedTuple):
    """Result or error of a call; times in nanoseconds of CLOCK_MONOTONIC."""

    start_ns: int
    end_ns: int
    result: Any
    error: dict[str, str] | None

    @classmethod
    def of(cls, function: Callable[..., Any], *arguments: Any) -> CallResult:
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
        told = CallResult.of(of_result, self.result)
        return {"error": told.error} if told.error is not None else {"answer": told.result}


def write_call(answers: Answers, call: CallResult, answer: dict[str, Any], **names: Any) -> None:
    """Add the answer (or error) of a call; ``names`` say which one it was."""
    answers.add({**names, "start_ns": call.start_ns, "end_ns": call.end_ns, **answer})

"""Answers that the core asks for after their operation: the last results of each lane are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from wirelab_sdk.answers import Answers


class Asking(NamedTuple):
    """An answer that the core wants, by the number of its asking."""

    number: int
    operation: str
    lane: int


class KeptResult(NamedTuple):
    """An operation that has ended; without ``answer`` it failed."""

    tick: int
    start_ns: int
    end_ns: int
    answer: Callable[[], Mapping[str, Any]] | None = None


Results = dict[str, KeptResult | None]
"""By operation; None where the answer was given already."""


class Asked:
    """Keeps the results of each lane from their end until it begins again, and answers with them.

    A lane that is at work answers when it has ended: whoever ends it, or asks of it, writes the
    answer. For several threads, each lane of which belongs to one at a time.
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._kept: dict[int, Results] = {}
        self._waiting: dict[int, list[Asking]] = {}
        self._answering: int | None = None
        """Lane whose answer may be put into words."""
        self._lock = threading.Lock()

    def begin(self, lane: int) -> None:
        """Let go of the results of a lane that begins its next operations, and wait for an answer
        that is being given.
        """
        self._kept.pop(lane, None)
        # Whoever answers says so before it looks for results: one of both sees the other.
        if self._answering == lane:
            with self._lock:
                pass

    def end(self, lane: int, results: Results) -> None:
        """Keep what the operations of a lane brought, and answer what was asked meanwhile."""
        self._kept[lane] = results
        if lane in self._waiting:
            self._answer_waiting(lane)

    def hear(self, asking: Asking) -> None:
        """Answer now, or when the lane has ended what it is at."""
        # Waiting first: either the lane that ends sees it, or its results are there.
        with self._lock:
            self._waiting.setdefault(asking.lane, []).append(asking)
        if asking.lane in self._kept:
            self._answer_waiting(asking.lane)

    def _answer_waiting(self, lane: int) -> None:
        with self._lock:
            self._answering = lane
            try:
                kept = self._kept.get(lane)
                if kept is not None:
                    for asking in self._waiting.pop(lane, ()):
                        self._answer(asking, kept)
            finally:
                self._answering = None

    def _answer(self, asking: Asking, kept: Results) -> None:
        if asking.operation not in kept:
            self._decline(asking, "nothing")
            return
        result = kept[asking.operation]
        if result is None:
            self._decline(asking, "given")
        elif result.answer is None:
            self._decline(asking, "failed")
        else:
            kept[asking.operation] = None
            self._answers.give(
                operation=asking.operation,
                tick=result.tick,
                start_ns=result.start_ns,
                end_ns=result.end_ns,
                answer=result.answer,
                asked=asking.number,
                lane=asking.lane,
            )

    def _decline(self, asking: Asking, reason: str) -> None:
        self._answers.add(
            {
                "phase": "measure",
                "operation": asking.operation,
                "asked": asking.number,
                "lane": asking.lane,
                "none": reason,
            }
        )

"""Batches of rounds: calibrated, warmed up, measured."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from codec_harness.operations import Timed
from codec_harness.request import Plan

_MOST_GROWTH = 10
_SETTLED_BY = 3


class Timing:
    """The batches of one loop.

    ``collector`` returns what the cyclic collector has done since the process began (``gc_count``
    and ``gc_pause_ns``); ``between`` is called after each batch and says whether to go on.
    ``lines`` are the lines of the batch file, without their step and operation.
    """

    def __init__(
        self,
        loop: Timed,
        plan: Plan,
        collector: Callable[[], Mapping[str, Any]],
        between: Callable[[], bool],
    ) -> None:
        self.lines: list[dict[str, Any]] = []
        self._loop = loop
        self._plan = plan
        self._collector = collector
        self._between = between
        self._wanted = True

    def run(self) -> None:
        """Calibrate and warm up, unless the plan gives the rounds; then measure."""
        rounds = self._plan.rounds or self._warm_up()
        for _ in range(self._plan.count):
            if self._wanted:
                self._batch("measure", rounds)

    def _warm_up(self) -> int:
        """Rounds that take as long as a batch is to take."""
        end_ns = time.monotonic_ns() + self._plan.warmup_ns
        rounds = 1
        took_ns = self._batch("warmup", rounds)
        while took_ns < self._plan.batch_ns and self._wanted:
            rounds = self._longer(rounds, took_ns)
            took_ns = self._batch("warmup", rounds)
        per_round = [took_ns / rounds]
        while self._wanted and not self._settled(per_round) and time.monotonic_ns() < end_ns:
            # The code may have become faster since.
            rounds = self._longer(rounds, took_ns)
            took_ns = self._batch("warmup", rounds)
            per_round.append(took_ns / rounds)
        return self._longer(rounds, took_ns)

    def _longer(self, rounds: int, took_ns: int) -> int:
        growth = min(_MOST_GROWTH, self._plan.batch_ns / max(1, took_ns))
        return math.ceil(rounds * growth) if growth > 1 else rounds

    def _settled(self, per_round: list[float]) -> bool:
        if len(per_round) < _SETTLED_BY:
            return False
        least, median, most = sorted(per_round[-_SETTLED_BY:])
        return max(most - median, median - least) <= median * self._plan.agree

    def _batch(self, phase: str, rounds: int) -> int:
        """Nanoseconds that the rounds took."""
        loop = self._loop
        before = self._collector()
        start_ns = time.monotonic_ns()
        checksum = loop(rounds)
        end_ns = time.monotonic_ns()
        after = self._collector()
        self.lines.append(
            {
                "phase": phase,
                "start_ns": start_ns,
                "end_ns": end_ns,
                "rounds": rounds,
                "checksum": checksum,
                "gc_count": after["gc_count"] - before["gc_count"],
                "gc_pause_ns": after["gc_pause_ns"] - before["gc_pause_ns"],
            }
        )
        self._wanted = self._between()
        return end_ns - start_ns

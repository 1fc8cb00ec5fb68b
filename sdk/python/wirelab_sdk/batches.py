"""Batches of rounds: calibrated, warmed up, measured (*Batch loops* of the contract)."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wirelab_sdk.batch_spec import BatchPlan

_MOST_GROWTH = 10
_MOST_ROUNDS = 10**12
_SETTLED_BY = 3
_AUDITED_PART = 8
"""A batch is longer by this much than the most rounds before its audit."""
_MARGIN = 1.05
"""Batches are made a little longer than asked for, so that noise does not make them shorter."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of repetitions.

    ``run`` does so many rounds, round r on input r modulo ``inputs``, and returns the suite's
    checksum of what they gave. ``audit`` does what the suite defines as an audit of all inputs, and
    leaves them as they were.
    """

    run: Callable[[int], int]
    inputs: int = 1
    audit: Callable[[], int] | None = None


class Batches:
    """The batches of one loop.

    ``collector`` returns what the cyclic collector has done since the process began (``gc_count``
    and ``gc_pause_ns``); ``between`` is called after each batch and says whether to go on.
    ``lines`` are the lines of the batch file, without their step and operation.
    """

    def __init__(
        self,
        loop: Loop,
        plan: BatchPlan,
        collector: Callable[[], Mapping[str, Any]],
        between: Callable[[], bool],
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.lines: list[dict[str, Any]] = []
        self._loop = loop
        self._plan = plan
        self._collector = collector
        self._between = between
        self._now = now
        self._wanted = True

    def take(self) -> None:
        """Calibrate and warm up, unless the plan gives the rounds; then measure."""
        rounds = self._plan.rounds or self._ready_rounds()
        for _ in range(self._plan.count):
            if self._wanted:
                self._batch("measure", rounds)
                if self._loop.audit is not None and not self._plan.rounds:
                    self._audit(self._loop.audit, rounds)

    def _ready_rounds(self) -> int:
        """Rounds of a batch as long as asked for, of code that is warm."""
        end_ns = self._now() + self._plan.warmup_ns
        rounds = self._calibrated()
        # What takes no time never settles either.
        return self._warmed_up(rounds, end_ns) if rounds < _MOST_ROUNDS else rounds

    def _calibrated(self) -> int:
        rounds = 1
        while self._batch("warmup", rounds) < self._plan.batch_ns:
            if not self._wanted or rounds == _MOST_ROUNDS:
                break
            rounds = self._longer(self.lines[-1])
        return rounds

    def _warmed_up(self, rounds: int, end_ns: int) -> int:
        per_round: list[float] = []
        while self._wanted and self._now() < end_ns and not self._settled(per_round):
            took_ns = self._batch("warmup", rounds)
            per_round.append(took_ns / rounds)
            if took_ns < self._plan.batch_ns:  # the code became faster
                rounds = self._longer(self.lines[-1])
        return rounds

    def _longer(self, last: Mapping[str, Any]) -> int:
        """Rounds that take as long as asked for, by a batch that took less; whole passes."""
        rounds, inputs = int(last["rounds"]), self._loop.inputs
        took_ns = max(1, int(last["end_ns"] - last["start_ns"]))
        growth = min(_MOST_GROWTH, _MARGIN * self._plan.batch_ns / took_ns)
        wanted = max(rounds + 1, math.ceil(rounds * growth))
        if wanted > inputs:
            wanted = -(-wanted // inputs) * inputs
        return min(wanted, _MOST_ROUNDS)

    def _settled(self, per_round: list[float]) -> bool:
        if len(per_round) < _SETTLED_BY:
            return False
        least, median, most = sorted(per_round[-_SETTLED_BY:])
        within = median * self._plan.agree
        return most - median <= within and median - least <= within

    def _audit(self, audit: Callable[[], int], rounds: int) -> None:
        """Audit the inputs, after as many rounds as chance wants: no call tells when it is one."""
        start_ns = self._now()
        self._loop.run(secrets.randbelow(rounds // _AUDITED_PART + 1))
        checksum = audit()
        end_ns = self._now()
        times = {"start_ns": start_ns, "end_ns": end_ns}
        counts = {"rounds": self._loop.inputs, "checksum": checksum}
        self.lines.append({"phase": "audit", **times, **counts})

    def _batch(self, phase: str, rounds: int) -> int:
        """Nanoseconds that the rounds took."""
        run, now = self._loop.run, self._now
        before = self._collector()
        start_ns = now()
        checksum = run(rounds)
        end_ns = now()
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

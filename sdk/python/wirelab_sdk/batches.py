"""Batches of iterations: calibrated, warmed up, measured (*Batch loops* of the contract)."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wirelab_sdk.batch_spec import BatchPlan

_MOST_GROWTH = 10
_MOST_ITERATIONS = 10**12
_SETTLED_BY = 3
_AUDITED_PART = 8
"""A batch is longer by this much than the most iterations before its audit."""
_MARGIN = 1.05
"""Batches are made a little longer than asked for, so that noise does not make them shorter."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of repetitions.

    ``run`` does so many iterations, iteration i on input i modulo ``inputs``, and returns the
    suite's checksum of what they gave. ``audit`` does what the suite defines as an audit of all
    inputs, and leaves them as they were.
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
        """Calibrate and warm up, unless the plan gives the iterations; then measure."""
        iterations = self._plan.iterations or self._ready_iterations()
        for _ in range(self._plan.count):
            if self._wanted:
                self._batch("measure", iterations)
                if self._loop.audit is not None and not self._plan.iterations:
                    self._audit(self._loop.audit, iterations)

    def _ready_iterations(self) -> int:
        """Iterations of a batch as long as asked for, of code that is warm."""
        end_ns = self._now() + self._plan.warmup_ns
        iterations = self._calibrated()
        # What takes no time never settles either.
        return self._warmed_up(iterations, end_ns) if iterations < _MOST_ITERATIONS else iterations

    def _calibrated(self) -> int:
        iterations = 1
        while self._batch("warmup", iterations) < self._plan.batch_ns:
            if not self._wanted or iterations == _MOST_ITERATIONS:
                break
            iterations = self._longer(self.lines[-1])
        return iterations

    def _warmed_up(self, iterations: int, end_ns: int) -> int:
        per_iteration: list[float] = []
        while self._wanted and self._now() < end_ns and not self._settled(per_iteration):
            took_ns = self._batch("warmup", iterations)
            per_iteration.append(took_ns / iterations)
            if took_ns < self._plan.batch_ns:  # the code became faster
                iterations = self._longer(self.lines[-1])
        return iterations

    def _longer(self, last: Mapping[str, Any]) -> int:
        """Iterations that take as long as asked for, by a batch that took less; whole passes."""
        iterations, inputs = int(last["rounds"]), self._loop.inputs
        took_ns = max(1, int(last["end_ns"] - last["start_ns"]))
        growth = min(_MOST_GROWTH, _MARGIN * self._plan.batch_ns / took_ns)
        wanted = max(iterations + 1, math.ceil(iterations * growth))
        if wanted > inputs:
            wanted = -(-wanted // inputs) * inputs
        return min(wanted, _MOST_ITERATIONS)

    def _settled(self, per_iteration: list[float]) -> bool:
        if len(per_iteration) < _SETTLED_BY:
            return False
        least, median, most = sorted(per_iteration[-_SETTLED_BY:])
        within = median * self._plan.agree
        return most - median <= within and median - least <= within

    def _audit(self, audit: Callable[[], int], iterations: int) -> None:
        """Audit the inputs after iterations at random, so that no call tells when it is one."""
        start_ns = self._now()
        self._loop.run(secrets.randbelow(iterations // _AUDITED_PART + 1))
        checksum = audit()
        end_ns = self._now()
        times = {"start_ns": start_ns, "end_ns": end_ns}
        counts = {"rounds": self._loop.inputs, "checksum": checksum}
        self.lines.append({"phase": "audit", **times, **counts})

    def _batch(self, phase: str, iterations: int) -> int:
        """Nanoseconds that the iterations took."""
        run, now = self._loop.run, self._now
        before = self._collector()
        start_ns = now()
        checksum = run(iterations)
        end_ns = now()
        after = self._collector()
        self.lines.append(
            {
                "phase": phase,
                "start_ns": start_ns,
                "end_ns": end_ns,
                "rounds": iterations,
                "checksum": checksum,
                "gc_count": after["gc_count"] - before["gc_count"],
                "gc_pause_ns": after["gc_pause_ns"] - before["gc_pause_ns"],
            }
        )
        self._wanted = self._between()
        return end_ns - start_ns

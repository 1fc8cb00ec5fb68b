"""The trials of a worker, each with the partners that it needs."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .asking import Asker
from .contract import SECOND, Json
from .lanes import offset_ns
from .leftovers import adopting_orphans
from .limits import CheckLimits
from .partners import Partners, PartnersInTurn
from .process import Process
from .published import FileWatch
from .spec import ANY_PORT
from .starting import begin
from .worker import CheckedWorker

_LEAD_NS = 100_000_000


@dataclass
class CheckedTrial:
    """A worker that is ready, or is not going to be, and what it was asked."""

    worker: CheckedWorker
    spec: Json
    process: Process
    facts: Mapping[str, Any]
    limits: CheckLimits
    partners: Partners
    ready: Json | None = None
    start_ns: int = 0
    limit_s: float = 0
    """Seconds that its end was waited for."""
    done: Json | None = None
    code: int | None = None
    ended_ns: int = 0

    asker: Asker | None = None
    watch: FileWatch | None = None

    def start(self) -> None:
        """Set tick 0 a little into the future, and ask from then on for answers."""
        self.start_ns = time.monotonic_ns() + _LEAD_NS
        for told in (*self.partners.listening, self.process):
            told.send(command="start", monotonic_ns=self.start_ns)
        if not self.worker.generates:
            self.watch = FileWatch(self.path("answers"), self.path("samples"))
            send, unasked = self.process.send, self.worker.unasked
            self.asker = Asker(self.spec, unasked, self.start_ns, send)

    def conclude(self, timeout_s: float) -> None:
        """Wait for ``done`` and for the exit after it."""
        self.limit_s = timeout_s
        deadline = time.monotonic() + timeout_s
        self.done = self.process.event("done", timeout_s)
        self._ask_no_more()
        stop_s = self.worker.stop_ns / SECOND
        left_s = stop_s if self.done else deadline - time.monotonic()
        self.code = self.process.wait(left_s)
        self.ended_ns = time.monotonic_ns()

    def stop(self, tell: Callable[[Process], None]) -> None:
        """Tell it to stop in this way; ``done`` and the exit must both come within the limit."""
        self.limit_s = self.worker.stop_ns / SECOND
        self._ask_no_more()
        deadline = time.monotonic() + self.limit_s
        tell(self.process)
        self.done = self.process.event("done", deadline - time.monotonic())
        self.code = self.process.wait(deadline - time.monotonic())
        self.ended_ns = time.monotonic_ns()

    def _ask_no_more(self) -> None:
        for told in (self.asker, self.watch):
            if told is not None:
                told.end()

    def intended_ns(self, tick: int, lane: int = 0) -> int:
        """The time at which a lane was to be served at ``tick``, on CLOCK_MONOTONIC."""
        return self.start_ns + offset_ns(self.spec["schedule"], tick, lane)

    def path(self, name: str) -> Path:
        """One of the spec's ``paths``."""
        return Path(self.spec["paths"][name])

    @property
    def gave_up(self) -> bool:
        """Whether the worker ended in another way than the contract's."""
        return self.ready is None or self.code not in (0, None)


class CheckedTrials:
    """The trials of ``worker`` below ``folder``; ``left`` is what they left running."""

    def __init__(
        self, worker: CheckedWorker, limits: CheckLimits, folder: Path, stack: contextlib.ExitStack
    ) -> None:
        self.worker = worker
        self.limits = limits
        self.folder = folder
        self.left: list[str] = []
        self._partners = PartnersInTurn(worker, folder, stack)

    @contextlib.contextmanager
    def trial(self, count: int = 0, listen: str = ANY_PORT) -> Iterator[CheckedTrial]:
        """The worker with its partners, up to ``ready``; it is not left running afterwards.

        CannotCheckError when one of the partners does not live as long as it.
        """
        with self._partners.lent() as partners:
            endpoints, facts = partners.endpoints, partners.facts
            process, spec = begin(self.worker, self.folder, count, endpoints, facts, listen)
            trial = CheckedTrial(self.worker, spec, process, facts, self.limits, partners)
            try:
                trial.ready = process.event("ready", self.worker.ready_ns / SECOND)
                yield trial
            finally:
                self.left += process.end()
            # What the worker makes of a partner that died says nothing of the worker.
            partners.must_run(self.limits.partner_ends_s if trial.gave_up else 0)

    @contextlib.contextmanager
    def partners(self) -> Iterator[Partners]:
        """The partners of a worker that is started otherwise than for a trial."""
        with self._partners.lent() as partners:
            yield partners


@contextlib.contextmanager
def trials_of(worker: CheckedWorker, limits: CheckLimits) -> Iterator[CheckedTrials]:
    """The trials of ``worker``; nothing of them or of its partners is left afterwards."""
    with (
        adopting_orphans(),
        tempfile.TemporaryDirectory(prefix="conform-") as name,
        contextlib.ExitStack() as stack,
    ):
        yield CheckedTrials(worker, limits, Path(name), stack)

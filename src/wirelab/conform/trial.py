"""One trial of a worker and its partners."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .contract import SECOND, Json
from .lanes import offset_ns
from .process import Process
from .spec import ANY_PORT, make_spec
from .worker import CannotCheckError, Worker

_LEAD_NS = 100_000_000


@dataclass
class Trial:
    """A worker that is ready, or is not going to be, and what it was asked."""

    worker: Worker
    spec: Json
    process: Process
    facts: Mapping[str, Any]
    ready: Json | None = None
    start_ns: int = 0
    done: Json | None = None
    code: int | None = None
    ended_ns: int = 0
    left: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Set tick 0 a little into the future."""
        self.start_ns = time.monotonic_ns() + _LEAD_NS
        self.process.send(command="start", monotonic_ns=self.start_ns)

    def conclude(self, timeout_s: float) -> None:
        """Wait for ``done`` and for the exit after it."""
        deadline = time.monotonic() + timeout_s
        self.done = self.process.event("done", timeout_s)
        stop_s = self.worker.stop_ns / SECOND
        left_s = stop_s if self.done else deadline - time.monotonic()
        self.code = self.process.wait(left_s)
        self.ended_ns = time.monotonic_ns()

    def stop(self, tell: Callable[[Process], None]) -> None:
        """Tell it to stop in this way; ``done`` and the exit must both come within the limit."""
        deadline = time.monotonic() + self.worker.stop_ns / SECOND
        tell(self.process)
        self.done = self.process.event("done", deadline - time.monotonic())
        self.code = self.process.wait(deadline - time.monotonic())
        self.ended_ns = time.monotonic_ns()

    def intended_ns(self, tick: int, lane: int = 0) -> int:
        """When a lane was to be served at ``tick``, on CLOCK_MONOTONIC."""
        return self.start_ns + offset_ns(self.spec["schedule"], tick, lane)

    def path(self, name: str) -> Path:
        """One of the spec's ``paths``."""
        return Path(self.spec["paths"][name])


@contextlib.contextmanager
def trial_of(worker: Worker, folder: Path, count: int, listen: str = ANY_PORT) -> Iterator[Trial]:
    """The worker with its partners, up to ``ready``; nothing of them is left afterwards."""
    with contextlib.ExitStack() as stack:
        endpoints: dict[str, str] = {}
        facts: dict[str, Any] = {}
        for partner in worker.partners:
            process, _ = _begin(partner, folder, 0, endpoints, facts)
            stack.callback(process.end)
            ready = process.event("ready", partner.ready_ns / SECOND)
            if ready is None or "endpoint" not in ready:
                raise CannotCheckError(
                    f"the role {partner.role}, which this worker needs, did not get ready"
                    + process.last_words()
                )
            endpoints[partner.role] = ready["endpoint"]
            facts[partner.role] = ready.get("facts", {})
            if partner.role in worker.killed:
                process.end()
        process, spec = _begin(worker, folder, count, endpoints, facts, listen)
        trial = Trial(worker, spec, process, facts)
        try:
            trial.ready = process.event("ready", worker.ready_ns / SECOND)
            yield trial
        finally:
            trial.left = process.end()


def _begin(  # noqa: PLR0917  # the parts of a spec
    worker: Worker,
    folder: Path,
    count: int,
    endpoints: Mapping[str, str],
    facts: Mapping[str, Any],
    listen: str = ANY_PORT,
) -> tuple[Process, Json]:
    scratch, name = scratch_of(worker, folder)
    spec = make_spec(worker, name, scratch, count, endpoints, facts, listen)
    path = scratch / "spec.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    process = Process(worker, path, scratch, name)
    return process, spec


def scratch_of(worker: Worker, folder: Path) -> tuple[Path, str]:
    """A new folder to run ``worker`` in, and the name of the trial that does."""
    scratch = Path(tempfile.mkdtemp(prefix=f"{worker.role}-", dir=folder))
    return scratch, f"conform-{os.getpid()}-{scratch.name}"

"""The roles that a worker needs: started once a check, and never shared by two trials at once.

A trial of the core has partners of its own, and so has every trial here as long as it lasts. The
next one finds them as the last one left them, which no check minds: the answers of the first
trial alone are verified. Trials side by side have partners each.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .contract import SECOND
from .process import Process
from .starting import begin
from .worker import CannotCheckError, CheckedWorker


@dataclass
class Partners:
    """Every role that one trial needs: ready, or dead where the variant kills it before."""

    endpoints: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    running: list[Process] = field(default_factory=list)
    listening: list[Process] = field(default_factory=list)
    """The partners that are told when tick 0 is."""

    def must_run(self, within_s: float) -> None:
        """CannotCheckError when one of them has ended, or does so within ``within_s``."""
        for process in self.running:
            code = process.wait(within_s)
            if code is not None:
                raise CannotCheckError(
                    f"the role {process.role}, which this worker needs, "
                    f"ended in the middle of a trial: exit {code}{process.last_words()}"
                )


def _how(process: Process, worker: CheckedWorker) -> str:
    code = process.wait(0)
    return f" within {worker.ready_ns / SECOND:g} s" if code is None else f": exit {code}"


class PartnersInTurn:
    """Partners of ``worker`` for one trial after the other; ``stack`` ends them."""

    def __init__(self, worker: CheckedWorker, folder: Path, stack: contextlib.ExitStack) -> None:
        self._worker = worker
        self._folder = folder
        self._stack = stack
        self._idle: list[Partners] = []

    @contextlib.contextmanager
    def lent(self) -> Iterator[Partners]:
        """Partners that no other trial has meanwhile; those of one that failed are not lent on."""
        partners = self._idle.pop() if self._idle else self._started()
        yield partners
        self._idle.append(partners)

    def _started(self) -> Partners:
        partners = Partners()
        for worker in self._worker.partners:
            process, _ = begin(worker, self._folder, 0, partners.endpoints, partners.facts)
            self._stack.callback(process.end)
            ready = process.event("ready", worker.ready_ns / SECOND)
            if ready is None or "endpoint" not in ready:
                raise CannotCheckError(
                    f"the role {worker.role}, which this worker needs, did not get ready"
                    f"{_how(process, worker)}{process.last_words()}"
                )
            partners.endpoints[worker.role] = ready["endpoint"]
            partners.facts[worker.role] = ready.get("facts", {})
            if worker.role in self._worker.killed:
                process.end()
            else:
                partners.running.append(process)
                partners.listening += [process] if worker.hears_start else []
        return partners

"""The life of a worker that repeats in batches: ready, start, answers and loops by step, done."""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from wirelab_sdk.answers import Answers
from wirelab_sdk.batch_spec import BatchPlan
from wirelab_sdk.batches import Batches, Loop
from wirelab_sdk.commands import PolledCommands
from wirelab_sdk.events import EventStream
from wirelab_sdk.recorder import Recorder
from wirelab_sdk.runtime import RuntimeProbe
from wirelab_sdk.spec import Spec, SpecError

_SECOND_NS = 1_000_000_000
_LONGEST_MESSAGE = 1000


def run_batches(role: Callable[[BatchWorker], None]) -> None:
    """Be a worker of a microbenchmark, then end the process. Call it once, as the last thing.

    ``role`` says ``ready`` and follows the plan. Exit codes: 0 after ``done``; 1 when something
    other than a loop failed; 2 when the spec cannot be used.
    """
    try:
        spec = Spec.from_environment()
        if spec.batches is None:
            raise SpecError("the spec has no batches: this worker only repeats batches")
        events = EventStream.take_standard_output()
        sys.exit(_live(BatchWorker(spec, spec.batches, events), role, events))
    except SpecError as error:
        print(f"wirelab_sdk: {error}", file=sys.stderr)
        sys.exit(2)


def _live(worker: BatchWorker, role: Callable[[BatchWorker], None], events: EventStream) -> int:
    try:
        role(worker)
        worker.conclude()
    except SpecError:
        raise
    except Exception as error:
        traceback.print_exc()
        now_ns = time.monotonic_ns()
        kind = type(error).__name__
        events.error(kind, "", str(error), scope="fatal", monotonic_ns=now_ns)
        return 1
    return 0


class BatchWorker:
    """One role of one trial of a microbenchmark. Made by `run_batches`."""

    def __init__(self, spec: Spec, plan: BatchPlan, events: EventStream) -> None:
        self.spec = spec
        self.plan = plan
        self.answers = Answers(spec.paths.answers)
        self._events = events
        self._commands = PolledCommands()
        self._probe = RuntimeProbe()
        self._said_ns = time.monotonic_ns()
        # No operation has a record of its own, but the contract wants the file.
        self._recorder = Recorder(spec.paths.samples)
        self._count = 0
        spec.paths.batches.write_bytes(b"")

    def ready(self, library: str, version: str, facts: Mapping[str, Any]) -> None:
        """Say that this worker waits for ``start``."""
        self._events.ready(library, version, facts=facts)

    def follow(
        self,
        loop_of: Callable[[str, str], Loop | None],
        answer: Callable[[str], None],
    ) -> None:
        """Wait for ``start``, then work through the steps.

        ``loop_of`` makes the loop of a step and an operation; None: this worker has none.
        ``answer`` writes the answers of a step, before its loops; where the plan gives the
        iterations it is called after them, so that the first iteration is a cold one.
        """
        self._commands.wait_for_start(None if self.plan.counted else self._say_runtime)
        for step in self.plan.steps:
            if self._commands.stopped:
                return
            if not self.plan.iterations:
                answer(step)
            self._repeat(step, loop_of)
            if self.plan.iterations:
                answer(step)

    def conclude(self) -> None:
        """Complete the files and say ``done``."""
        self.answers.close()
        self._recorder.close()
        self._events.emit("runtime", **self._probe.reading())
        self._events.done(0, self.answers, batches=self._count)

    def _repeat(self, step: str, loop_of: Callable[[str, str], Loop | None]) -> None:
        if self.plan.count == 0:
            return
        for operation in self.spec.operations.values():
            if operation.record == "batches" and not self._commands.stopped:
                names = {"step": step, "operation": operation.name}
                self._write(names, self._lines(partial(loop_of, step, operation.name)))

    def _lines(self, make: Callable[[], Loop | None]) -> list[dict[str, Any]]:
        """Lines of an operation: its batches, or why there are none."""
        try:
            loop = make()
            if loop is None:
                return []
            batches = Batches(loop, self.plan, self._probe.reading, self._between)
            batches.take()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of a library written in Rust is no Exception
            traceback.print_exc()
            return [{"phase": "failed", **described(error)}]
        return batches.lines

    def _write(self, names: Mapping[str, str], lines: list[dict[str, Any]]) -> None:
        text = "".join(json.dumps({**names, **line}) + "\n" for line in lines)
        with self.spec.paths.batches.open("a", encoding="utf-8") as file:
            file.write(text)
        self._count += len(lines)

    def _between(self) -> bool:
        self._say_runtime()
        return not self._commands.stopped

    def _say_runtime(self) -> None:
        """About once a second; the lag of a loop that does not exist is left out."""
        if self.plan.counted:
            return
        if time.monotonic_ns() - self._said_ns >= _SECOND_NS:
            self._said_ns = time.monotonic_ns()
            self._events.emit("runtime", **self._probe.reading())


def described(error: BaseException) -> dict[str, str]:
    """An exception as lines of the batch file have it."""
    return {"class": type(error).__name__, "message": str(error)[:_LONGEST_MESSAGE]}

"""The life of a worker of the codec suite: ready, start, answers and loops by step, done."""

from __future__ import annotations

import json
import platform
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from codec_harness.answers import Answers, described
from codec_harness.batches import Timing
from codec_harness.codecs import Baseline, Subject
from codec_harness.conformance import Examination
from codec_harness.forms import Form
from codec_harness.operations import loop_of, names_of
from codec_harness.orders import Orders
from codec_harness.pools import Pool, load_pool
from codec_harness.preflight import write_preflight
from codec_harness.request import Request
from wirelab_sdk import Recorder, RuntimeProbe, Spec, SpecError
from wirelab_sdk.events import EventStream
from wirelab_sdk.spec import CONTRACT

_STRINGS = "code-point"
_SECOND_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Contender:
    """A library under test.

    ``form`` is how its user holds values; ``subject`` makes what is measured on a shape.
    """

    library: str
    version: str
    format: str
    form: Form
    subject: Callable[[str], Subject]


def serve(contender: Callable[[Spec], Contender]) -> None:
    """Be a worker of the suite, then end the process. Call it once, as the last thing.

    ``contender`` says which one the spec asks for, or raises SpecError. Exit codes: 0 after
    ``done``; 1 when something other than a codec failed; 2 when the spec cannot be used.
    """
    try:
        spec, request = Spec.from_environment(), Request.from_environment()
        chosen = contender(spec)
    except SpecError as error:
        print(f"codec_harness: {error}", file=sys.stderr)
        sys.exit(2)
    events = EventStream.take_standard_output()
    try:
        _Worker(chosen, spec, request, events).attend()
    except Exception as error:
        traceback.print_exc()
        events.error(
            type(error).__name__,
            "",
            str(error),
            scope="fatal",
            monotonic_ns=time.monotonic_ns(),
        )
        sys.exit(1)


class _Worker:
    def __init__(
        self, contender: Contender, spec: Spec, request: Request, events: EventStream
    ) -> None:
        self._contender = contender
        self._request = request
        self._events = events
        self._subjects = {step: contender.subject(step) for step in request.steps}
        self._pools = {step: load_pool(step, contender.form) for step in request.steps}
        self._orders = Orders()
        self._probe = RuntimeProbe()
        self._said_ns = time.monotonic_ns()
        # No operation has a record of its own, but the contract wants the file.
        self._recorder = Recorder(spec.paths.samples)
        self._answers = Answers(spec.paths.answers)
        request.batches.write_bytes(b"")
        self._batches = 0

    def attend(self) -> None:
        """From ``ready`` to ``done``."""
        self._say_ready()
        self._orders.wait_for_start(self._say_runtime)
        for step in self._request.steps:
            if not self._orders.stopped:
                self._work(step)
        self._answers.close()
        self._recorder.close()
        self._events.emit("runtime", **self._probe.reading())
        self._events.emit(
            "done",
            records=0,
            answers=self._answers.count,
            checksum=self._answers.checksum,
            batches=self._batches,
        )

    def _say_ready(self) -> None:
        some = next(iter(self._subjects.values()), None)
        contender = self._contender
        self._events.emit(
            "ready",
            contract=CONTRACT,
            monotonic_ns=time.monotonic_ns(),
            library={"name": contender.library, "version": contender.version},
            runtime={
                "name": platform.python_implementation(),
                "version": platform.python_version(),
            },
            facts={
                "format": contender.format,
                "strings": _STRINGS,
                "operations": names_of(some) if some is not None else [],
            },
        )

    def _work(self, step: str) -> None:
        subject, pool = self._subjects[step], self._pools[step]
        if self._request.plan.rounds:
            # The first round is to be a cold one.
            self._time(subject, pool)
            self._answer(subject, pool)
        else:
            self._answer(subject, pool)
            self._time(subject, pool)

    def _answer(self, subject: Subject, pool: Pool) -> None:
        if isinstance(subject, Baseline):
            return
        neutral, asked = self._contender.form.neutral, self._request.answered
        write_preflight(subject, pool, neutral, self._answers)
        examined = Examination(subject, pool, self._contender.format, neutral, self._answers)
        if "read" in asked:
            examined.read(self._request.inputs)
        if "truncate" in asked:
            examined.truncate()
        if "reject" in asked:
            examined.reject()

    def _time(self, subject: Subject, pool: Pool) -> None:
        if self._request.plan.count == 0:
            return
        for operation in self._request.timed:
            if operation in names_of(subject) and not self._orders.stopped:
                self._write(pool.shape, operation, self._batches_of(operation, subject, pool))

    def _batches_of(self, operation: str, subject: Subject, pool: Pool) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        try:
            loop = loop_of(operation, subject, pool)
            timing = Timing(loop, self._request.plan, self._probe.reading, self._between)
            lines = timing.lines
            timing.run()
        except Exception as error:
            traceback.print_exc()
            return [*lines, {"phase": "failed", **described(error)}]
        return lines

    def _write(self, step: str, operation: str, lines: list[dict[str, Any]]) -> None:
        names = {"step": step, "operation": operation}
        text = "".join(json.dumps({**names, **line}) + "\n" for line in lines)
        with self._request.batches.open("a", encoding="utf-8") as file:
            file.write(text)
        self._batches += len(lines)

    def _between(self) -> bool:
        self._say_runtime()
        return not self._orders.stopped

    def _say_runtime(self) -> None:
        """About once a second; the lag of a loop that does not exist is left out."""
        if self._request.plan.counted:
            return
        if time.monotonic_ns() - self._said_ns >= _SECOND_NS:
            self._said_ns = time.monotonic_ns()
            self._events.emit("runtime", **self._probe.reading())

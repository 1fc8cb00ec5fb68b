"""Commands of the contract on standard input, read by an event loop or looked for by hand."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import select
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from wirelab_sdk.asked import Asking

_SECOND = 1_000_000_000

_log = logging.getLogger(__name__)


class _Listener(ABC):
    """A listener for commands, which come in pieces of lines."""

    def __init__(self) -> None:
        self._pending = b""

    def _hear(self, data: bytes) -> None:
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            if line.strip():
                self._obey(line)

    def _obey(self, line: bytes) -> None:
        try:
            obey = self._command(json.loads(line))
        except (ValueError, KeyError, TypeError):
            _log.warning("not a command: %r", line)
            return
        # What fails here is no fault of the line.
        obey()

    def _command(self, command: Mapping[str, Any]) -> Callable[[], None]:
        """Read what a command asks for; ValueError, KeyError or TypeError where that is nothing."""
        match command["command"]:
            case "start":
                return partial(self._start, int(command["monotonic_ns"]))
            case "answer":
                asked = (int(command["asked"]), str(command["operation"]), int(command["lane"]))
                return partial(self._answer, Asking(*asked))
            case "stop":
                return self._stop
            case name:
                raise ValueError(f"unknown command: {name}")

    def _answer(self, asking: Asking) -> None:
        """Nothing is asked of a worker that only serves, or repeats batches."""
        _log.warning("this worker gives no answers, and was asked for one: %r", asking)

    @abstractmethod
    def _start(self, monotonic_ns: int) -> None: ...

    @abstractmethod
    def _stop(self) -> None: ...


class Commands(_Listener):
    """Listens on descriptor ``fd``; end of input means ``stop``."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, asked: Callable[[Asking], None], fd: int = 0
    ) -> None:
        super().__init__()
        self._asked = asked
        self._loop = loop
        self._fd = fd
        self.start: asyncio.Future[int | None] = loop.create_future()
        self.stop = asyncio.Event()
        self.failure: Exception | None = None
        """The reason that a command was not obeyed: the worker has stopped, and is to say so."""
        try:
            loop.add_reader(fd, self._readable)
        except PermissionError:
            # epoll takes neither files nor /dev/null; reading those never blocks.
            while not self.stop.is_set():
                self._readable()

    def _readable(self) -> None:
        data = os.read(self._fd, 65536)
        if not data:
            self._end_of_input()
            return
        try:
            self._hear(data)
        except Exception as failure:  # whatever an answer's words may raise
            self.failure = failure
            self._end_of_input()

    def _end_of_input(self) -> None:
        self._loop.remove_reader(self._fd)
        self._stop()

    def _answer(self, asking: Asking) -> None:
        self._asked(asking)

    def _start(self, monotonic_ns: int) -> None:
        if not self.start.done():
            self.start.set_result(monotonic_ns)

    def _stop(self) -> None:
        self.stop.set()
        if not self.start.done():
            self.start.set_result(None)


class PolledCommands(_Listener):
    """Looks at descriptor ``fd`` when it is asked; end of input means ``stop``.

    No event loop and no second thread: while a batch runs, nothing else does.
    """

    def __init__(self, fd: int = 0) -> None:
        super().__init__()
        self._fd = fd
        self._start_ns: int | None = None
        self._stopped = False

    def wait_for_start(self, every_second: Callable[[], None] | None) -> None:
        """Return at the time of ``start``, or at once when told to stop.

        Without ``every_second`` what is executed does not depend on how long it takes.
        """
        while self._start_ns is None and not self._stopped:
            self._look(_SECOND if every_second else None)
            if every_second:
                every_second()
        while not self.stopped and self._start_ns is not None:
            left_ns = self._start_ns - time.monotonic_ns()
            if left_ns <= 0:
                return
            self._look(left_ns)

    @property
    def stopped(self) -> bool:
        """Whether the core has said ``stop`` or has gone."""
        self._look(0)
        return self._stopped

    def _look(self, wait_ns: int | None) -> None:
        """Look for a command; wait for one until it comes where ``wait_ns`` is None."""
        if self._stopped:
            return
        timeout = None if wait_ns is None else wait_ns / _SECOND
        readable, _, _ = select.select([self._fd], [], [], timeout)
        if not readable:
            return
        if data := os.read(self._fd, 65536):
            self._hear(data)
        else:
            self._stop()

    def _start(self, monotonic_ns: int) -> None:
        self._start_ns = monotonic_ns

    def _stop(self) -> None:
        self._stopped = True

"""One worker process, started as the core starts it; everything it says is kept."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from . import leftovers
from .contract import LINE_LIMIT, OUTPUT_LIMIT, Json
from .crash import keep_crash
from .environment import inherited
from .events import EVENTS, misshapen
from .last_words import last_words
from .worker import CannotCheckError, CheckedWorker

_STDERR_KEPT = 256 * 1024
_VIOLATIONS_KEPT = 20


class Process:
    """A running worker. Raises CannotCheckError when its command cannot be started."""

    def __init__(self, worker: CheckedWorker, spec: Path | None, scratch: Path, trial: str) -> None:
        environment = {**inherited(os.environ), **worker.environment, "WIRELAB_TRIAL": trial}
        environment.pop("WIRELAB_SPEC", None)
        if spec is not None:
            environment["WIRELAB_SPEC"] = str(spec)
        self._worker, self._scratch = worker, scratch
        self._crash = ""
        self.trial = trial
        self.role = worker.role
        self.events: list[tuple[int, Json]] = []
        self.violations: list[str] = []
        self.stderr = b""
        self._output = 0
        self._hopeless = False
        self._news = threading.Condition()
        self.started_ns = time.monotonic_ns()
        try:
            self._popen = subprocess.Popen(
                list(worker.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=scratch,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotCheckError(f"cannot start {shlex.join(worker.command)}: {error}") from error
        self.pid = self._popen.pid
        leftovers.spare(self.pid, trial)
        self._readers = [
            threading.Thread(target=read, daemon=True)
            for read in (self._read_events, self._read_stderr)
        ]
        for reader in self._readers:
            reader.start()

    def _read_events(self) -> None:
        stream = self._popen.stdout
        assert stream is not None
        while line := stream.readline(LINE_LIMIT + 1):
            received_ns = time.monotonic_ns()
            self._output += len(line)
            with self._news:
                self._take(line, received_ns)
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def _take(self, line: bytes, received_ns: int) -> None:
        if self._hopeless:
            return
        if self._output > OUTPUT_LIMIT:
            self.violations.append("more than 16 MiB on standard output")
            self._hopeless = True
            return
        self._hopeless = len(self.violations) > _VIOLATIONS_KEPT
        if len(line) > LINE_LIMIT:
            self.violations.append(f"a line longer than 64 KiB: {line[:60]!r}...")
            return
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict) or event.get("event") not in EVENTS:
            self.violations.append(f"not an event: {line[:80]!r}")
            return
        if findings := misshapen(event):
            self.violations += findings
            # What decides the trial's life is not there when it cannot be read.
            self._hopeless = event["event"] in ("ready", "done")
            return
        self.events.append((received_ns, event))

    def _read_stderr(self) -> None:
        assert self._popen.stderr is not None
        while data := os.read(self._popen.stderr.fileno(), 65536):
            self.stderr = (self.stderr + data)[-_STDERR_KEPT:]

    def event(self, name: str, timeout_s: float) -> Json | None:
        """The first ``name``, waiting for it; None when it does not come or the worker ends."""
        deadline = time.monotonic() + timeout_s
        with self._news:
            while True:
                for _, event in self.events:
                    if event["event"] == name:
                        return event
                left = deadline - time.monotonic()
                over = self._popen.poll() is not None and not self._readers[0].is_alive()
                if left <= 0 or over or self._hopeless:
                    return None
                self._news.wait(min(left, 0.05))

    def said_ns(self, name: str) -> int | None:
        """The time at which the first ``name`` was received."""
        return next((at for at, event in self.events if event["event"] == name), None)

    def send(self, **command: Any) -> None:
        """Write one command; a worker that has gone does not hear it."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.write(json.dumps(command).encode() + b"\n")
            self._popen.stdin.flush()

    def end_input(self) -> None:
        """Close its standard input, as the core's death would."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.close()

    def wait(self, timeout_s: float) -> int | None:
        """Its exit code; None when it is still there after ``timeout_s``."""
        try:
            code = self._popen.wait(max(timeout_s, 0))
        except subprocess.TimeoutExpired:
            return None
        # Its last words may come to us after its end; what it has left behind may hold them open.
        for reader in self._readers:
            reader.join(1)
        return code

    def kill(self, within_s: float) -> list[str]:
        """Kill the worker's own process as a crash would, and later what it started.

        The command lines of what has not ended by itself within ``within_s``.
        """
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._popen.wait()
        left = leftovers.left_running(self.trial, within_s)
        lines = [leftovers.command_line(pid) for pid in left]
        leftovers.kill_all(self.trial)
        return lines

    def last_words(self) -> str:
        """Its exception and where its log is kept, for a finding; empty when it wrote nothing."""
        if self._popen.poll() is not None:
            self._readers[1].join(1)
        words = last_words(self.stderr.decode(errors="replace"))
        if words and not self._crash:
            self._crash = keep_crash(self._worker, self._scratch, self.stderr)
        return f"; {words} ({self._crash})" if words else ""

    def end(self) -> list[str]:
        """Kill what still runs; the command lines of what a worker that had ended left."""
        left = []
        if self._popen.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
            self._popen.wait()
        else:
            left = [leftovers.command_line(pid) for pid in leftovers.left_running(self.trial)]
        leftovers.kill_all(self.trial)
        for reader in self._readers:
            reader.join(1)
        self.end_input()
        leftovers.release(self.pid)
        return left

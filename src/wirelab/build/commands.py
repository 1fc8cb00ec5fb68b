"""Running the commands of a build: everything they say is kept, failures are told shortly."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from wirelab.build import surroundings
from wirelab.build.bounds import LOOKS_EVERY_S, BuildBounds, WroteTooMuch
from wirelab.build.failures import failure, failure_within, name_of
from wirelab.build.sandboxes import Enter
from wirelab.build.unavailable import Unavailable
from wirelab.processes.leftovers import MARK

LIMIT_S = 3600.0
"""Seconds after which a command of a build is ended: it hangs."""

BEAT_S = 10.0
"""Seconds after which a command that is still running is named, again and again."""

StillRunning = Callable[[str, float], None]
"""Is told the name of a command and for how many seconds it has been running."""

_NOWHERE = Path("/")
"""The folder of a command that is told none."""

_TAIL_BYTES = 16 * 1024

_MOST_ANSWER_BYTES = 256 << 20
"""Most bytes of a command's standard output that is wanted as an answer."""


class _Started(NamedTuple):
    """A command as it is started; ``said`` is what was asked for, ``kept`` is in a sandbox."""

    said: Sequence[str]
    words: Sequence[str]
    cwd: Path
    environment: Mapping[str, str]
    kept: bool = False


class Log:
    """The log of a build; ``mark`` tells its processes from those of others.

    ``run`` and ``output`` fetch, as the user and with the network. ``compile`` and ``compiled`` may
    run code of packages: ``enter`` puts them into the sandbox of the build, where there is one, and
    ``private`` are variables that they have beside. All are held to ``bounds``.

    The file is opened once, and answers are read from files without a name: what is compiled may
    write to the folder of the log, and put a link in its place.
    """

    def __init__(
        self,
        path: Path,
        still_running: StillRunning | None = None,
        *,
        mark: str = "",
        enter: Enter | None = None,
        private: Mapping[str, str] | None = None,
        bounds: BuildBounds | None = None,
    ) -> None:
        self.path = path
        self._mark = {MARK: mark} if mark else {}
        self._still_running = still_running
        self._enter = enter
        self._private = private or {}
        self._bounds = bounds
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file."""
        self._file.close()

    def run(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        must_succeed: bool = True,
    ) -> None:
        """Run a command to its end; raises Unavailable when it fails, hangs or is not there."""
        self._run(self._fetching(command, cwd, environment), must_succeed=must_succeed)

    def output(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """Run a command and return its standard output; the rest as ``run``."""
        return self._output(self._fetching(command, cwd, environment))

    def compile(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        writes: Sequence[Path] = (),
    ) -> None:
        """Run a command that may run code of packages; it writes to ``writes`` beside its own."""
        self._run(self._compiling(command, cwd, environment, writes))

    def compiled(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        writes: Sequence[Path] = (),
    ) -> str:
        """As ``compile``; its standard output."""
        return self._output(self._compiling(command, cwd, environment, writes))

    def note(self, line: str) -> None:
        """Write a line of our own."""
        self._file.write(f"{line}\n".encode())
        self._file.flush()

    def _fetching(
        self, command: Sequence[str], cwd: Path | None, more: Mapping[str, str] | None
    ) -> _Started:
        environment = {**surroundings.environment(), **(more or {}), **self._mark}
        # Files of the folder that the user stands in would tell some tools which programs to run.
        return _Started(command, command, cwd or _NOWHERE, environment)

    def _compiling(
        self,
        command: Sequence[str],
        cwd: Path | None,
        more: Mapping[str, str] | None,
        writes: Sequence[Path],
    ) -> _Started:
        own = {**surroundings.compiling(), **self._private}
        environment = {**own, **(more or {}), **self._mark}
        folder = cwd or self.path.parent
        words = self._enter(command, folder, writes) if self._enter is not None else command
        return _Started(command, words, folder, environment, words is not command)

    def _run(self, started: _Started, *, must_succeed: bool = True) -> None:
        begins = self._announce(started.said)
        status = self._status(started, self._file)
        if status != 0 and must_succeed:
            raise self._failure(started, status, begins)

    def _output(self, started: _Started) -> str:
        with tempfile.TemporaryFile(dir=self.path.parent) as answer:
            begins = self._announce(started.said)
            status = self._status(started, answer)
            if status != 0:
                raise self._failure(started, status, begins)
            if answer.seek(0, os.SEEK_END) > _MOST_ANSWER_BYTES:
                most = f"{_MOST_ANSWER_BYTES >> 20} MiB"
                reason = f"{name_of(started.said)} answered more than {most}"
                raise Unavailable(reason, f"cat {self.path}", self.path)
            answer.seek(0)
            return answer.read().decode("utf-8", "replace")

    def _announce(self, command: Sequence[str]) -> int:
        self.note(f"$ {shlex.join(command)}")
        return self._file.tell()

    def _status(self, started: _Started, stdout: IO[bytes]) -> int:
        command = started.said
        bounds = self._bounds
        words, stdin = bounds.around(started.words) if bounds else (started.words, None)
        try:
            process = subprocess.Popen(
                words,
                cwd=started.cwd,
                env=started.environment,
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=stdout,
                stderr=self._file,
                start_new_session=True,
            )
        except OSError as error:
            raise Unavailable(f"{command[0]}: {error.strerror}", log=self.path) from None
        try:
            if bounds is not None:
                bounds.let_in(process)
            status = self._waited_for(process, name_of(command))
            if bounds is not None and status != 0:
                bounds.check(process)
        except BaseException as error:
            self._end(process)
            if isinstance(error, WroteTooMuch) and bounds is not None:
                bounds.empty()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            reason = f"{name_of(command)} had not ended after {LIMIT_S:g} s"
            raise Unavailable(reason, f"cat {self.path}", self.path) from None
        return status

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End a command: a compiler that outlives its build would write into the next one."""
        if process.poll() is None:  # its id is its own until it was waited for
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if self._bounds is not None:
            self._bounds.end()

    def _waited_for(self, process: subprocess.Popen[bytes], name: str) -> int:
        """Wait for a command; TimeoutExpired after the limit."""
        began = time.monotonic()
        told = began
        while True:
            left = LIMIT_S - (time.monotonic() - began)
            try:
                return process.wait(min(LOOKS_EVERY_S, BEAT_S, left))
            except subprocess.TimeoutExpired:
                if time.monotonic() - began >= LIMIT_S:
                    raise
            if self._bounds is not None:
                self._bounds.check(process)
            if time.monotonic() - told >= BEAT_S:
                told = time.monotonic()
                if self._still_running is not None:
                    self._still_running(name, told - began)

    def _failure(self, started: _Started, status: int, begins: int) -> Unavailable:
        explained = failure_within if started.kept else failure
        return explained(started.said, status, self._said(begins), self.path)

    def _said(self, begins: int) -> str:
        size = self._file.seek(0, os.SEEK_END)
        self._file.seek(max(begins, size - _TAIL_BYTES))
        return self._file.read().decode(errors="replace")

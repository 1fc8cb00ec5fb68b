"""Running the commands of a build: everything they say is kept, failures are told shortly."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from wirelab.build import surroundings
from wirelab.build.sandboxes import WITHOUT, Enter
from wirelab.build.unavailable import Unavailable
from wirelab.processes.leftovers import MARK

LIMIT_S = 3600.0
"""Seconds after which a command of a build is ended: it hangs."""

BEAT_S = 10.0
"""Seconds after which a command that is still running is named, again and again."""

StillRunning = Callable[[str, float], None]
"""Is told the name of a command and for how many seconds it has been running."""

_TAIL_LINES = 12
_TAIL_BYTES = 16 * 1024

_NO_NETWORK = re.compile(
    "|".join(
        (
            "Temporary failure in name resolution",
            "Temporary failure resolving",
            "Could not resolve host",
            "Couldn't resolve host",
            "Name or service not known",
            "Network is unreachable",
            "No route to host",
            "Failed to establish a new connection",
            "Unknown host",
            "UnknownHostException",
            "EAI_AGAIN",
            "ENOTFOUND",
            "ENETUNREACH",
            "ECONNREFUSED",
            r"dial tcp.*(?:lookup|connect|timeout)",
            "spurious network error",
            "Could not connect to",
        )
    )
)
"""Messages of pip, Maven, npm, cargo, Go and apt-get when they cannot reach their registry."""

_OUTSIDE = re.compile(r"Read-only file system|EROFS|ReadOnlyFileSystemException")

_VERB = re.compile(r"[a-z][a-z-]*")


class _Started(NamedTuple):
    """A command as it is started; ``said`` is what was asked for, ``kept`` is in a sandbox."""

    said: Sequence[str]
    words: Sequence[str]
    cwd: Path | None
    environment: Mapping[str, str]
    kept: bool = False


class Log:
    """The log of a build; ``mark`` tells its processes from those of others.

    ``run`` and ``output`` fetch, as the user and with the network. ``compile`` and ``compiled`` may
    run code of packages: ``enter`` puts them into the sandbox of the build, where there is one, and
    ``private`` are variables that they have beside.
    """

    def __init__(
        self,
        path: Path,
        still_running: StillRunning | None = None,
        mark: str = "",
        enter: Enter | None = None,
        private: Mapping[str, str] | None = None,
    ) -> None:
        self.path = path
        self._mark = {MARK: mark} if mark else {}
        self._still_running = still_running
        self._enter = enter
        self._private = private or {}
        path.parent.mkdir(parents=True, exist_ok=True)

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
        with self.path.open("a") as log:
            log.write(f"{line}\n")

    def _fetching(
        self, command: Sequence[str], cwd: Path | None, more: Mapping[str, str] | None
    ) -> _Started:
        environment = {**surroundings.environment(), **(more or {}), **self._mark}
        return _Started(command, command, cwd, environment)

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
        with self.path.open("ab") as log:
            begins = self._announce(log, started.said)
            status = self._status(started, stdout=log, stderr=log)
        if status != 0 and must_succeed:
            raise self._failure(started, status, begins)

    def _output(self, started: _Started) -> str:
        answer = self.path.with_suffix(".answer")
        try:
            with self.path.open("ab") as log, answer.open("wb") as stdout:
                begins = self._announce(log, started.said)
                status = self._status(started, stdout=stdout, stderr=log)
            if status != 0:
                raise self._failure(started, status, begins)
            return answer.read_text("utf-8", "replace")
        finally:
            answer.unlink(missing_ok=True)

    def _announce(self, log: IO[bytes], command: Sequence[str]) -> int:
        log.write(f"$ {shlex.join(command)}\n".encode())
        log.flush()
        return log.tell()

    def _status(self, started: _Started, *, stdout: IO[bytes], stderr: IO[bytes]) -> int:
        command = started.said
        try:
            process = subprocess.Popen(
                started.words,
                cwd=started.cwd,
                env=started.environment,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        except OSError as error:
            raise Unavailable(f"{command[0]}: {error.strerror}", log=self.path) from None
        try:
            return self._waited_for(process, _name(command))
        except BaseException as error:
            # A compiler that outlives its build (Ctrl-C, too long) would write into the next one.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            reason = f"{_name(command)} had not ended after {LIMIT_S:g} s"
            raise Unavailable(reason, f"cat {self.path}", self.path) from None

    def _waited_for(self, process: subprocess.Popen[bytes], name: str) -> int:
        """Wait for a command; TimeoutExpired after the limit."""
        began = time.monotonic()
        while True:
            passed = time.monotonic() - began
            try:
                return process.wait(min(BEAT_S, LIMIT_S - passed))
            except subprocess.TimeoutExpired:
                if time.monotonic() - began >= LIMIT_S:
                    raise
            if self._still_running is not None:
                self._still_running(name, time.monotonic() - began)

    def _failure(self, started: _Started, status: int, begins: int) -> Unavailable:
        command, said = started.said, self._said(begins)
        if started.kept:
            return self._failure_within(command, status, said)
        if _NO_NETWORK.search(said):
            reason = f"no network: {_name(command)} could not reach its registry"
            return Unavailable(reason, "connect to the network, then run again", self.path)
        reason = f"{_name(command)} failed with {_ended(status)}:\n{_tail(said)}"
        return Unavailable(reason, f"cat {self.path}", self.path)

    def _failure_within(self, command: Sequence[str], status: int, said: str) -> Unavailable:
        """Explain a failure; what a sandbox may have refused is said, because the tools themselves
        cannot know.
        """
        reason, remedy = f"{_name(command)} failed with {_ended(status)}", f"cat {self.path}"
        refused = ""
        if _NO_NETWORK.search(said):
            refused = " in the sandbox of builds, which has no network: packages are fetched before"
        elif _OUTSIDE.search(said):
            refused = " in the sandbox of builds, which writes to its own folders alone"
        if refused:
            remedy += f"; where you trust this code with all your rights, say {WITHOUT}"
        return Unavailable(f"{reason}{refused}:\n{_tail(said)}", remedy, self.path)

    def _said(self, begins: int) -> str:
        with self.path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(begins, size - _TAIL_BYTES))
            return log.read().decode(errors="replace")


def _name(command: Sequence[str]) -> str:
    """The program and the first word that says what it does: ``cargo build``."""
    words = [word for word in command[1:] if _VERB.fullmatch(word)]
    return " ".join([Path(command[0]).name, *words[:1]])


def _tail(said: str) -> str:
    return "\n".join(said.rstrip().splitlines()[-_TAIL_LINES:])


def _ended(status: int) -> str:
    if status < 0:
        return f"signal {signal.Signals(-status).name}"
    return f"exit code {status}"

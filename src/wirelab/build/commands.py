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
from typing import IO

from wirelab.build import surroundings
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
"""What pip, Maven, npm, cargo, Go and apt-get say when they cannot reach their registry."""

_VERB = re.compile(r"[a-z][a-z-]*")


class Log:
    """The log of a build; ``mark`` tells its processes from those of others."""

    def __init__(
        self, path: Path, still_running: StillRunning | None = None, mark: str = ""
    ) -> None:
        self.path = path
        self._mark = {MARK: mark} if mark else {}
        self._still_running = still_running
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
        with self.path.open("ab") as log:
            begins = self._announce(log, command)
            status = self._status(command, cwd, environment, stdout=log, stderr=log)
        if status != 0 and must_succeed:
            raise self._failure(command, status, begins)

    def output(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """Run a command and return its standard output; the rest as ``run``."""
        answer = self.path.with_suffix(".answer")
        try:
            with self.path.open("ab") as log, answer.open("wb") as stdout:
                begins = self._announce(log, command)
                status = self._status(command, cwd, environment, stdout=stdout, stderr=log)
            if status != 0:
                raise self._failure(command, status, begins)
            return answer.read_text("utf-8", "replace")
        finally:
            answer.unlink(missing_ok=True)

    def note(self, line: str) -> None:
        """Write a line of our own."""
        with self.path.open("a") as log:
            log.write(f"{line}\n")

    def _announce(self, log: IO[bytes], command: Sequence[str]) -> int:
        log.write(f"$ {shlex.join(command)}\n".encode())
        log.flush()
        return log.tell()

    def _status(
        self,
        command: Sequence[str],
        cwd: Path | None,
        environment: Mapping[str, str] | None,
        *,
        stdout: IO[bytes],
        stderr: IO[bytes],
    ) -> int:
        try:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**surroundings.environment(), **(environment or {}), **self._mark},
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

    def _failure(self, command: Sequence[str], status: int, begins: int) -> Unavailable:
        said = self._said(begins)
        if _NO_NETWORK.search(said):
            reason = f"no network: {_name(command)} could not reach its registry"
            return Unavailable(reason, "connect to the network, then run again", self.path)
        tail = "\n".join(said.rstrip().splitlines()[-_TAIL_LINES:])
        reason = f"{_name(command)} failed with {_ended(status)}:\n{tail}"
        return Unavailable(reason, f"cat {self.path}", self.path)

    def _said(self, begins: int) -> str:
        with self.path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(begins, size - _TAIL_BYTES))
            return log.read().decode(errors="replace")


def _name(command: Sequence[str]) -> str:
    """The program and the first word that says what it does: ``cargo build``."""
    words = [word for word in command[1:] if _VERB.fullmatch(word)]
    return " ".join([Path(command[0]).name, *words[:1]])


def _ended(status: int) -> str:
    if status < 0:
        return f"signal {signal.Signals(-status).name}"
    return f"exit code {status}"

"""The core's end of the witness: starts it, tells it the ports, and keeps what it saw."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

from wirelab.processes.readiness import is_readable
from wirelab.witness import rows
from wirelab.witness.rows import SeenTraffic

ROLE = "witness"
"""Its account in ``monitor.parquet``: neither the core's nor foreign."""

_SAYS_WITHIN_S = 10.0
_ENDS_WITHIN_S = 10.0
_READY, _WATCHING = "ready", "watching"

_ONCE_TOLD = 'read -r _ && "$@"; exit'
"""A shell whose children belong to the account that it was introduced with."""

Enter = Callable[[Sequence[str]], list[str]]


class Witness:
    """The witness of one trial: looks between ``start`` and ``stop``.

    ``framing`` is the protocol whose messages it finds, and what it has to know of them. What it
    writes goes into a file without a name, which no process of the trial finds.
    """

    def __init__(
        self,
        program: Sequence[str],
        framing: Sequence[str],
        folder: Path,
        *,
        keeps_packets: bool = False,
    ) -> None:
        self._program = [*program]
        self._framing = [*framing]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._rows: IO[bytes] | None = None
        self.frames: IO[bytes] | None = (
            tempfile.TemporaryFile(dir=folder) if keeps_packets else None  # noqa: SIM115
        )
        """Frames themselves (``pcapng.FRAME``), where they are kept; whoever has them closes it."""
        self.failure = "the witness was not started"
        """The reason why it did not look until the end; empty: it did."""
        self.seen: SeenTraffic | None = None

    def start(
        self, enter: Enter = list, introduce: Callable[[int], None] = lambda _pid: None
    ) -> None:
        """Start it where ``enter`` leads; ``introduce`` is told before what it will be below."""
        self.failure = ""
        self._rows = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed by stop
        file = self._rows.fileno()
        kept = [] if self.frames is None else [self.frames.fileno()]
        frames = str(kept[0]) if kept else "-"
        command = enter([*self._program, str(file), frames, *self._framing])
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _ONCE_TOLD, "sh", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[file, *kept],
                start_new_session=True,
            )
        except OSError as error:
            self.failure = f"the witness cannot be started: {error.strerror}"
            return
        introduce(self._process.pid)
        self._say("")

    def is_ready(self) -> bool:
        """Wait until it looks; false where it may not, or cannot."""
        return self._hears(_READY)

    def watch(self, ports: Iterable[int]) -> None:
        """Have it see the traffic of these ports from now on."""
        if self._process is None or self.failure or not self.is_ready():
            return
        self._say(f"ports {' '.join(map(str, sorted(ports)))}")
        self._hears(_WATCHING)

    def stop(self) -> None:
        """Have it end; what it saw stays."""
        if self._process is not None:
            self._end(self._process)
        if self._rows is not None:
            with self._rows:
                self._rows.seek(0)
                seen = rows.seen_of(self._rows.read())
            if seen.looked:
                self.seen = seen
        self._process = self._rows = None

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGCONT)  # somebody may have stopped it
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            code = process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        process.stdout.close()
        if code and not self.failure:
            self.failure = f"the witness ended with {f'signal {-code}' if code < 0 else code}"

    def _hears(self, word: str) -> bool:
        """Whether it says ``word`` next; what it says instead is why it failed."""
        if self._process is None or self.failure:
            return False
        assert self._process.stdout is not None
        stream = self._process.stdout
        if not is_readable(stream, _SAYS_WITHIN_S):
            self.failure = f"the witness said nothing for {_SAYS_WITHIN_S:g} s"
            return False
        said = stream.readline().decode(errors="replace").strip()
        if said != word:
            self.failure = f"the witness may not look: {said or 'it has ended'}"
        return not self.failure

    def _say(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it has ended; ``stop`` tells
                self._process.stdin.write(f"{line}\n".encode())
                self._process.stdin.flush()

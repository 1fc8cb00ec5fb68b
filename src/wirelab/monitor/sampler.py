"""The core's end of the monitor: starts it, introduces the roles to it, and keeps what it saw."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from wirelab.monitor.recorded import Recorded

_BEGINS_WITHIN_S = 60.0
_ENDS_WITHIN_S = 15.0


class Sampler:
    """The monitor of one trial: works between ``start`` and ``stop``.

    What it writes goes into files without a name, which no process of the trial finds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._looks: IO[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self.failure = "the monitor was not started"
        """The reason why it did not look until the end; empty: it did."""
        self.recorded = Recorded([])

    def start(self, network_of: int | None = None, beside: Iterable[int] = ()) -> None:
        """Start it, and wait for its first look.

        ``network_of`` is a process whose network the roles share, where that is not the machine's;
        what is below the processes ``beside`` is no foreign demand.
        """
        self.failure = ""
        self._looks = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed by stop
        self._errors = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
        numbers = map(str, (os.getpid(), network_of or os.getpid(), *beside))
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-P", "-m", "wirelab.monitor.process", *numbers],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdin=subprocess.PIPE,
            stdout=self._looks,
            stderr=self._errors,
            start_new_session=True,
        )
        deadline = time.monotonic() + _BEGINS_WITHIN_S
        while not os.fstat(self._looks.fileno()).st_size and self._process.poll() is None:
            if time.monotonic() > deadline:
                return
            time.sleep(0.005)

    def watch(self, role: str, keeper: int, account: Path | None = None) -> None:
        """Count everything below ``keeper`` as ``role``; ``account`` has its processor time."""
        told = {} if account is None else {"account": str(account)}
        self._say({"role": role, "keeper": keeper, **told})

    def stop(self) -> None:
        """Have it look once more and end; what it saw stays."""
        if self._process is None or self._looks is None or self._errors is None:
            return
        process = self._process
        process.send_signal(signal.SIGCONT)  # somebody may have stopped it
        self._say({"end": True})
        self._process = None
        with self._looks, self._errors:
            try:
                code = process.wait(_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
            self._errors.seek(0)
            self.failure = _failure(code, self._errors.read())
            self._looks.seek(0)
            self.recorded = Recorded.of(self._looks)
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()

    def _say(self, what: dict[str, Any]) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it has ended; ``stop`` tells
                self._process.stdin.write(json.dumps(what).encode() + b"\n")
                self._process.stdin.flush()


def _failure(code: int, said: bytes) -> str:
    if code == 0:
        return ""
    ended = f"signal {-code}" if code < 0 else f"exit code {code}"
    words = said.decode(errors="replace").strip().splitlines()
    return f"the monitor ended with {ended}" + (f": {words[-1]}" if words else "")

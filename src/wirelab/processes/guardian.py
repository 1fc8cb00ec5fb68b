"""A process that outlives the core: when the core dies, it ends what the core started.

Ctrl-C is handled by the core itself. ``kill -9`` is not something a process can handle, so the
guardian waits on a pipe whose other end only the core holds. It sits in a session of its own,
out of reach of the terminal's signals.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

from wirelab.cgroups import removal
from wirelab.processes import leftovers
from wirelab.processes.interrupts import uninterrupted

_FAREWELL = b"bye"


class Guardian:
    """Watches over one run; use as a context manager."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._process = subprocess.Popen(
            [sys.executable, "-m", "wirelab.processes.guardian", run],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._spared = leftovers.children()

    def __enter__(self) -> Guardian:
        return self

    def __exit__(self, *_: object) -> None:
        """Say farewell once everything has ended; without it, the guardian ends the rest."""
        farewell = b""
        with uninterrupted():
            try:
                leftovers.end(of_run(self._run), self._spared)
                farewell = _FAREWELL
            finally:
                self._process.communicate(farewell)


def session_of(run: str) -> str:
    """The beginning of this process's marks: a copy of a run's folder has the same run in it."""
    return f"{run}/{os.getpid()}"


def mark_of(session: str, trial: str) -> str:
    """The mark of the processes of a trial."""
    return f"{session}/{trial}"


def of_run(run: str) -> Callable[[str], bool]:
    """Whether a mark belongs to ``run``, or to one session of it: marks are ``RUN/CORE/TRIAL``."""
    return lambda mark: mark.startswith(f"{run}/")


def main() -> None:
    """Wait until the core goes; unless it said farewell, end what it left."""
    run = sys.argv[1]
    if sys.stdin.buffer.read() != _FAREWELL:
        leftovers.end(of_run(run))
        removal.end_of(run)


if __name__ == "__main__":
    main()

"""A process that outlives the core: when the core dies, it ends what the core started.

Ctrl-C is handled by the core itself. ``kill -9`` is not something a process can handle, so the
guardian waits on a pipe whose other end only the core holds. It sits in a session of its own,
out of reach of the terminal's signals.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from wirelab.processes import leftovers

_FAREWELL = b"bye"


class Guardian:
    """Watches over one run; use as a context manager."""

    def __init__(self, run: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "wirelab.processes.guardian", run],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self) -> Guardian:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(_FAREWELL)


def of_run(run: str) -> Callable[[str], bool]:
    """Whether a mark belongs to ``run``: marks are ``RUN/TRIAL``."""
    return lambda mark: mark.startswith(f"{run}/")


def main() -> None:
    """Wait until the core goes; unless it said farewell, end what it left."""
    run = sys.argv[1]
    if sys.stdin.buffer.read() != _FAREWELL:
        leftovers.end(of_run(run))


if __name__ == "__main__":
    main()

"""One process at a time: a lock file that the kernel frees when its holder ends."""

from __future__ import annotations

import fcntl
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST_COMMAND = 80


@contextmanager
def locked(file: Path, say: Callable[[str], None], what: str) -> Iterator[None]:
    """Hold ``file`` exclusively; says so once when another process has it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say_waiting(say, lock.fileno(), what)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say_waiting(say: Callable[[str], None], descriptor: int, what: str) -> None:
    """Say who holds an open lock file, as far as the kernel tells it."""
    holder = " and ".join(_process(pid) for pid in _holders(descriptor)) or "another process"
    say(f"waiting for {holder}, which works on {what}; this goes on when that has ended")


def _holders(descriptor: int) -> list[int]:
    """Processes that hold a lock on the file of a descriptor; none that are in another namespace.

    A line of ``/proc/locks``: ``1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE 0 EOF``.
    """
    status = os.fstat(descriptor)
    device = status.st_dev
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{status.st_ino}"
    try:
        lines = Path("/proc/locks").read_text("utf-8").splitlines()
    except OSError:
        return []
    fields = [line.split() for line in lines if place in line.split() and "->" not in line.split()]
    return sorted({int(one[4]) for one in fields if one[4].isdecimal() and int(one[4]) > 0})


def _process(pid: int) -> str:
    """The number of a process and what was typed to start it, where that can be read."""
    try:
        typed = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return f"process {pid}"
    command = shlex.join(typed.rstrip("\0").split("\0"))
    shown = command if len(command) <= _LONGEST_COMMAND else f"{command[:_LONGEST_COMMAND]}…"
    return f"process {pid} ({shown})" if command else f"process {pid}"

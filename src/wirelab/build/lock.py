"""One process at a time: a lock file that the kernel frees when its holder ends."""

from __future__ import annotations

import fcntl
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wirelab.words.printable import printable

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
    """Other processes that hold a lock on the file of a descriptor; none of another namespace.

    A line of ``/proc/locks``: ``1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE 0 EOF``; of one that
    waits, an arrow comes second.
    """
    status = os.fstat(descriptor)
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        locks = Path("/proc/locks").read_text("utf-8").splitlines()
    except OSError:
        return []
    fields = [lock.split() for lock in locks]
    held = {int(one[4]) for one in fields if len(one) > 5 and one[1] == "FLOCK" and one[5] == place}
    return sorted(pid for pid in held if pid > 0 and pid != os.getpid())


def _process(pid: int) -> str:
    """The number of a process and what was typed to start it, where that can be read."""
    try:
        typed = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return f"process {pid}"
    command = printable(shlex.join(typed.rstrip("\0").split("\0"))).replace("\n", " ")
    shown = command if len(command) <= _LONGEST_COMMAND else f"{command[:_LONGEST_COMMAND]}…"
    return f"process {pid} ({shown})" if command else f"process {pid}"

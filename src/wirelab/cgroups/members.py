"""The processes of a control group: who they are, and their end, by process id.

A process may make groups within its own, where it is allowed to: those are the group's as well.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

PROCESSES = "cgroup.procs"


def place(pid: int, folder: Path) -> None:
    """Put a process into the group; what it starts from now on is there too."""
    (folder / PROCESSES).write_text(f"{pid}\n")


def of(folder: Path) -> set[int]:
    """The ids of all processes in the group and in those within it; none where it is gone."""
    found: set[int] = set()
    for group in _with_all_within(folder):
        with contextlib.suppress(OSError):
            found |= set(map(int, (group / PROCESSES).read_text().split()))
    return found - {0}  # the id of a process of another PID namespace


def kill(folder: Path) -> set[int]:
    """Kill every process of the group once; the ids of those that were there."""
    found = of(folder)
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            _kill_member(pid, folder)
    return found


def thaw(folder: Path) -> None:
    """Let a group and those within it go on, so that what was killed there ends."""
    for group in _with_all_within(folder):
        for name, going_on in (("freezer.state", "THAWED"), ("cgroup.freeze", "0")):
            if (file := group / name).exists():
                with contextlib.suppress(OSError):
                    file.write_text(going_on)


def _kill_member(pid: int, folder: Path) -> None:
    """Kill one, unless its id has become somebody else's since the group was read."""
    process = os.pidfd_open(pid)
    try:
        if pid in of(folder):
            signal.pidfd_send_signal(process, signal.SIGKILL)
    finally:
        os.close(process)


def remove(folder: Path, patience: float) -> bool:
    """Remove a group with those below it, once they are empty; whether it is gone.

    The files in it are the kernel's and go with it.
    """
    deadline = time.monotonic() + patience
    while not _removed(folder):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.01)
    return True


def below(folder: Path) -> list[Path]:
    """The groups directly below one; none where it is gone."""
    try:
        return [entry for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink()]
    except OSError:
        return []


def _with_all_within(folder: Path) -> Iterator[Path]:
    """The group and all within it, however deep."""
    waiting = [folder]
    while waiting:
        group = waiting.pop()
        waiting += below(group)
        yield group


def _removed(folder: Path) -> bool:
    for inner in below(folder):
        if not _removed(inner):
            return False
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True

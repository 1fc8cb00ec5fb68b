"""Finding and ending what a worker leaves running, even when it cleared its environment."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from .last_words import shown

LEAVING_S = 0.5
"""Seconds in which helpers of a worker (a resource tracker, a shell) notice that it has gone."""

GIVING_UP_S = 5.0
"""A process that cannot be killed for so long hangs in the kernel, or is not ours."""

_SET_CHILD_SUBREAPER = 36  # <sys/prctl.h>; Linux only, elsewhere the environment must do


class _Children:
    """Children of this process: ``ours`` are those that no worker left to it, and their trials."""

    def __init__(self) -> None:
        self.ours: dict[int, str] = {}
        self.adopting = False

    def adopted(self, pid: int, parent: int) -> bool:
        """Whether a process is an orphan that came to this one."""
        return self.adopting and parent == os.getpid() and pid not in self.ours


_children = _Children()


def spare(pid: int, trial: str) -> None:
    """``pid`` was started by the checker for ``trial``: it is no leftover while it runs."""
    _children.ours[pid] = trial


def release(pid: int) -> None:
    """``pid`` has ended, and its number may be given to another process."""
    _children.ours.pop(pid, None)


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """Become the parent of whatever a worker leaves, even when it cleared its environment.

    Meanwhile every child of this process that was not there before is taken for such an
    orphan, so nothing else must be started.
    """
    libc = ctypes.CDLL(None)
    before = {pid for pid, parent, _ in _processes() if parent == os.getpid()}
    _children.ours |= dict.fromkeys(before, "")
    refused = not hasattr(libc, "prctl") or libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0
    _children.adopting = not refused
    try:
        yield
    finally:
        if _children.adopting:
            libc.prctl(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        _children.adopting = False
        for pid in before:
            release(pid)


def left_running(trial: str, grace_s: float = LEAVING_S) -> list[int]:
    """Processes of ``trial`` that still run after ``grace_s``, and orphans that came to us.

    An orphan that a running process of another trial left, such as a partner's, is that one's.
    """
    deadline = time.monotonic() + grace_s
    others = {other for other in _children.ours.values() if other not in ("", trial)}
    while True:
        left = []
        for pid, parent, state in _processes():
            adopted = _children.adopted(pid, parent)
            if state in "ZX":
                if adopted:
                    with contextlib.suppress(ChildProcessError):
                        os.waitpid(pid, os.WNOHANG)
            elif pid not in _children.ours and (named := _trial_of(pid)) not in others:
                left += [pid] if adopted or named == trial else []
        if not left or time.monotonic() >= deadline:
            return left
        time.sleep(0.02)


def kill_all(trial: str) -> None:
    """Kill what is left of ``trial``; killing a parent may bring its children to light."""
    deadline = time.monotonic() + GIVING_UP_S
    while (pids := left_running(trial, 0)) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def command_line(pid: int) -> str:
    """The command line of a process, for a finding."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        said = b" ".join(words).decode(errors="replace").strip()[:120]
        return shown(said) or f"process {pid}"
    return f"process {pid}"


def members(root: int, trial: str) -> set[int]:
    """``root``, its descendants, and every other process of ``trial``."""
    found = {root}
    parents = {pid: parent for pid, parent, _ in _processes()}
    for pid in parents:
        ancestors = [pid]
        while (parent := parents.get(ancestors[-1], 0)) not in (0, *ancestors):
            ancestors.append(parent)
        if root in ancestors or _trial_of(pid) == trial:
            found.add(pid)
    return found


def _processes() -> Iterator[tuple[int, int, str]]:
    """Every process: its id, its parent's, its state."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text(errors="replace").rpartition(")")[2].split()[:2]
            yield int(stat.parent.name), int(parent), state


def _trial_of(pid: int) -> str:
    """The trial that a process inherited; empty where it has none, or does not say."""
    with contextlib.suppress(OSError):
        for variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            name, _, value = variable.partition(b"=")
            if name == b"WIRELAB_TRIAL":
                return value.decode(errors="replace")
    return ""

"""Finding and ending every process of a trial, however it was started.

A process inherits ``WIRELAB_TRIAL``; a session or a parent can be left, an environment
seldom is. Descendants that cleared theirs are found through their parents while those live.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

MARK = "WIRELAB_TRIAL"


def processes() -> list[int]:
    """Ids of all processes that can be seen."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def environment_of(pid: int) -> dict[bytes, bytes]:
    """The environment a process was started with; empty when it is gone or not ours to read."""
    try:
        content = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (entry.partition(b"=") for entry in content.split(b"\0") if entry)
    return {key: value for key, _, value in pairs}


def stat_of(pid: int) -> tuple[str, int] | None:
    """State letter and parent of a process, or None when it is gone."""
    try:
        content = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    # The name in parentheses may itself hold spaces and parentheses.
    fields = content[content.rindex(")") + 2 :].split()
    return fields[0], int(fields[1])


def marked(belongs: Callable[[str], bool]) -> set[int]:
    """Living processes whose mark ``belongs`` accepts, and their descendants."""
    own = os.getpid()
    children: dict[int, list[int]] = {}
    found: list[int] = []
    for pid in processes():
        stat = stat_of(pid)
        if pid == own or stat is None or stat[0] in "ZX":
            continue
        children.setdefault(stat[1], []).append(pid)
        mark = environment_of(pid).get(MARK.encode())
        if mark is not None and belongs(mark.decode(errors="replace")):
            found.append(pid)
    everyone: set[int] = set()
    while found:
        pid = found.pop()
        if pid not in everyone:
            everyone.add(pid)
            found.extend(children.get(pid, []))
    return everyone


def end(belongs: Callable[[str], bool], patience: float = 5.0) -> list[int]:
    """Kill every process whose mark ``belongs`` accepts; returns the ids that were alive.

    Repeats until none is left, so a process that forks while it is being killed is found too;
    gives up after ``patience`` seconds.
    """
    killed: set[int] = set()
    deadline = time.monotonic() + patience
    while (alive := marked(belongs)) and time.monotonic() < deadline:
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        killed |= alive
        time.sleep(0.01)
    return sorted(killed)

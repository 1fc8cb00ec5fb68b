"""Finding and ending every process of a trial, however it was started.

What a role starts stays below its keeper (``wirelab.processes.keeper``), whatever it does. Where
the keeper itself was killed, ``WIRELAB_TRIAL`` remains, which processes inherit, and orphans, which
the kernel gives to the core once it has asked for them.

Keepers import this, one a role, while a trial starts: it takes nothing that takes long to import.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable

MARK = "WIRELAB_TRIAL"

_PR_SET_CHILD_SUBREAPER = 36

_STARTED = 19
"""Field of ``/proc/PID/stat`` behind the name: when the process started, in ticks since boot."""

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_YOUNG_S = 0.5

_AT_ONCE = 1 << 16
"""Bytes of a file in ``/proc`` in one reading."""

_HELD_AT_ONCE = 500
"""Descriptors of processes: fewer than any limit of open files; the others come next."""


def processes() -> list[int]:
    """Ids of all processes that can be seen."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def is_starting(pid: int) -> bool:
    """Whether a process is so young that its environment may not be there yet.

    A program's descriptors are closed, which its parent waits for, before its environment is set.
    """
    try:
        fields = _content(pid, "stat").rpartition(b")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[_STARTED]) / _TICKS_A_SECOND
        return age < _YOUNG_S and fields[0] not in b"ZX" and not _content(pid, "environ")
    except OSError:
        return False


def environment_of(pid: int) -> dict[bytes, bytes]:
    """The environment a process was started with; empty when it is gone or not ours to read."""
    try:
        content = _content(pid, "environ")
    except OSError:
        return {}
    pairs = (entry.partition(b"=") for entry in content.split(b"\0") if entry)
    return {key: value for key, _, value in pairs}


def stat_of(pid: int) -> tuple[str, int] | None:
    """State letter and parent of a process, or None when it is gone."""
    try:
        content = _content(pid, "stat")
    except OSError:
        return None
    # The name in parentheses may itself hold spaces and parentheses.
    fields = content[content.rindex(b")") + 2 :].split(None, 2)
    return fields[0].decode(), int(fields[1])


def below(root: int) -> set[int]:
    """Living descendants of ``root``."""
    children: dict[int, list[int]] = {}
    alive = set()
    for pid in processes():
        stat = stat_of(pid)
        if stat is not None:
            children.setdefault(stat[1], []).append(pid)
            if stat[0] not in "ZX":
                alive.add(pid)
    found: set[int] = set()
    following = list(children.get(root, []))
    while following:
        pid = following.pop()
        if pid not in found:
            found.add(pid)
            following.extend(children.get(pid, []))
    return found & alive


def end_below(root: int, patience: float = 10.0) -> set[int]:
    """Kill every descendant of ``root``, which adopts their orphans; the ids that were alive.

    Repeats until none is left: one that forks while it is being killed is found too.
    """
    killed: set[int] = set()
    deadline = time.monotonic() + patience
    while (alive := below(root)) and time.monotonic() < deadline:
        kill(alive, lambda: below(root))
        killed |= alive
        time.sleep(0.005)
    return killed


def _content(pid: int, name: str) -> bytes:
    # Without the buffers of a file object: every process of the machine is read, again and again.
    file = os.open(f"/proc/{pid}/{name}", os.O_RDONLY)
    content = b""
    try:
        while part := os.read(file, _AT_ONCE):
            content += part
    finally:
        os.close(file)
    return content


def kill(pids: set[int], still: Callable[[], set[int]]) -> None:
    """Kill processes that were found, but for those whose ids are somebody else's meanwhile.

    Each is held by a descriptor before it is asked again who is ``still`` to be found: an id that
    is among these then is that of the process which is held, or of one that is gone.
    """
    held = {pid: file for pid in list(pids)[:_HELD_AT_ONCE] if (file := _held(pid)) is not None}
    try:
        for pid in still() & held.keys():
            try:
                signal.pidfd_send_signal(held[pid], signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
    finally:
        for file in held.values():
            os.close(file)


def _held(pid: int) -> int | None:
    """A descriptor of a process; None where it is gone."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


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


def adopt_orphans() -> bool:
    """Have orphans of this process's descendants become its children; False where refused.

    ``prctl(PR_SET_CHILD_SUBREAPER)``, Linux 3.4.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def children() -> set[int]:
    """Living children of this process, adopted ones included."""
    own = os.getpid()
    found = set()
    for pid in processes():
        stat = stat_of(pid)
        if stat is not None and stat[1] == own and stat[0] not in "ZX":
            found.add(pid)
    return found


def end(
    belongs: Callable[[str], bool], spared: set[int] | None = None, patience: float = 5.0
) -> list[int]:
    """Kill every process whose mark ``belongs`` accepts; returns the ids that were alive.

    Where ``spared`` is given, every child of this process that is not in it is killed as well:
    an orphan without a mark. Repeats until none is left, so a process that forks while it is
    being killed is found too; gives up after ``patience`` seconds.
    """
    killed: set[int] = set()
    orphans: set[int] = set()
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        adopted = set() if spared is None else children() - spared
        alive = marked(belongs) | adopted
        if not alive and not any(is_starting(pid) for pid in processes()):
            break
        orphans |= adopted
        kill(alive, lambda: marked(belongs) | (set() if spared is None else children() - spared))
        killed |= alive
        time.sleep(0.01)
    for pid in orphans:
        try:
            os.waitpid(pid, os.WNOHANG)  # nobody else collects them
        except ChildProcessError:
            continue
    return sorted(killed)

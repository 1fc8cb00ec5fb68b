"""Controllers of memory and processes in version 2, which a group has to hand on to those below.

The kernel lets a group hand controllers on only while no process is in the group itself. So where
all of its processes are wirelab's, they leave it for a leaf below it. A group that others are in as
well stays as it is: nobody moves them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

from wirelab.cgroups import members

LEAF = "wirelab-itself"
"""Name of that leaf. It goes with the group it is in, which a process of wirelab was begun in."""

LIMITING = frozenset({"memory", "pids"})
"""Controllers that limits need. To hand on processor time as well would give all roles together
the weight of wirelab's own processes."""

_CONTROLLERS, _HANDED_ON = "cgroup.controllers", "cgroup.subtree_control"
_ATTEMPTS = 5


def handed_on(group: Path) -> frozenset[str]:
    """The controllers that groups made in this one have."""
    return _names(group / _HANDED_ON)


def pass_on(group: Path, wanted: Collection[str] = LIMITING) -> None:
    """Have a group without processes hand on what it has of these; raises OSError."""
    missing = _names(group / _CONTROLLERS) & set(wanted) - handed_on(group)
    if missing:
        (group / _HANDED_ON).write_text(" ".join(f"+{name}" for name in sorted(missing)))


def pass_on_from_own(own: Path, wanted: Collection[str] = LIMITING) -> None:
    """The same of the group of this process, which is emptied before; nothing where others are in
    it, and where this user may not.
    """
    with contextlib.suppress(OSError):
        if not _names(own / _CONTROLLERS) & set(wanted) - handed_on(own):
            return
        if not all(map(_is_ours, _processes(own))):
            return
        (own / LEAF).mkdir(exist_ok=True)
        for _ in range(_ATTEMPTS):
            # A child may have begun meanwhile.
            for pid in _processes(own):
                with contextlib.suppress(ProcessLookupError):
                    members.place(pid, own / LEAF)
        pass_on(own, wanted)


def _names(file: Path) -> frozenset[str]:
    try:
        return frozenset(file.read_text().split())
    except OSError:
        return frozenset()


def _processes(group: Path) -> list[int]:
    """Processes in the group itself; 0 for each that this one cannot see."""
    return [int(pid) for pid in (group / members.PROCESSES).read_text().split()]


def _is_ours(pid: int) -> bool:
    """Whether a process is this one, or was started by it."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            stat = Path(f"/proc/{pid}/stat").read_bytes()
        except OSError:
            return False
        pid = int(stat.rpartition(b")")[2].split()[1])
    return False

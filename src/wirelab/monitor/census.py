"""Owner of every process of the machine, by what the kernel says of its parents.

All processes of a role are below the role's keeper (``wirelab.processes.keeper``), which the kernel
gives their orphans to. What is below the core and below no keeper is wirelab itself, what is below
``kthreadd`` the kernel, and everything else is foreign, but for what is below a process that is
beside the trial: one that the user has named, or a server of the user's own that is measured. What
a process says of itself, in its environment or its name, is not asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wirelab.monitor.arrivals import ArrivedProcesses
from wirelab.processes import leftovers

CORE = "core"
"""The owner of wirelab's own processes."""

FOREIGN = "foreign"
KERNEL = "kernel"
BESIDE = "beside"
"""The owner of processes beside the trial: they are in no account."""

BESIDE_VARIABLE = "WIRELAB_BESIDE"
"""The id of a process; what is below it is no foreign demand, as tests that run side by side are
not. The disclosure has it."""

_KTHREADD = 2
_INIT = 1
_FLAGS, _PF_KTHREAD = 6, 0x0020_0000
_LOOKS = 3
"""An id is given a little before its process can be seen: how often it is looked for again."""


@dataclass(frozen=True, slots=True)
class NewThread:
    """A thread that was not there before."""

    pid: int
    tid: int
    owner: str
    given_lately: bool
    """Since the last look; false: it was there at the first one, or had been missed."""


class ThreadCensus:
    """Finds threads as they come, and says whose they are."""

    def __init__(self, core: int, beside: Iterable[int] = ()) -> None:
        self._arrivals = ArrivedProcesses()
        self._certain = {_INIT: FOREIGN, **dict.fromkeys(beside, BESIDE), core: CORE}
        if _is_of_the_kernel(_KTHREADD):
            self._certain[_KTHREADD] = KERNEL
        self._owners: dict[int, str] = {}
        self._keepers: dict[int, str] = {}
        self._known: dict[int, int] = {}
        self._unseen: dict[int, int] = {}
        self._found: list[tuple[int, int, bool]] = []

    def introduce(self, role: str, keeper: int) -> None:
        """Know that everything below ``keeper`` is of ``role``."""
        self._keepers[keeper] = role

    def look(self) -> list[int]:
        """Find what was started since the last look; the processes among it."""
        self._look_at([*self._unseen, *self._arrivals.look()])
        if self._arrivals.all_due:
            self._look_at_all()
        return [pid for pid, tid, _ in self._found if pid == tid]

    def arrived(self) -> list[NewThread]:
        """Processes that the last look found, each with its owner as of now.

        Who introduces a keeper does so before anything is below it: whatever the look found of a
        role, its keeper is known once everything said before the end of the look has been heard.
        """
        found, self._found = self._found, []
        for pid, tid, _ in found:
            if pid == tid:
                self._owners.pop(pid, None)  # of whom had this id before
        owned = [(pid, tid, self._owner_of(pid), lately) for pid, tid, lately in found]
        return [
            NewThread(p, t, owner, lately) for p, t, owner, lately in owned if owner is not None
        ]

    def close(self) -> None:
        """Release the open file."""
        self._arrivals.close()

    # ------------------------------------------------------------------ who is there

    def _look_at_all(self) -> None:
        known: dict[int, int] = {}
        for pid in leftovers.processes():
            try:
                threads = [int(name) for name in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
            except (FileNotFoundError, ProcessLookupError):
                continue
            for tid in threads:
                known[tid] = pid
                if self._known.get(tid) != pid:
                    self._found.append((pid, tid, False))
        self._known = known
        self._owners = {pid: who for pid, who in self._owners.items() if pid in known}

    def _look_at(self, given: list[int]) -> None:
        for tid in given:
            pid = _process_of(tid)
            if pid is None:
                looks = self._unseen.get(tid, 0) + 1
                if looks < _LOOKS:
                    self._unseen[tid] = looks
                else:
                    self._unseen.pop(tid, None)
                continue
            self._unseen.pop(tid, None)
            self._known[tid] = pid
            self._found.append((pid, tid, True))

    # ------------------------------------------------------------------ whose it is

    def _owner_of(self, pid: int) -> str | None:
        """The owner of a process; None of one that is gone."""
        for _ in range(_LOOKS):
            # A parent that ends between two looks gives its child to another: look again.
            if (owner := self._by_parents(pid)) is not None:
                return owner
            if leftovers.stat_of(pid) is None:
                return None
        return FOREIGN  # below somebody who may not be looked at

    def _by_parents(self, pid: int) -> str | None:
        line = []
        while (owner := self._certain.get(pid) or self._owners.get(pid)) is None:
            stat = leftovers.stat_of(pid)
            if stat is None:
                return None
            line.append(pid)
            if (owner := self._keepers.get(stat[1])) is not None:
                break
            if stat[1] == 0:
                owner = FOREIGN
                break
            pid = stat[1]
        self._owners |= dict.fromkeys(line, owner)
        return owner


def _process_of(tid: int) -> int | None:
    """The process that a thread is of; None where there is no such thread."""
    try:
        file = os.open(f"/proc/{tid}/status", os.O_RDONLY)
    except (FileNotFoundError, ProcessLookupError):
        return None
    try:
        _, _, rest = os.read(file, 512).partition(b"\nTgid:")
    except ProcessLookupError:
        return None
    finally:
        os.close(file)
    return int(rest.split(None, 1)[0]) if rest else None


def _is_of_the_kernel(pid: int) -> bool:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    return bool(int(fields[_FLAGS]) & _PF_KTHREAD)

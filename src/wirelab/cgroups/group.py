"""The control group of one role: its account of processor time, its limits, stopping and ending."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from wirelab.cgroups import members

_PERIOD_US = 100_000
"""Time in which a share may be used up: the kernel's default, and that of containers."""

_PATIENCE_S = 10.0
_FREEZES_WITHIN_S = 1.0


class Need(StrEnum):
    """Something that a group is made for."""

    CPU = "processor time"
    SHARE = "a share of a processor"
    MEMORY = "memory"
    PROCESSES = "processes"
    STOPPING = "stopping"


FILES: Mapping[Need, tuple[str, str]] = {
    Need.CPU: ("cpuacct.usage", "cpu.stat"),
    Need.SHARE: ("cpu.cfs_quota_us", "cpu.max"),
    Need.MEMORY: ("memory.limit_in_bytes", "memory.max"),
    Need.PROCESSES: ("pids.max", "pids.max"),
    Need.STOPPING: ("freezer.state", "cgroup.freeze"),
}
"""The file that serves a need, in version 1 and in version 2."""

_OTHER_MEMORY = ("memory.memsw.limit_in_bytes", "memory.swap.max")
"""Memory on disk: none beyond the limit, because a role that swaps measures the disk."""

_REFUSALS: Mapping[Need, tuple[tuple[str, str], ...]] = {
    Need.MEMORY: (("memory.oom_control", "oom_kill"), ("memory.events", "oom_kill")),
    Need.PROCESSES: (("pids.events", "max"),),
}
"""Files and keys that count how often a limit was met."""


@dataclass(frozen=True)
class RoleBounds:
    """The most that a role may have; None: no bound is set."""

    memory_bytes: int | None = None
    processes: int | None = None
    processor: float | None = None


NO_BOUNDS = RoleBounds()


def account_ns(said: bytes) -> int:
    """Processor time in nanoseconds, of ``cpuacct.usage`` or of ``cpu.stat``."""
    first = said.split(b"\n", 1)[0]
    if first.startswith(b"usage_usec "):
        return int(first.split()[1]) * 1000
    return int(first)


class Group:
    """A role's folders, by what each is for; ``make`` them before anything else."""

    def __init__(self, folders: Mapping[Need, Path]) -> None:
        self._folders = folders

    def make(self, bounds: RoleBounds) -> None:
        """Make the folders and set the bounds; raises OSError where that is refused."""
        for folder in self._distinct:
            folder.mkdir()
        self.limit(bounds)

    def limit(self, bounds: RoleBounds) -> None:
        """Set the bounds that this machine can hold."""
        if bounds.memory_bytes is not None:
            self._set_memory(bounds.memory_bytes)
        if bounds.processes is not None and (file := self._file(Need.PROCESSES)) is not None:
            file.write_text(str(bounds.processes))
        if bounds.processor is not None and (file := self._file(Need.SHARE)) is not None:
            self._set_share(file, round(bounds.processor * _PERIOD_US))

    def _set_share(self, file: Path, quota_us: int) -> None:
        if file.name == FILES[Need.SHARE][1]:
            file.write_text(f"{quota_us} {_PERIOD_US}")
            return
        (file.parent / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
        file.write_text(str(quota_us))

    def _set_memory(self, most: int) -> None:
        if (file := self._file(Need.MEMORY)) is None:
            return
        file.write_text(str(most))
        swap_v1, swap_v2 = (file.parent / name for name in _OTHER_MEMORY)
        if swap_v1.exists():
            swap_v1.write_text(str(most))
        if swap_v2.exists():
            swap_v2.write_text("0")

    def place(self, pid: int) -> None:
        """Put a process into the group, and with it what it starts from now on."""
        for folder in self._distinct:
            members.place(pid, folder)

    @property
    def account(self) -> Path | None:
        """The file of ``account_ns``."""
        return self._file(Need.CPU)

    def members(self) -> set[int]:
        """The ids of its processes."""
        return set().union(*map(members.of, self._distinct))

    def met(self, need: Need) -> bool:
        """Whether its processes have met the limit of memory, or that of processes."""
        for name, key in _REFUSALS[need]:
            with contextlib.suppress(OSError, KeyError):
                lines = (self._folders[need] / name).read_text().splitlines()
                counts = dict(line.split() for line in lines)
                if key in counts:
                    return int(counts[key]) > 0
        return False

    # ------------------------------------------------------------------ stopping and ending

    def freeze(self) -> bool:
        """Stop all its processes wherever they are; False where this machine cannot."""
        if (file := self._file(Need.STOPPING)) is None:
            return False
        file.write_text("1" if _is_second(file) else "FROZEN")
        deadline = time.monotonic() + _FREEZES_WITHIN_S
        while not _is_frozen(file) and time.monotonic() < deadline:
            time.sleep(0.001)
        return True

    def thaw(self) -> None:
        """Let all its processes go on."""
        if (file := self._file(Need.STOPPING)) is not None:
            with contextlib.suppress(OSError):
                file.write_text("0" if _is_second(file) else "THAWED")

    def end(self) -> set[int]:
        """Kill all its processes, by process id; the ids of those that were there.

        They stand still meanwhile, so that none forks away; and again, for where they cannot.
        """
        killed: set[int] = set()
        deadline = time.monotonic() + _PATIENCE_S
        while (found := self.members()) and time.monotonic() < deadline:
            killed |= found
            with contextlib.suppress(OSError):
                self.freeze()
            for folder in self._distinct:
                members.kill(folder)
                members.thaw(folder)
            time.sleep(0.005)
        return killed

    @property
    def _distinct(self) -> list[Path]:
        return list(dict.fromkeys(self._folders.values()))

    def _file(self, need: Need) -> Path | None:
        if need not in self._folders:
            return None
        first, second = (self._folders[need] / name for name in FILES[need])
        return second if second.exists() else first


def _is_second(file: Path) -> bool:
    return file.name == FILES[Need.STOPPING][1]


def _is_frozen(file: Path) -> bool:
    if _is_second(file):
        return "frozen 1" in (file.parent / "cgroup.events").read_text()
    return file.read_text().strip() == "FROZEN"

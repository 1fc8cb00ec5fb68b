"""The bounds of a build: memory and processes by a control group, its disk by looking at it.

Who compiles runs code of everybody whose packages are taken, so that a build is held to bounds as a
role is, with and without a sandbox; and so is what fetches, which unpacks what others have packed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from wirelab.build.unavailable import Unavailable
from wirelab.cgroups.group import Need
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.disk.bound import DiskBound, device_of, free
from wirelab.disk.use import use_of
from wirelab.samples.removal import remove

MOST_BYTES = 16 << 30
"""Most bytes that a build may write."""

MOST_FILES = 1_000_000
"""Files and folders that a build may make."""

RESERVED_BYTES = 256 << 20
"""Least free bytes of the file system: where less is left, the build ends."""

RESERVED_FILES = 10_000
"""Least free files of the file system, where their number is bounded."""

LOOKS_EVERY_S = 0.5
"""Seconds between two looks at what a build has used up."""

_COUNTS_EVERY_S = 5.0
_MOST_LOG_BYTES = 8 << 20
_MIB = 1 << 20
_NAME = "build"

_GATE = ("/bin/sh", "-c", 'read -r entered && exec "$@" < /dev/null', "sh")
"""Waits for a line before it becomes the command: until then it can be put into a group. Where
nobody writes one, because whoever would has died, it ends."""


class BuildBounds:
    """Bounds of the commands of one build; use as a context manager.

    ``own`` are the folders that nobody else writes to, ``log`` is a file in one of them which stays
    when they are emptied. In ``shared`` folders everything counts that was changed since the
    beginning. Groups are those of ``session``, by which a guardian finds them.
    """

    def __init__(
        self,
        session: str,
        own: Sequence[Path],
        shared: Sequence[Path],
        log: Path,
        grouping: Grouping | None,
    ) -> None:
        self._own, self._shared, self._log = own, shared, log
        groups = grouping is not None and Need.CPU in grouping.offer.places
        self._groups = (
            TrialGroups(grouping.offer, session, grouping.bounds)
            if grouping is not None and groups
            else None
        )
        self._bounds: list[DiskBound] = []
        self._device = 0
        self._began_ns = 0
        self._counted = -_COUNTS_EVERY_S

    def __enter__(self) -> BuildBounds:
        """Know what there is before the first command."""
        free_bytes, free_files = free(self._own[0])
        self._bounds = [DiskBound.of("bytes", free_bytes, MOST_BYTES, RESERVED_BYTES)]
        if free_files:  # some file systems make them as they are needed
            self._bounds += [DiskBound.of("files", free_files, MOST_FILES, RESERVED_FILES)]
        self._device = device_of(self._own[0])
        self._began_ns = time.time_ns()
        return self

    def __exit__(self, *_: object) -> None:
        """End what is left in the group, and remove that."""
        if self._groups is not None:
            self._groups.close()

    # ------------------------------------------------------------------ a command

    def around(self, words: Sequence[str]) -> tuple[Sequence[str], int]:
        """The command that is started for ``words``, and its standard input: see ``let_in``."""
        if self._groups is None:
            return words, subprocess.DEVNULL
        return [*_GATE, *words], subprocess.PIPE

    def let_in(self, process: subprocess.Popen[bytes]) -> None:
        """Put a process into the group, and have it become its command; raises OSError."""
        if self._groups is None or process.stdin is None:
            return
        self._groups.enter(_NAME, process.pid)
        with contextlib.suppress(BrokenPipeError):  # it was killed meanwhile
            process.stdin.write(b"\n")
            process.stdin.close()

    def end(self) -> None:
        """End everything that was started and is still there."""
        if self._groups is not None:
            self._groups.end_rest()

    def check(self, process: subprocess.Popen[bytes]) -> None:
        """Raise Unavailable where a command has met a bound, or has used up the disk."""
        self._check_group()
        looks = list(zip(self._bounds, free(self._own[0]), strict=False))
        nearly_full = any(bound.is_nearly_met(left) for bound, left in looks)
        suspicious = any(bound.is_suspicious(left) for bound, left in looks)
        due = time.monotonic() - self._counted >= _COUNTS_EVERY_S
        if not nearly_full and not (suspicious and due):
            return
        self._counted = time.monotonic()
        for bound, left in looks:
            self._check_disk(bound, left, process.pid)

    def _check_group(self) -> None:
        exceeded = self._groups.exceeded() if self._groups is not None else None
        if self._groups is None or exceeded is None:
            return
        bounds = self._groups.bounds_of(_NAME)
        if exceeded[1] is Need.MEMORY:
            most = (bounds.memory_bytes or 0) / _MIB
            said = f"the build needed more memory than one may have: {most:.0f} MiB"
        else:
            said = f"the build started more processes than one may have: {bounds.processes}"
        raise Unavailable(said, f"cat {self._log}", self._log)

    def _check_disk(self, bound: DiskBound, left: int, pid: int) -> None:
        own = use_of(self._own, pid, self._device)
        shared = use_of(self._shared, None, self._device, self._began_ns)
        used: int = getattr(own, bound.unit) + getattr(shared, bound.unit)
        if used > bound.allowed(left):
            most = f"{bound.allowed(left)} {bound.unit} are the most"
            said = f"the build wrote {used} {bound.unit}, and {most}; they have been removed"
            raise WroteTooMuch(said, f"cat {self._log}", self._log)
        if bound.is_nearly_met(left):
            said = f"only {left} {bound.unit} of the disk are free ({self._own[0]})"
            raise Unavailable(said, "make room on it", self._log)

    def empty(self) -> None:
        """Remove what was written beyond the bound, all but the beginning of the log."""
        for folder in self._own:
            for path in folder.iterdir():
                if path != self._log:
                    with contextlib.suppress(OSError):
                        remove(path)
        if self._log.stat(follow_symlinks=False).st_size > _MOST_LOG_BYTES:
            os.truncate(self._log, _MOST_LOG_BYTES)


class WroteTooMuch(Unavailable):
    """A build has filled the disk; what it wrote is of no use."""

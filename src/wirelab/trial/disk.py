"""The disk that the roles of a trial use up, held to bounds while they are at work.

What the file system has free is looked at often, which costs next to nothing. What each role uses
is counted only where that has gone down by half of what a role may have, or is nearly nothing.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from wirelab.disk.bound import DiskBound, device_of, free
from wirelab.disk.use import DiskUse, use_of
from wirelab.samples.removal import remove
from wirelab.trial.failure import TrialError

MOST_BYTES = 4 << 30
"""Most bytes that a role may write to its scratch folder and its files."""

MOST_FILES = 200_000
"""Files and folders that a role may make there."""

RESERVED_BYTES = 256 << 20
"""Least free bytes of the file system: where less is left, the trial ends."""

RESERVED_FILES = 10_000
"""Least free files of the file system, where their number is bounded: with less the trial ends."""

_LOOKS_EVERY_S = 0.1
_COUNTS_EVERY_S = 1.0


class DiskWatch:
    """Watches what ``roles`` use of the disk of a trial's ``folder``; ``fail`` is told, once.

    ``keepers``: the process of each role below which all its processes are.
    """

    def __init__(
        self,
        folder: Path,
        roles: Iterable[str],
        keepers: Callable[[], Mapping[str, int]],
        fail: Callable[[TrialError], None],
    ) -> None:
        self._folder = folder
        self._roles = list(roles)
        self._keepers = keepers
        self._fail = fail
        self._bounds: list[DiskBound] = []
        self._device = 0
        self._over = ""
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="disk", daemon=True)

    def start(self) -> None:
        """Watch from now on."""
        self._device = device_of(self._folder)
        free_bytes, free_files = free(self._folder)
        self._bounds = [DiskBound.of("bytes", free_bytes, MOST_BYTES, RESERVED_BYTES)]
        if free_files:  # some file systems make them as they are needed
            self._bounds += [DiskBound.of("files", free_files, MOST_FILES, RESERVED_FILES)]
        self._watcher.start()

    def stop(self) -> None:
        """Look no more, and remove what a role wrote beyond its bound."""
        self._ended.set()
        if self._watcher.ident is not None:
            self._watcher.join()
        if self._over:
            for path in _places(self._folder, self._over):
                with contextlib.suppress(OSError):
                    remove(path)

    def blamed(self, error: TrialError) -> TrialError:
        """Name who wrote most, where the disk is full; return every other error as it is."""
        if error.reason != "disk-full" or error.role or not self._bounds:
            return error
        return self._told(error, self._bounds[0], self._used())

    def _watch(self) -> None:
        counted = -_COUNTS_EVERY_S
        while not self._ended.wait(_LOOKS_EVERY_S):
            now = time.monotonic()
            looks = list(zip(self._bounds, free(self._folder), strict=False))
            nearly_full = any(bound.is_nearly_met(left) for bound, left in looks)
            suspicious = any(bound.is_suspicious(left) for bound, left in looks)
            if not nearly_full and not (suspicious and now - counted >= _COUNTS_EVERY_S):
                continue
            counted = now
            used = self._used()
            for bound, left in looks:
                if (found := self._beyond(bound, left, used)) is not None:
                    self._fail(found)
                    return

    def _used(self) -> dict[str, DiskUse]:
        keepers = self._keepers()
        return {
            role: use_of(_places(self._folder, role), keepers.get(role), self._device)
            for role in self._roles
        }

    def _beyond(
        self, bound: DiskBound, left: int, used: Mapping[str, DiskUse]
    ) -> TrialError | None:
        role, most_used = _largest(bound, used)
        if most_used > bound.allowed(left):
            self._over = role
            return TrialError(
                "wrote-too-much",
                f"{role} wrote {most_used} {bound.unit} to its scratch folder and its files, and "
                f"{bound.allowed(left)} {bound.unit} are the most; they have been removed",
                role,
            )
        if bound.is_nearly_met(left):
            said = f"only {left} {bound.unit} of the disk were free"
            return self._told(TrialError("disk-full", said), bound, used)
        return None

    def _told(self, full: TrialError, bound: DiskBound, used: Mapping[str, DiskUse]) -> TrialError:
        """``full`` with the role that wrote most; it is to blame for more than half of what went.

        What others write to the same disk is nobody's here.
        """
        role, most_used = _largest(bound, used)
        left = free(self._folder)[self._bounds.index(bound)]
        went = bound.free - left
        to_blame = role if 2 * most_used > went else ""
        said = f"{role} wrote {most_used} of the {went} {bound.unit} that went meanwhile"
        return TrialError(full.reason, f"{full.detail}; {said}", to_blame)


def _largest(bound: DiskBound, used: Mapping[str, DiskUse]) -> tuple[str, int]:
    """The role that used most, and how much that is."""
    by_role = {role: getattr(use, bound.unit) for role, use in used.items()}
    role = max(by_role, key=lambda name: by_role[name])
    return role, by_role[role]


def _places(folder: Path, role: str) -> list[Path]:
    """The scratch folder of a role, its output files, and the folder of these in a sandbox."""
    kinds = ("samples", "answers.jsonl", "intervals.jsonl", "batches.jsonl")
    files = [folder / f"{role}.{kind}" for kind in kinds]
    return [folder / role, folder / f"{role}.out", *files]

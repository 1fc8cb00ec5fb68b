"""The disk that the roles of a trial use up, held to a bound while they are at work.

How much of the file system is free is looked at often, which costs next to nothing. Folders are
walked only where that has gone down by half of what a role may write, or is nearly nothing.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from wirelab.samples.removal import remove
from wirelab.trial.failure import TrialError

MOST_BYTES = 4 << 30
"""That a role may write to its scratch folder and its files."""

RESERVED_BYTES = 256 << 20
"""Of the file system: where less is left, the trial ends."""

_LOOKS_EVERY_S = 0.1
_WALKS_EVERY_S = 1.0
_BLOCK = 512
"""Of ``st_blocks``, whatever the file system's own are."""


class WrittenBytes:
    """Watches what ``roles`` write in the ``folder`` of a trial; ``fail`` is told, once."""

    def __init__(
        self, folder: Path, roles: Iterable[str], fail: Callable[[TrialError], None]
    ) -> None:
        self._folder = folder
        self._roles = list(roles)
        self._fail = fail
        self._over = ""
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="written", daemon=True)

    def start(self) -> None:
        """Watch from now on."""
        self._free = _free(self._folder)
        # A nearly full disk has no room for the usual bounds.
        self._reserved = min(RESERVED_BYTES, self._free // 4)
        self._most = min(MOST_BYTES, self._free - self._reserved)
        self._watcher.start()

    def stop(self) -> None:
        """Look no more, and remove what a role wrote beyond its bound."""
        self._ended.set()
        if self._watcher.ident is not None:
            self._watcher.join()
        if self._over:
            _remove(_places(self._folder, self._over))

    def _watch(self) -> None:
        walked = -_WALKS_EVERY_S
        while not self._ended.wait(_LOOKS_EVERY_S):
            left = _free(self._folder)
            nearly_full = left < self._reserved
            suspicious = self._free - left > self._most // 2
            now = time.monotonic()
            if not nearly_full and not (suspicious and now - walked >= _WALKS_EVERY_S):
                continue
            walked = now
            if (found := self._beyond(nearly_full=nearly_full, left=left)) is not None:
                self._fail(found)
                return

    def _beyond(self, *, nearly_full: bool, left: int) -> TrialError | None:
        written = {role: self._bytes_of(role) for role in self._roles}
        role = max(written, key=lambda name: written[name])
        if written[role] > self._most or (nearly_full and written[role] > self._free // 2):
            self._over = role
            most = min(self._most, self._free // 2) if nearly_full else self._most
            return TrialError(
                "wrote-too-much",
                f"{role} wrote {written[role]} bytes to its scratch folder and its files, and "
                f"{most} bytes are the most; they have been removed",
                role,
            )
        if nearly_full:
            said = TrialError("disk-full", f"only {left} bytes of the disk were free")
            return self._told(said, role, written[role])
        return None

    def blamed(self, error: TrialError) -> TrialError:
        """Who wrote most, where the disk is full; every other error as it is."""
        if error.reason != "disk-full" or error.role or self._watcher.ident is None:
            return error
        written = {role: self._bytes_of(role) for role in self._roles}
        role = max(written, key=lambda name: written[name])
        return self._told(error, role, written[role])

    def _told(self, full: TrialError, role: str, written: int) -> TrialError:
        """``full`` with the role that wrote most; it is to blame for more than half of what went.

        What others write to the same disk is nobody's here.
        """
        went = self._free - _free(self._folder)
        to_blame = role if 2 * written > went else ""
        said = f"{full.detail}; {role} wrote {written} of the {went} bytes that went meanwhile"
        return TrialError(full.reason, said, to_blame)

    def _bytes_of(self, role: str) -> int:
        """On disk; a sparse file has few."""
        return sum(found.st_blocks * _BLOCK for _, found in _below(_places(self._folder, role)))


def _places(folder: Path, role: str) -> list[Path]:
    """The scratch folder of a role, its output files, and the folder of these in a sandbox."""
    kinds = ("samples", "answers.jsonl", "intervals.jsonl", "batches.jsonl")
    files = [folder / f"{role}.{kind}" for kind in kinds]
    return [folder / role, folder / f"{role}.out", *files]


def _below(paths: Iterable[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    """All that can be seen there; what vanishes meanwhile is left out.

    Not by recursion: folders may be nested deeper than Python is.
    """
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        try:
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode):
                waiting += path.iterdir()
        except OSError:
            continue
        yield path, found


def _remove(paths: Iterable[Path]) -> None:
    for path, found in _below(paths):
        if not stat.S_ISDIR(found.st_mode):
            with contextlib.suppress(OSError):
                path.unlink()
    for path in paths:
        with contextlib.suppress(OSError):
            remove(path)


def _free(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize

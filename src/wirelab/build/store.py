"""The builds of this user, shared by every clone: where they are, who uses them, which go first.

    builds/<suite>-<sources>-<key>/       output, build.json (written last), build.log
    builds/<suite>-<sources>-<key>.lock   shared by those who use the build, alone to who changes it
    builds/<suite>-<sources>-<packages>.packages.lock.json   what a first restore of NuGet found
    making/<suite>-<sources>-<key>/       what is not needed afterwards
    making/<suite>-<sources>-<key>.ours/  the same, of what runs no code of packages
    cargo/, cargo.lock                    what cargo has compiled, for all its builds
    downloads/TOOL/                       what was fetched; written to by who has downloads.lock

The time of a lock file is that of the last use. Locks are the kernel's, so what a process used
is free again when it ends, however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from wirelab import cache
from wirelab.build.built import BuildRecord
from wirelab.build.content import tree_bytes
from wirelab.build.lock import locked, say_waiting
from wirelab.model.mistake import MistakeError
from wirelab.samples.removal import remove
from wirelab.words.printable import all_printable

GIB = 1 << 30
LIMIT = "WIRELAB_CACHE_GIB"
"""Variable of the environment: how many GiB the builds may take."""

_LIMIT_GIB = 20
"""About twice of what the builds of every suite take."""

_RECORD = "build.json"

_AGAIN_S = 0.05
"""Between two looks at a lock that another process seems to give up."""

_held: dict[Path, IO[str]] = {}
"""Lock files that this process shares until it ends, since it may start what it has built."""


class LimitError(MistakeError):
    """A limit of the builds that is no number of GiB."""


@dataclass(frozen=True)
class StoredBuild:
    """Something in the store: ``used`` is the time of its last use, s since the epoch."""

    name: str
    bytes: int
    used: float


class Store:
    """The folder of the builds; below the user's cache unless ``home`` names another.

    Raises LimitError where the user has set a limit that is none: before anything is built.
    """

    def __init__(self, home: Path | None = None) -> None:
        limit()
        self.home = (home or cache.home()).resolve()
        self.builds = self.home / "builds"
        self._cargo = self.home / "cargo"
        self._cargo_lock = self.home / "cargo.lock"
        own = self.home == cache.home().resolve()
        self._downloads = cache.downloads() if own else self.home / "downloads"
        self._downloads_lock = self._downloads.with_name(f"{self._downloads.name}.lock")

    def output(self, name: str) -> Path:
        """The folder of a build."""
        return self.builds / name

    def making(self, name: str) -> Path:
        """The folder for what a build needs while it is made."""
        return self.home / "making" / name

    def ours(self, name: str) -> Path:
        """The folder for what a build needs while it fetches: what it compiles cannot reach it."""
        return self.home / "making" / f"{name}.ours"

    # ------------------------------------------------------------------ use and change

    def use(self, name: str) -> BuildRecord | None:
        """The record of a build, which nobody removes as long as this process lives.

        None when there is no such build, or none yet because somebody works on it.
        """
        lock = self._lock(name)
        if lock not in _held:
            lock.parent.mkdir(parents=True, exist_ok=True)
            file = lock.open("a")
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                return None
            _held[lock] = file
        record = _read_record(self.output(name))
        if record is None:
            # Whoever builds it, here or elsewhere, needs the lock alone.
            self.give_back(name)
            return None
        os.utime(lock)
        return record

    def give_back(self, name: str) -> None:
        """Say that this process needs a build no longer."""
        if file := _held.pop(self._lock(name), None):
            file.close()

    def complete(self, name: str) -> bool:
        """Whether there is such a build."""
        return _read_record(self.output(name)) is not None

    @contextlib.contextmanager
    def change(self, name: str, say: Callable[[str], None], what: str) -> Iterator[bool]:
        """Nobody else uses or changes a build meanwhile.

        False, and no such promise, when another process has completed it by then: that one goes
        on using it. ``say`` tells of waiting for ``what``.
        """
        lock = self._lock(name)
        lock.parent.mkdir(parents=True, exist_ok=True)
        waiting = False
        with lock.open("a") as file:
            while not _taken(file):
                if self.complete(name):
                    yield False
                    return
                if not waiting:
                    say_waiting(say, file.fileno(), what)
                    waiting = True
                # Shared with those who use the build, this waits for the one who makes it.
                fcntl.flock(file, fcntl.LOCK_SH)
                fcntl.flock(file, fcntl.LOCK_UN)
                time.sleep(_AGAIN_S)
            yield not self.complete(name)

    @contextlib.contextmanager
    def cargo(self, say: Callable[[str], None]) -> Iterator[Path]:
        """The target folder of all builds by cargo, which have most crates in common.

        Nobody else compiles into it, or removes it, meanwhile.
        """
        with locked(self._cargo_lock, say, "crates"):
            yield self._cargo

    def downloads(self, tool: str) -> Path:
        """The folder of what was fetched for a tool."""
        folder = self._downloads / tool
        folder.mkdir(parents=True, exist_ok=True)
        return folder.resolve()

    @contextlib.contextmanager
    def fetching(self, say: Callable[[str], None]) -> Iterator[None]:
        """Nobody else fetches meanwhile: not every tool expects another one."""
        with locked(self._downloads_lock, say, "downloads"):
            yield

    def shared(self) -> list[Path]:
        """Folders that builds write to together."""
        return [self._cargo, self._downloads]

    def write_record(self, name: str, record: BuildRecord) -> None:
        """Say that a build is complete.

        What was compiled had this folder for its own: a link there would lead out of it.
        """
        partial, final = (self.output(name) / f"{_RECORD}{end}" for end in (".partial", ""))
        for path in filter(os.path.lexists, (partial, final)):
            remove(path)
        with partial.open("x", encoding="utf-8") as file:
            file.write(record.model_dump_json(indent=1))
        partial.rename(final)

    def _lock(self, name: str) -> Path:
        return self.builds / f"{name}.lock"

    # ------------------------------------------------------------------ size and removal

    def kept(self) -> list[StoredBuild]:
        """Everything in the store, that which was not used for longest first."""
        if not self.builds.is_dir():
            return []
        found = []
        for entry in os.scandir(self.builds):
            if entry.is_dir(follow_symlinks=False):
                record = _read_record(Path(entry.path))
                size = record.disk_bytes if record else tree_bytes(Path(entry.path))
                found.append(StoredBuild(entry.name, size, _time_of(self._lock(entry.name))))
        return sorted(found, key=lambda kept: kept.used)

    def size(self) -> int:
        """Bytes of everything here but for downloads, which a build may be reading."""
        loose = sum(tree_bytes(folder) for folder in (self._cargo, self.home / "making"))
        return loose + sum(kept.bytes for kept in self.kept())

    def trim(self) -> None:
        """Remove what was not used for longest until the rest is within the limit.

        What only makes builds quicker goes before any build. What a process uses stays.
        """
        excess = self.size() - limit()
        if excess > 0:
            excess -= self._remove_cargo()
        for kept in self.kept():
            if excess <= 0:
                return
            excess -= kept.bytes if self.remove(kept.name) else 0

    def remove(self, name: str) -> bool:
        """Remove a build; False when a process uses it, and it stays."""
        with _unused(self._lock(name)) as unused:
            if unused:
                for folder in (self.output(name), self.making(name), self.ours(name)):
                    _remove(folder)
            return unused

    def _remove_cargo(self) -> int:
        """Bytes that were freed."""
        with _unused(self._cargo_lock) as unused:
            size = tree_bytes(self._cargo) if unused else 0
            if unused:
                _remove(self._cargo)
            return size

    def clear(self) -> list[str]:
        """Remove everything; the names of builds that stayed because a process uses them."""
        self._remove_cargo()
        stayed = [kept.name for kept in self.kept() if not self.remove(kept.name)]
        if not stayed:
            _remove(self.home)
        return stayed


def _remove(folder: Path) -> None:
    """Remove a folder as far as that goes, however deep what was compiled has made it."""
    with contextlib.suppress(OSError):
        remove(folder)


def limit() -> int:
    """Bytes that the builds may take; LimitError where the user has said what is no limit."""
    said = os.environ.get(LIMIT, "")
    if not said:
        return _LIMIT_GIB * GIB
    if not (said.isascii() and said.isdigit() and int(said)):
        raise LimitError(f"{LIMIT}={said}: expected a whole number of GiB above 0, such as 40")
    return int(said) * GIB


@contextlib.contextmanager
def _unused(lock: Path) -> Iterator[bool]:
    """Whether no process uses what ``lock`` protects; if so, none begins to meanwhile."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as file:
        yield _taken(file)


def _taken(lock: IO[str]) -> bool:
    """Take a lock alone, unless somebody has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read_record(output: Path) -> BuildRecord | None:
    try:
        said = json.loads((output / _RECORD).read_bytes())
        return BuildRecord.model_validate(all_printable(said))  # packages name themselves
    except (OSError, ValueError, RecursionError):
        return None


def _time_of(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0

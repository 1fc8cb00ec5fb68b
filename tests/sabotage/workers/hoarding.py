"""Workers that keep their files from the core or use its disk up: ``hoarding.py NAME``.

What they write is a part of what the disk has free, which is to be a small one.
"""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from reference import Reference, read_spec

FREE = "free.txt"
LEVELS, LONG_NAME = 20, "x" * 250
"""Folders in folders: together longer than a path may be."""


class Hoarding(Reference):
    """Honest but for what it does as its name says."""

    attack = ""
    held: list[object]

    @property
    def scratch(self) -> Path:
        return Path(self.spec["paths"]["scratch"])

    def path(self, kind: str) -> Path:
        return Path(self.spec["paths"][kind])

    def share(self, part: float) -> int:
        """A part of what was free when the first role began."""
        known = [path for path in self.scratch.parent.glob(f"*/{FREE}") if path.stat().st_size]
        if not known:
            found = os.statvfs(self.scratch)
            known = [self.scratch / FREE]
            known[0].write_text(str(found.f_bavail * found.f_frsize))
        return int(int(known[0].read_text()) * part)

    def fill(self, part: float) -> None:
        """Take a part of the disk in the working directory."""
        with Path("much").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, self.share(part))

    def fill_unseen(self, part: float) -> int:
        """The same, in a file without a name: its descriptor."""
        file = os.open("unseen", os.O_RDWR | os.O_CREAT)
        Path("unseen").unlink()
        os.posix_fallocate(file, 0, self.share(part))
        return file

    def say_ready(self, **fields: object) -> None:
        if self.attack in BEFORE and self.spec["role"] in BEFORE[self.attack]:
            BEFORE[self.attack][self.spec["role"]](self)
            if self.spec["role"] == "client":
                sys.stdin.read()  # it is to be ended meanwhile
        super().say_ready(**fields)

    def finish(self) -> None:
        self.samples.close()
        self.answers.close()
        if self.attack in LAST and self.spec["role"] == "client":
            LAST[self.attack](self)
        self.say_done()


def close_intervals(worker: Hoarding) -> None:
    worker.path("intervals").touch()
    worker.path("intervals").chmod(0)


def hold_unlinked(worker: Hoarding) -> None:
    """Half of it by a descriptor, half of it in memory."""
    worker.held = [worker.fill_unseen(0.4)]
    shown = worker.fill_unseen(0.4)
    worker.held.append(mmap.mmap(shown, 0))
    os.close(shown)


def make_files(worker: Hoarding) -> None:
    for number in range(int(os.statvfs(worker.scratch).f_favail * 0.8)):
        Path(str(number)).touch()


def fill_closed_folder(worker: Hoarding) -> None:
    worker.share(0)
    Path("closed").mkdir()
    Path("closed").chmod(0o300)
    os.chdir("closed")
    worker.fill(0.8)


def fill_deep_folder(worker: Hoarding) -> None:
    worker.share(0)
    for _ in range(LEVELS):
        Path(LONG_NAME).mkdir()
        os.chdir(LONG_NAME)
    worker.fill(0.8)


BEFORE: Mapping[str, Mapping[str, Callable[[Hoarding], None]]] = {
    "fill-together": {
        "server": lambda worker: worker.fill(0.35),
        "client": lambda worker: worker.fill(0.45),
    },
    "hold-unlinked": {"client": hold_unlinked},
    "make-files": {"client": make_files},
    "fill-closed-folder": {"client": fill_closed_folder},
    "fill-deep-folder": {"client": fill_deep_folder},
}
"""Act before the role is ready."""

LAST: Mapping[str, Callable[[Hoarding], None]] = {
    "close-samples": lambda worker: worker.path("samples").chmod(0),
    "close-intervals": close_intervals,
    "close-folder": lambda worker: worker.path("samples").parent.chmod(0o500),
}
"""Act of the client when its files are complete."""

if __name__ == "__main__":
    Hoarding.attack = sys.argv[1]
    Hoarding(read_spec()).run()

"""The lock of a run's folder: one process at a time carries a run out, and its name is known.

The kernel frees the lock with the process that holds it, however that ends, so that what a dead
process left blocks nobody. Who holds it stands in ``run.lock``. That matters where folders are
shared between machines: some of those file systems hold a lock on each machine by itself, so a name
from another machine that was never taken back is believed.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from wirelab.model.mistake import MistakeError
from wirelab.model.units import Strict
from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.words.printable import printable

NAME = "run.lock"

_AT_MOST = 4096
"""Bytes of a lock file that are read."""

_WITHOUT_LOCKS = frozenset({errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL})


class RunInUseError(MistakeError):
    """Another process carries this run out, or may do so."""


class RunHolder(Strict):
    """The process that carries a run out."""

    pid: int
    host: str
    since: str

    @classmethod
    def myself(cls) -> RunHolder:
        """This process, from now on."""
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        return cls(pid=os.getpid(), host=socket.gethostname(), since=now)

    @property
    def is_here(self) -> bool:
        """Whether it is a process of this machine."""
        return self.host == socket.gethostname()

    @property
    def lives(self) -> bool:
        """Whether it is a process of this machine that has not ended."""
        return self.is_here and Path(f"/proc/{self.pid}").is_dir()

    def __str__(self) -> str:
        return printable(f"process {self.pid} on {self.host} since {self.since}")


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Carry the run in ``folder`` out alone; raises RunInUseError, with who does so now."""
    path = folder / NAME
    descriptor = _opened(path)
    try:
        before = _holder(descriptor)
        if not _locked(descriptor, before):
            who = str(before) if before else "another process"
            raise RunInUseError(f"{folder} is under way: {who} carries this run out")
        if before is not None and not before.is_here:
            raise RunInUseError(
                f"{folder} was begun by {before}. Whether that process has ended cannot be seen "
                f"from {socket.gethostname()}: if it has, remove {path} and try again."
            )
        with contextlib.suppress(OSError):  # a full disk: the lock holds without a name
            _write(descriptor, RunHolder.myself().model_dump_json(indent=1).encode())
        try:
            yield
        finally:
            _write(descriptor, b"")
    finally:
        os.close(descriptor)


def holder_of(folder: Path) -> RunHolder | None:
    """Find the process that carries the run in ``folder`` out now, as far as can be seen; None:
    nobody.
    """
    try:
        descriptor = regular_file.descriptor(folder / NAME)
    except (OSError, UnsafeFileError):
        return None  # never carried out here, or not ours to read
    try:
        known = _holder(descriptor)
    finally:
        os.close(descriptor)
    # A holder takes its name back, so that only a dead one's is left on this machine.
    return known if known is not None and (known.lives or not known.is_here) else None


def _opened(path: Path) -> int:
    """The lock file, made where it is missing; no link is followed, and no pipe waited for."""
    try:
        return regular_file.descriptor(path, os.O_RDWR | os.O_CREAT)
    except UnsafeFileError as error:
        raise RunInUseError(f"{path} cannot be held: it {error.problem}") from None
    except OSError as error:
        raise RunInUseError(f"{path} cannot be held: {error.strerror}") from None


def _locked(descriptor: int, before: RunHolder | None) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise
        # A file system without locks: the name that was left has to do.
        return before is None or not before.lives
    return True


def _holder(descriptor: int) -> RunHolder | None:
    try:
        return RunHolder.model_validate_json(os.pread(descriptor, _AT_MOST, 0))
    except ValidationError:
        return None


def _write(descriptor: int, content: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, content, 0)

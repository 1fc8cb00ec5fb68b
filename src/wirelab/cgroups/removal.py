"""Folders of control groups by name: whose they are, and the end of those that nobody holds.

A folder is held by a lock for as long as the core that made it lives; the kernel lets go of it with
that core, however it ends. Only a folder with a name of ours that nobody holds is touched.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wirelab.cgroups import members
from wirelab.cgroups.hierarchies import hierarchies

_NAME = re.compile(r"wirelab-[0-9a-f]{16}-[0-9a-f]{8}")
_PATIENCE_S = 10.0
_ATTEMPTS = 5


def new_name(session: str) -> str:
    """A name for a folder of groups that tells a guardian whose session's it is."""
    return f"{_beginning(session)}{secrets.token_hex(4)}"


def _beginning(session: str) -> str:
    return f"wirelab-{hashlib.sha256(session.encode()).hexdigest()[:16]}-"


def held(folder: Path) -> int:
    """Hold a folder: an open file that lets go when it is closed; raises OSError."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(file).st_ino != folder.stat().st_ino:
            raise FileNotFoundError(folder)
    except OSError:
        os.close(file)
        raise
    return file


def made(folder: Path) -> int:
    """Make a folder and hold it; raises OSError."""
    for _ in range(_ATTEMPTS):
        folder.mkdir()
        # Somebody who looks for what was abandoned may have found it before it was held.
        with contextlib.suppress(FileNotFoundError, BlockingIOError):
            return held(folder)
        members.remove(folder, 0)
    raise FileNotFoundError(errno.ENOENT, "it is removed again and again", str(folder))


def end_of(session: str) -> None:
    """Kill what is left in the groups of a session whose core has died, and remove them."""
    for folder in of_session(session):
        with _unheld(folder) as free:
            if free:
                for group in members.below(folder):
                    members.kill(group)
                    members.thaw(group)
                members.remove(folder, _PATIENCE_S)


def of_session(session: str) -> list[Path]:
    """The folders of a session."""
    return _ours(_beginning(session))


def remove_abandoned() -> None:
    """Remove groups without processes that a core has left which was killed with its guardian."""
    for folder in _ours("wirelab-"):
        with _unheld(folder) as free:
            if free:
                members.remove(folder, 0)


def _ours(beginning: str) -> list[Path]:
    owns = [hierarchy.own for hierarchy in hierarchies()]
    found = [path for own in owns for path in members.below(own)]
    return [
        path for path in found if path.name.startswith(beginning) and _NAME.fullmatch(path.name)
    ]


@contextmanager
def _unheld(folder: Path) -> Iterator[bool]:
    """Whether nobody holds a folder, which is held meanwhile."""
    try:
        file = held(folder)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):
            os.close(file)

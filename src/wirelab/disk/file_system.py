"""The file system of a folder, by what the kernel says of its mounts."""

from __future__ import annotations

import os
import re
from pathlib import Path

from wirelab.model.file_system import FileSystem

_MEMORY = frozenset({"devtmpfs", "ramfs", "rootfs", "tmpfs"})

_WITHOUT_SYNCS = "volatile"
"""Option of an overlay, by which it passes no sync on to the file system below it."""

_MOUNT_ID = re.compile(r"^mnt_id:\s*(\d+)$", re.MULTILINE)


def file_system_of(folder: Path) -> FileSystem | None:
    """The file system of the mount that a folder lies on; None where the kernel tells none."""
    try:
        told = _told_of(folder)
        mounts = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    mount = _MOUNT_ID.search(told)
    return mounted(mount[1], mounts) if mount else None


def _told_of(folder: Path) -> str:
    """The kernel's lines on an open folder, with the number of its mount."""
    place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return Path(f"/proc/self/fdinfo/{place}").read_text("utf-8")
    finally:
        os.close(place)


def mounted(mount: str, mounts: str) -> FileSystem | None:
    """The file system of a mount, by its number in a list as the kernel prints it."""
    for line in mounts.splitlines():
        number, _space, about = line.partition(" ")
        if number == mount:
            kind, _source, options = about.rpartition(" - ")[2].split(" ")
            syncs_nothing = kind in _MEMORY or _WITHOUT_SYNCS in options.split(",")
            return FileSystem(type=kind, syncs_nothing=syncs_nothing)
    return None

"""The hierarchies of control groups of this machine, and where in each this process is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wirelab.cgroups.handing_on import LEAF, handed_on

_MOUNTS = Path("/proc/self/mountinfo")
_MEMBERSHIPS = Path("/proc/self/cgroup")


@dataclass(frozen=True)
class Hierarchy:
    """A mounted hierarchy of version 1 or 2.

    ``own`` is the folder of this process's group, or of the one it has left for a leaf;
    ``controllers`` are those that a group made in it has: of version 2 the ones that it hands on.
    """

    version: int
    controllers: frozenset[str]
    own: Path


def hierarchies(mounts: Path = _MOUNTS, memberships: Path = _MEMBERSHIPS) -> list[Hierarchy]:
    """The hierarchies that this process can see its own group in; version 2 comes first."""
    try:
        mounted = mounts.read_text(errors="replace").splitlines()
        found = list(_found(mounted, memberships.read_text(errors="replace").splitlines()))
    except OSError:
        return []
    return sorted(found, key=lambda hierarchy: -hierarchy.version)


def _found(mounts: list[str], memberships: list[str]) -> Iterator[Hierarchy]:
    paths = {}
    for line in memberships:
        _, names, path = line.split(":", 2)
        paths[frozenset(filter(None, names.split(",")))] = path
    seen = set()
    for line in mounts:
        place, _, kind = line.partition(" - ")
        root, point = (_unescaped(field) for field in place.split()[3:5])
        fstype, _, options = kind.split(" ", 2)
        if fstype not in ("cgroup", "cgroup2"):
            continue
        offered = frozenset(options.split(",")) if fstype == "cgroup" else frozenset()
        controllers = next(
            (known for known in paths if known <= offered and bool(known) == bool(offered)), None
        )
        if controllers is None or controllers in seen:
            continue
        if (folder := _below(Path(point), root, paths[controllers])) is None:
            continue
        seen.add(controllers)
        if fstype == "cgroup2":
            own = folder.parent if folder.name == LEAF else folder
            yield Hierarchy(2, handed_on(own), own)
        else:
            yield Hierarchy(1, controllers, folder)


def _below(point: Path, root: str, path: str) -> Path | None:
    """The folder of a group where a mount shows the part of its hierarchy below ``root``."""
    try:
        folder = point / Path(path).relative_to(root)
    except ValueError:
        return None
    return folder if ".." not in folder.parts and folder.is_dir() else None


def _unescaped(field: str) -> str:
    """A path of ``mountinfo``, in which blanks and the like are octal numbers."""
    return re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), field)

"""The control groups that can be had on this machine: tried, and told in words where not."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wirelab.cgroups import members, removal
from wirelab.cgroups.group import FILES, Group, Need, account_ns
from wirelab.cgroups.handing_on import handed_on, pass_on_from_own
from wirelab.cgroups.hierarchies import Hierarchy

_CONTROLLERS = {
    Need.CPU: "cpuacct",
    Need.SHARE: "cpu",
    Need.MEMORY: "memory",
    Need.PROCESSES: "pids",
    Need.STOPPING: "freezer",
}
_WITHOUT_CONTROLLER = {Need.CPU, Need.STOPPING}
"""Needs that every group of version 2 serves by itself."""

_OF_EVERY_ROLE = frozenset(Need) - {Need.SHARE}
"""Needs of every run: a share of a processor is limited where a scenario says so."""

_SCOPE = "systemd-run --user --scope -p Delegate=yes ./wl run ..."
_OF_A_USER = f"begin the run in a group of your own: {_SCOPE}"
_READ_ONLY = (
    "start the container with its groups writable: docker run --cgroupns=host "
    "-v /sys/fs/cgroup:/sys/fs/cgroup:rw ..., or podman run --security-opt unmask=/sys/fs/cgroup"
)
_UNMOUNTED = "mount -t cgroup2 none /sys/fs/cgroup (as root)"
_NOT_HANDED_ON = (
    "the group of this process hands on no controller of memory and processes (version 2 allows it "
    "to groups without processes alone, and other programs are in this one, or it is not yours)"
)


@dataclass(frozen=True)
class GroupPlace:
    """A folder in which groups can be made for one need, and its version of control groups."""

    own: Path
    version: int


@dataclass(frozen=True)
class Offer:
    """The needs that can be served; ``reason`` and ``remedy`` say why not all can."""

    places: Mapping[Need, GroupPlace]
    reason: str = ""
    remedy: str = ""

    @property
    def source(self) -> str:
        """The account of processor time in words; empty where there is none."""
        if (place := self.places.get(Need.CPU)) is None:
            return ""
        return f"cgroup {place.version} ({FILES[Need.CPU][place.version - 1]})"

    def without(self, need: Need) -> Offer:
        """The same without one need."""
        places = {known: place for known, place in self.places.items() if known is not need}
        return replace(self, places=places)

    def folders(self, *names: str) -> dict[Need, Path]:
        """The folders of a group with this name, by need."""
        return {need: place.own.joinpath(*names) for need, place in self.places.items()}


def offered(found: Sequence[Hierarchy]) -> Offer:
    """Find out what these hierarchies give: a group is made in each, a process put into it, and
    removed. Of version 2 the own group hands on what limits need, where it can.
    """
    if not found:
        return Offer({}, "no control groups are mounted, or this process is in none", _UNMOUNTED)
    found = [_handing_on(hierarchy) for hierarchy in found]
    refusals: list[OSError] = []
    usable = [hierarchy for hierarchy in found if _is_usable(hierarchy, refusals)]
    places = {
        need: GroupPlace(hierarchy.own, hierarchy.version)
        for need in Need
        if (hierarchy := next((one for one in usable if _serves(one, need)), None)) is not None
    }
    if places.keys() >= _OF_EVERY_ROLE:
        return Offer(places)
    if refusals:
        return Offer(places, *_explained(refusals[0]))
    return Offer(places, _NOT_HANDED_ON, _OF_A_USER)


def _handing_on(hierarchy: Hierarchy) -> Hierarchy:
    if hierarchy.version == 1:
        return hierarchy
    pass_on_from_own(hierarchy.own)
    return replace(hierarchy, controllers=handed_on(hierarchy.own))


def _serves(hierarchy: Hierarchy, need: Need) -> bool:
    by_itself = hierarchy.version == 2 and need in _WITHOUT_CONTROLLER
    return by_itself or _CONTROLLERS[need] in hierarchy.controllers


def _is_usable(hierarchy: Hierarchy, refusals: list[OSError]) -> bool:
    """Whether a group can be made there and a process be put into it."""
    needs = [need for need in Need if _serves(hierarchy, need)]
    if not needs:
        return False
    name = removal.new_name(f"trying/{os.getpid()}")
    folder = hierarchy.own / name
    try:
        folder.mkdir()
        try:
            with contextlib.closing(_Sleeper()) as sleeper:
                group = Group(dict.fromkeys(needs, folder))
                group.place(sleeper.pid)
                if group.account is not None:
                    account_ns(group.account.read_bytes())
        finally:
            members.remove(folder, 1.0)
    except OSError as error:
        refusals.append(error)
        return False
    return True


class _Sleeper:
    """A process that can be put into a group."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
        )
        self.pid = self._process.pid

    def close(self) -> None:
        self._process.communicate()


def _explained(error: OSError) -> tuple[str, str]:
    place = Path(error.filename or "/sys/fs/cgroup").parent
    match error.errno:
        case errno.EROFS:
            return f"{place} is read-only, as it is in containers", _READ_ONLY
        case errno.EACCES | errno.EPERM:
            return f"this user may make no control group in {place}", _OF_A_USER
        case _:
            return f"no control group can be made in {place}: {error.strerror}", _OF_A_USER

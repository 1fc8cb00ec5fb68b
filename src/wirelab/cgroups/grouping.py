"""The control groups that the trials of a run have: what is offered, and the bounds of a role.

Bounds that nobody names leave enough for the machine to remain usable.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from wirelab.cgroups.group import FILES, NO_BOUNDS, Need, RoleBounds
from wirelab.cgroups.offer import GroupPlace, Offer
from wirelab.cgroups.trial_groups import TrialGroups

MOST_PROCESSES = 16_384
"""Processes and threads of a role, however many the machine could have."""

_MOST, _OF = 7, 8
_KERNEL = Path("/proc/sys/kernel")


@dataclass(frozen=True)
class Grouping:
    """The control groups on offer, and the bounds of a role, where they can be held."""

    offer: Offer
    bounds: RoleBounds

    @staticmethod
    def of(offer: Offer, asked: RoleBounds = NO_BOUNDS) -> Grouping:
        """With the bounds as asked for, and else by the machine."""
        memory, tasks = offer.places.get(Need.MEMORY), offer.places.get(Need.PROCESSES)
        bounds = RoleBounds(
            memory_bytes=None if memory is None else asked.memory_bytes or most_memory(memory),
            processes=None if tasks is None else asked.processes or _processes(tasks),
        )
        return Grouping(offer, bounds)

    def of_trial(self, session: str, limits: Mapping[str, RoleBounds]) -> TrialGroups:
        """The groups of a trial, of whose roles some have ``limits`` of their own; raises OSError.
        All roles together leave the machine its part.
        """
        memory = self.offer.places.get(Need.MEMORY)
        together = RoleBounds(memory_bytes=None if memory is None else most_memory(memory))
        own = {role: self._within(limit) for role, limit in limits.items()}
        return TrialGroups(self.offer, session, self.bounds, together, own)

    def _within(self, own: RoleBounds) -> RoleBounds:
        """The bounds of a role with limits of its own: of memory the smaller one."""
        both = (own.memory_bytes, self.bounds.memory_bytes)
        known = [size for size in both if size is not None]
        return replace(self.bounds, memory_bytes=min(known, default=None), processor=own.processor)


def most_memory(place: GroupPlace) -> int:
    """Seven eighths of what there is: the rest is for the system and for wirelab."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([whole, *_limits_above(place, Need.MEMORY)]) * _MOST // _OF


def _processes(place: GroupPlace) -> int:
    """Half of what there is, and a number that a machine withstands."""
    whole = [int((_KERNEL / name).read_text()) for name in ("pid_max", "threads-max")]
    return min(MOST_PROCESSES, min([*whole, *_limits_above(place, Need.PROCESSES)]) // 2)


def _limits_above(place: GroupPlace, need: Need) -> Iterator[int]:
    """Limits of the own group and of those above it."""
    name = FILES[need][place.version - 1]
    for folder in (place.own, *place.own.parents):
        with contextlib.suppress(OSError, ValueError):  # no group, or "max"
            yield int((folder / name).read_text())

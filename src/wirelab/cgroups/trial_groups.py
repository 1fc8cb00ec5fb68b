"""The control groups of one trial: one for each role, and one for the keepers of roles.

A keeper is put into its role's group while it starts the worker, so that the worker is there from
its first instruction, and into the keepers' group afterwards: what it does is not the role's.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from wirelab.cgroups import members, removal
from wirelab.cgroups.group import NO_BOUNDS, Group, Need, RoleBounds
from wirelab.cgroups.handing_on import pass_on
from wirelab.cgroups.offer import Offer

_KEEPERS = "keepers"
_PATIENCE_S = 10.0
_NONE: Mapping[str, RoleBounds] = {}


class TrialGroups:
    """Makes them when the first role comes; ``close`` once the roles have ended.

    ``bounds`` are those of each role that has none of its ``own``, ``together`` what all of them
    may have in sum. Whose processor time is not limited is in no group that has a share of one: to
    the scheduler it would weigh as much as a single thread of others.
    """

    def __init__(
        self,
        offer: Offer,
        session: str,
        bounds: RoleBounds,
        together: RoleBounds = NO_BOUNDS,
        own: Mapping[str, RoleBounds] = _NONE,
    ) -> None:
        limited = any(bounds.processor is not None for bounds in own.values())
        self._offer = offer if limited else offer.without(Need.SHARE)
        self.name = removal.new_name(session)
        """Name of the folder in each hierarchy."""
        self._bounds, self._together, self._own = bounds, together, own
        self._roles: dict[str, Group] = {}
        self._keepers = Group(self._offer.folders(self.name, _KEEPERS))
        self._places = list(dict.fromkeys(place.own for place in self._offer.places.values()))
        self._locks: list[int] = []

    def enter(self, role: str, keeper: int) -> Group:
        """Put a keeper into the group of the role that it is to start; raises OSError."""
        if not self._locks:
            self._make()
        if role not in self._roles:
            bounds = self.bounds_of(role)
            limited = bounds.processor is not None
            offer = self._offer if limited else self._offer.without(Need.SHARE)
            group = Group(offer.folders(self.name, f"role-{len(self._roles)}"))
            group.make(bounds)
            self._roles[role] = group
        self._roles[role].place(keeper)
        return self._roles[role]

    def _make(self) -> None:
        for own in self._places:
            self._locks.append(removal.made(own / self.name))
            pass_on(own / self.name)
        Group(self._offer.folders(self.name)).limit(self._together)
        self._keepers.make(NO_BOUNDS)

    def leave(self, keeper: int) -> None:
        """Put a keeper whose worker has started into the keepers' group."""
        with contextlib.suppress(ProcessLookupError):  # it was killed meanwhile
            self._keepers.place(keeper)

    def exceeded(self) -> tuple[str, Need] | None:
        """A role that has met one of its limits, and which."""
        for role, group in self._roles.items():
            for need in (Need.MEMORY, Need.PROCESSES):
                if group.met(need):
                    return role, need
        return None

    def bounds_of(self, role: str) -> RoleBounds:
        """The bounds of a role: its own, or those of each."""
        return self._own.get(role, self._bounds)

    def has_own_bounds(self, role: str) -> bool:
        """Whether a role has bounds that the others do not have."""
        return role in self._own

    def end_rest(self) -> int:
        """Kill what is left in the roles' groups; how many processes that were."""
        return sum(len(group.end()) for group in self._roles.values())

    def close(self) -> None:
        """Remove everything; what is still there is killed first."""
        self.end_rest()
        for own in self._places[: len(self._locks)]:
            members.remove(own / self.name, _PATIENCE_S)
        for lock in self._locks:
            os.close(lock)
        self._locks.clear()

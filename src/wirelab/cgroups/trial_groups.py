"""The control groups of one trial: one for each role, and one for the keepers of roles.

A keeper is put into its role's group while it starts the worker, so that the worker is there from
its first instruction, and into the keepers' group afterwards: what it does is not the role's.
"""

from __future__ import annotations

import contextlib
import os

from wirelab.cgroups import members, removal
from wirelab.cgroups.group import NO_BOUNDS, Group, Need, RoleBounds
from wirelab.cgroups.offer import Offer

_KEEPERS = "keepers"
_PATIENCE_S = 10.0


class TrialGroups:
    """Makes them when the first role comes; ``close`` once the roles have ended.

    ``bounds`` are those of each role, ``together`` what all of them may have in sum.
    """

    def __init__(
        self, offer: Offer, session: str, bounds: RoleBounds, together: RoleBounds = NO_BOUNDS
    ) -> None:
        self._offer = offer
        self.name = removal.new_name(session)
        """Name of the folder in each hierarchy."""
        self._bounds, self._together = bounds, together
        self._roles: dict[str, Group] = {}
        self._keepers = Group(offer.folders(self.name, _KEEPERS))
        self._places = list(dict.fromkeys(place.own for place in offer.places.values()))
        self._locks: list[int] = []

    def enter(self, role: str, keeper: int) -> Group:
        """Put a keeper into the group of the role that it is to start; raises OSError."""
        if not self._locks:
            self._make()
        if role not in self._roles:
            group = Group(self._offer.folders(self.name, f"role-{len(self._roles)}"))
            group.make(self._bounds)
            self._roles[role] = group
        self._roles[role].place(keeper)
        return self._roles[role]

    def _make(self) -> None:
        for own in self._places:
            self._locks.append(removal.made(own / self.name))
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

    @property
    def bounds(self) -> RoleBounds:
        """Those of each role."""
        return self._bounds

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

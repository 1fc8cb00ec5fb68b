"""Limits of memory and processes, watched during a trial: a role that meets one ends it."""

from __future__ import annotations

import time

from wirelab.cgroups.group import Need
from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.trial.failure import TrialError

_EVERY_NS = 500_000_000
_NEVER_NS = 1 << 62
_MIB = 1 << 20


class LimitWatch:
    """Looks at the groups of a trial, where there are any, twice a second at most."""

    def __init__(self, groups: TrialGroups | None) -> None:
        self._groups = groups
        self._following_ns = 0
        self.looked_at_every_ns = _NEVER_NS if groups is None else _EVERY_NS

    def check(self, now_ns: int | None = None) -> None:
        """Raise TrialError for a role that has met a limit; ``now_ns``: where a look is due."""
        if now_ns is not None:
            if now_ns < self._following_ns:
                return
            self._following_ns = time.monotonic_ns() + _EVERY_NS
        if (failure := self.met()) is not None:
            raise failure

    def met(self) -> TrialError | None:
        """The failure of a role that has met a limit."""
        exceeded = self._groups.exceeded() if self._groups is not None else None
        if self._groups is None or exceeded is None:
            return None
        role, need = exceeded
        bounds = self._groups.bounds_of(role)
        if need is Need.MEMORY:
            most = f"{(bounds.memory_bytes or 0) / _MIB:.0f} MiB"
            option = "" if self._groups.has_own_bounds(role) else " (--role-memory)"
            said = f"{role} needed more memory than it may have: {most}{option}"
            return TrialError("out-of-memory", said, role)
        said = f"{role} started more processes and threads than it may have at a time: "
        return TrialError(
            "too-many-processes", f"{said}{bounds.processes} (--role-processes)", role
        )

"""Contenders that are something else on fewer processors than they need."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from wirelab.build import Unavailable
from wirelab.model.contender import Contender
from wirelab.model.suite import Suite
from wirelab.plan.fillers import taken
from wirelab.processes.pinning import assign_roles


def lacking(
    contender: Contender, suite: Suite, scenarios: Iterable[str], cores: list[list[int]]
) -> Unavailable | None:
    """What keeps a contender out of a run in which a role of its own has too few processors."""
    if contender.processors == 1:
        return None
    for name in taken(suite, contender, scenarios):
        roles = contender.cast(suite.scenarios[name].roles)
        assigned = assign_roles(roles, cores)
        for role in (own for own, given in roles.items() if given.is_contenders):
            # Who is pinned to none may use all of them.
            has = len(assigned[role]) or sum(map(len, cores))
            if has < contender.processors:
                return _too_few(role, has, contender.processors, cores)
    return None


def lacking_for_a_check(contender: Contender) -> Unavailable | None:
    """What keeps a contender from being checked, where roles are pinned to nothing."""
    has = len(os.sched_getaffinity(0))
    if has >= contender.processors:
        return None
    needs = f"it needs {contender.processors} processors, and may use {_counted(has)} here"
    return Unavailable(needs, "check it on a machine with more")


def _too_few(role: str, has: int, needed: int, cores: Sequence[Sequence[int]]) -> Unavailable:
    here = sum(map(len, cores))
    return Unavailable(
        f"it needs {needed} processors for its role {role}, which has {_counted(has)} here",
        f"measure it on a machine with more than {here}: its roles share none",
    )


def _counted(processors: int) -> str:
    return "1 processor" if processors == 1 else f"{processors} processors"

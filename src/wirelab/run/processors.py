"""Contenders that are something else on fewer processors than they need."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from wirelab.build import Unavailable
from wirelab.model.contender import Contender
from wirelab.model.participant import Barred
from wirelab.model.suite import Suite
from wirelab.model.units import Text
from wirelab.plan.fillers import taken
from wirelab.processes.pinning import assign_roles


def barred(
    contender: Contender, suite: Suite, scenarios: Iterable[str], cores: list[list[int]]
) -> dict[str, Barred]:
    """Scenarios in which a role of a contender's own has too few processors."""
    if contender.processors == 1:
        return {}
    found = {}
    for name in taken(suite, contender, scenarios):
        roles = contender.cast(suite.scenarios[name].roles)
        assigned = assign_roles(roles, cores)
        for role in (own for own, given in roles.items() if given.is_contenders):
            # Who is pinned to none may use all of them.
            has = len(assigned[role]) or sum(map(len, cores))
            if has < contender.processors:
                found[name] = _too_few(role, has, contender.processors, cores)
                break
    return found


def lacking_for_a_check(contender: Contender) -> Unavailable | None:
    """Find what keeps a contender from being checked, where roles are pinned to nothing."""
    has = len(os.sched_getaffinity(0))
    if has >= contender.processors:
        return None
    needs = f"it needs {contender.processors} processors, and may use {_in_words(has)} here"
    return Unavailable(needs, "check it on a machine with more")


def _too_few(role: str, has: int, needed: int, cores: Sequence[Sequence[int]]) -> Barred:
    here = sum(map(len, cores))
    return Barred(
        reason=Text(
            en=f"it needs {needed} processors for its role {role}, which has {_in_words(has)} here",
            ko=f"{role} 역할에 CPU가 {needed}개 필요하지만 여기서는 {has}개입니다",
        ),
        remedy=Text(
            en=f"measure it on a machine with more than {here}: its roles share none",
            ko=f"CPU가 {here}개보다 많은 장비에서 측정하십시오(역할끼리 나눠 쓰지 않습니다)",
        ),
    )


def _in_words(processors: int) -> str:
    return "1 processor" if processors == 1 else f"{processors} processors"

"""Contenders in scenarios that limit a role, on a machine that cannot hold such a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wirelab.cgroups.group import Need
from wirelab.cgroups.grouping import Grouping
from wirelab.model.contender import Contender
from wirelab.model.participant import Barred
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.model.units import Text
from wirelab.plan.fillers import taken

_IN_KOREAN = {Need.SHARE: "CPU 비율", Need.MEMORY: "메모리 사용량"}


def barred(
    contender: Contender, suite: Suite, scenarios: Iterable[str], grouping: Grouping | None
) -> dict[str, Barred]:
    """Scenarios whose variants limit a role by what no control group holds here."""
    found = {}
    for name in taken(suite, contender, scenarios):
        lacking = [need for need in _needed(suite.scenarios[name]) if not _held(need, grouping)]
        if lacking:
            found[name] = _cannot_limit(lacking[0], grouping)
    return found


def _needed(scenario: Scenario) -> Iterator[Need]:
    for variant in scenario.variants.values():
        for limits in variant.limits.values():
            if limits.processor is not None:
                yield Need.SHARE
            if limits.memory is not None:
                yield Need.MEMORY


def _held(need: Need, grouping: Grouping | None) -> bool:
    return grouping is not None and need in grouping.offer.places


def _cannot_limit(need: Need, grouping: Grouping | None) -> Barred:
    if grouping is None:
        why, remedy = "--no-cgroups", "leave that option out"
    else:
        why = grouping.offer.reason or f"no group of this machine has {need}"
        remedy = grouping.offer.remedy or "see docs/concepts/security.md#limits-of-a-role"
    return Barred(
        reason=Text(
            en=f"it limits {need} of a role, and no control group holds that here: {why}",
            ko=f"역할의 {_IN_KOREAN[need]}을 제한하는 시나리오인데 "
            f"이 장비의 컨트롤 그룹으로는 제한할 수 없습니다: {why}",
        ),
        remedy=Text(en=remedy),
    )

"""Fillers of roles that a contender does not fill: the suite's services, and wirelab's engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from wirelab.model.contender import Contender
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.plan.order import has_part


def taken(suite: Suite, contender: Contender, scenarios: Iterable[str]) -> list[str]:
    """The ``scenarios`` in which a contender has trials, in any variant."""
    if contender.unavailable.en:
        return []
    return [name for name in scenarios if has_part(contender, name, suite.scenarios[name])]


def services_of(suite: Suite, contender: Contender) -> list[str]:
    """Services that stand beside a contender in any scenario, in the order of the manifest."""
    names = {
        role.service
        for name in taken(suite, contender, suite.scenarios)
        for role in contender.cast(suite.scenarios[name].roles).values()
    }
    return [name for name in suite.services if name in names]


def fillers(
    scenarios: Iterable[Scenario], *, optional: bool, uses: Sequence[str] | None = None
) -> list[str]:
    """Names of the fillers of roles that the contender does not fill; ``uses`` keeps the optional
    ones it names.
    """
    roles = [(n, role) for s in scenarios for n, role in s.roles.items()]
    return sorted(
        {
            role.provider
            for name, role in roles
            if not role.is_contenders
            and role.optional is optional
            and (uses is None or name in uses)
        }
    )


def filled_for(suite: Suite, contender: Contender, scenarios: Collection[str]) -> list[str]:
    """Fillers of a contender's roles in those of ``scenarios`` that it takes part in."""
    if contender.unavailable.en:
        return []
    its = [n for n in contender.scenarios or scenarios if n in scenarios]
    roles = [item for n in its for item in suite.scenarios[n].roles.items()]
    own = {name for name, role in roles if role.is_contenders}
    return sorted({by for name, by in contender.provided_by.items() if name in own})

"""Roles of a contender that neutral services play for it."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.model.contender import Contender
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite

_SERVICE = "service"


def of_contender(contender: Contender, suite: Suite, scenarios: Sequence[Scenario]) -> Findings:
    """Roles that are not free, and services that the suite does not have."""
    free = {n for s in scenarios for n, role in s.roles.items() if role.is_contenders}
    measured = {s.measured_role for s in scenarios}
    for role, provider in contender.provided_by.items():
        key: Key = ("provided_by", role)
        yield from must_exist(key, "role for a contender", role, sorted(free))
        if role in measured:
            yield key, "the measured role is the contender's own to play"
        elif role in contender.roles:
            yield key, f"{role} is one of the contender's own roles"
        kind, _, service = provider.partition(":")
        if kind != _SERVICE or not service:
            yield key, f'expected "service:NAME", found "{provider}"'
        else:
            yield from must_exist(key, _SERVICE, service, suite.services)

"""Rules that no single key of a scenario can show: names that must exist, figures that must fit."""

from __future__ import annotations

import math

from wirelab.manifest import capacity, microbenchmark, profiles, several, steps
from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.model.measure import Measure
from wirelab.model.parts import Operation, Variant
from wirelab.model.scenario import OPERATION_LIMIT, Scenario
from wirelab.model.suite import Suite

_CONTRACT_STATUSES = (
    *("ok", "error", "timeout", "disconnected", "refused"),
    *("item-error", "wrong-answer", "unsupported"),
)
_SUITE_STATUSES = range(64, 256)
_WITH_FIELDS, _FIELDS = "websocket:echo", 2
"""The wire whose messages are known by fields of their own, and how many."""


def of_scenario(key: Key, scenario: Scenario, suite: Suite) -> Findings:
    """Everything in a scenario that does not fit together, or does not fit its suite."""
    yield from _Scenario(key, scenario, suite).findings()


class _Scenario:
    """One scenario under examination."""

    def __init__(self, key: Key, scenario: Scenario, suite: Suite) -> None:
        self._key = key
        self._scenario = scenario
        self._suite = suite

    def findings(self) -> Findings:
        yield from self._durations()
        yield from self._roles()
        yield from microbenchmark.of_scenario(self._key, self._scenario, self._suite)
        yield from steps.of_scenario(self._key, self._scenario)
        yield from several.of_scenario(self._key, self._scenario)
        yield from capacity.of_scenario(self._key, self._scenario)
        yield from self._ceiling()
        yield from self._brought_along()
        yield from self._syncs()
        yield from self._stacks()
        yield from self._call_timeout()
        yield from self._operations()
        yield from self._statuses()
        for name, measure in self._scenario.profiles.items():
            yield from self._profile((*self._key, "profiles", name), measure)
        for name, variant in self._scenario.variants.items():
            yield from self._variant((*self._key, "variants", name), variant)

    def _syncs(self) -> Findings:
        role, roles = self._scenario.syncs_of, self._scenario.roles
        if not role:
            return
        key = (*self._key, "syncs_of")
        others = [name for name, one in roles.items() if not one.measured]
        yield from must_exist(key, "role that is not measured", role, others)
        if self._scenario.rankings:
            yield (*self._key, "rankings"), "where sync calls are counted nobody is ranked"

    def _stacks(self) -> Findings:
        role, roles = self._scenario.stacks_of, self._scenario.roles
        if not role:
            return
        key = (*self._key, "stacks_of")
        own = [name for name, one in roles.items() if one.measured and one.is_contenders]
        yield from must_exist(key, "measured role of the contender", role, own)
        if self._scenario.rankings:
            yield (*self._key, "rankings"), "where stacks are sampled nobody is ranked"
        if self._scenario.syncs_of:
            yield key, "sync calls and stacks are told of by scenarios of their own"
        if self._scenario.steps or self._scenario.capacity or self._scenario.is_microbenchmark:
            yield key, "stacks are of whole trials: a load without steps, a search or loops"

    def _durations(self) -> Findings:
        scenario = self._scenario
        above_zero = {
            "drift_target": scenario.drift_target,
            "operation_limit": scenario.operation_limit,
            "ready_limit": scenario.ready_limit,
            "stop_limit": scenario.stop_limit,
        }
        for name, value in above_zero.items():
            if value is not None and value <= 0:
                yield (*self._key, name), "expected a duration above 0"
        for name, operation in scenario.operations.items():
            if operation.deadline is not None and operation.deadline <= 0:
                yield (*self._key, "operations", name, "deadline"), "expected a duration above 0"

    def _roles(self) -> Findings:
        for name, role in self._scenario.roles.items():
            key = (*self._key, "roles", name)
            if not (role.is_contenders or role.service or role.engine):
                expected = '"contender", "service:NAME" or "engine:KIND"'
                yield (*key, "provider"), f'expected {expected}, found "{role.provider}"'
            elif role.service:
                known = self._suite.services
                yield from must_exist((*key, "provider"), "service", role.service, known)
            if role.colocated_with:
                yield from must_exist(
                    (*key, "colocated_with"), "role", role.colocated_with, self._scenario.roles
                )
            if role.optional and role.measured:
                yield (*key, "optional"), "the measured role cannot be optional"
            if not math.isfinite(role.cores):
                yield (*key, "cores"), "expected a number that is not infinite"

    def _operations(self) -> Findings:
        owner: dict[int, str] = {}
        for name, operation in self._scenario.operations.items():
            key = (*self._key, "operations", name)
            if operation.code in owner:
                yield (*key, "code"), f"{operation.code} is the code of {owner[operation.code]}"
            owner.setdefault(operation.code, name)
            wanted = _FIELDS if operation.wire == _WITH_FIELDS else 0
            if len(operation.wire_fields) != wanted:
                yield (
                    (*key, "wire_fields"),
                    f"expected {_FIELDS} fields with the wire {_WITH_FIELDS}, none with another",
                )
            yield from self._counts(key, operation)
            if operation.answered_by is not None:
                yield from must_exist(
                    (*key, "answered_by"), "role", operation.answered_by, self._scenario.roles
                )
            if operation.kinds and (operation.due != "tick" or operation.record != "samples"):
                yield (*key, "kinds"), "only what has a record each and is due at ticks has kinds"
            if len({*operation.kinds}) < len(operation.kinds):
                yield (*key, "kinds"), "each kind once"
        bounds = (*self._key, "bounds", "cv_operation")
        if self._scenario.bounds.cv_operation is not None:
            yield from self._operation(bounds, self._scenario.bounds.cv_operation)

    def _counts(self, key: Key, operation: Operation) -> Findings:
        """Counts of an operation that nobody could look at."""
        if operation.connections is not None and operation.wire is None:
            yield (*key, "connections"), "only what has a wire has connections"
        if operation.own_connection and operation.wire is None:
            yield (*key, "own_connection"), "only what has a wire has connections"
        if isinstance(name := operation.connections, str):
            counts = [n for n, one in self._suite.parameters.items() if one.type == "whole"]
            yield from must_exist((*key, "connections"), "parameter of type whole", name, counts)
        if operation.sent_by is not None:
            senders = [n for n, one in self._scenario.operations.items() if one.due == "tick"]
            place = (*key, "sent_by")
            yield from must_exist(place, "operation due at ticks", operation.sent_by, senders)
            if operation.record != "intervals":
                yield place, "only what is recorded by the second is sent by another operation"
        for name in ("ledger_written", "ledger_most"):
            if getattr(operation, name) is not None and operation.ledger is None:
                yield (*key, name), "nobody compares it without a ledger"

    def _operation(self, key: Key, name: str) -> Findings:
        yield from must_exist(key, "operation", name, self._scenario.operations)

    def _statuses(self) -> Findings:
        owner: dict[int, str] = {}
        for name, value in self._scenario.statuses.items():
            key = (*self._key, "statuses", name)
            if name in _CONTRACT_STATUSES:
                yield key, f"{name} is a status of the worker contract"
            if value not in _SUITE_STATUSES:
                yield key, f"expected a whole number from 64 to 255, found {value}"
            elif value in owner:
                yield key, f"{value} is the status {owner[value]}"
            owner.setdefault(value, name)

    def _ceiling(self) -> Findings:
        if (ceiling := self._scenario.ceiling) is not None:
            key = (*self._key, "ceiling", "scenario")
            kinds = {n for n, s in self._suite.scenarios.items() if s.reference_only}
            yield from must_exist(key, "scenario for references only", ceiling.scenario, kinds)
            stepped = (step.parameters for step in self._scenario.steps.values())
            known = {name for own in (self._scenario.parameters, *stepped) for name in own}
            for name in ceiling.alike:
                yield from must_exist((*self._key, "ceiling", "alike"), "parameter", name, known)

    def _brought_along(self) -> Findings:
        """Scenarios that are measured with this one, in whatever profile it is."""
        scenario, known = self._scenario, self._suite.scenarios
        along: dict[Key, str | None] = {("reads",): scenario.reads}
        if scenario.ceiling is not None:
            along["ceiling", "scenario"] = scenario.ceiling.scenario
        for key, name in along.items():
            its = known[name].profiles if name in known else scenario.profiles
            for profile in (one for one in scenario.profiles if one not in its):
                place = (*self._key, *key)
                yield place, f"{name} is measured with it, and has no profile {profile}"

    def _call_timeout(self) -> Findings:
        if name := self._scenario.call_timeout:
            key = (*self._key, "call_timeout")
            numbers = {
                known for known, value in self._scenario.parameters.items() if type(value) is int
            }
            yield from must_exist(key, "parameter in ns", name, {*numbers, OPERATION_LIMIT})

    def _profile(self, key: Key, measure: Measure) -> Findings:
        yield from profiles.of_profile(key, measure, self._scenario)
        yield from steps.of_profile(key, measure, self._scenario)
        yield from capacity.of_profile(key, measure, self._scenario)
        if self._scenario.is_closed:
            return
        for name, operation in self._scenario.operations.items():
            if not _measured(operation, measure):
                yield (
                    (*key, "count"),
                    f"{name} is due at every {operation.every}th tick: "
                    f"none of the {measure.count - measure.warmup} measured ticks",
                )

    def _variant(self, key: Key, variant: Variant) -> Findings:
        for number, name in enumerate(variant.operations):
            yield from self._operation((*key, "operations", number), name)
        if variant.count is not None and variant.count < 1:
            yield (*key, "count"), "expected a whole number of 1 or more"
            return
        for role, limits in variant.limits.items():
            place = (*key, "limits", role)
            yield from must_exist(place, "role", role, self._scenario.roles)
            if limits.processor is None and limits.memory is None:
                yield place, "expected processor, memory or both"
        shortest = min((m.count for m in self._scenario.profiles.values()), default=0)
        window = (variant.count or shortest) * self._scenario.period
        for number, fault in enumerate(variant.faults):
            place = (*key, "faults", number)
            yield from must_exist((*place, "role"), "role", fault.role, self._scenario.roles)
            if isinstance(fault.at, int) and not 0 <= fault.at < window:
                yield (
                    (*place, "at"),
                    f"after the end: the shortest profile lasts {window / 1e9:g} s",
                )


def _measured(operation: Operation, measure: Measure) -> bool:
    if operation.due == "join":
        return True
    first_due = -(-measure.warmup // operation.every) * operation.every
    return first_due < measure.count

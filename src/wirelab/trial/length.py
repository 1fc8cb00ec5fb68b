"""How long a trial may take before the core stops it, from tick 0."""

from __future__ import annotations

from wirelab.model.run import PlannedLoops, PlannedTrial
from wirelab.model.scenario import Scenario

_GRACE_NS = 5_000_000_000
_GRACE_SHARE = 0.2
"""A schedule may take this much longer (and one operation's limit) before it is stopped."""


def longest_ns(planned: PlannedTrial, scenario: Scenario) -> int:
    """What the contract allows for everything that is due, without grace."""
    if planned.loops is not None:
        return _of_loops(planned, planned.loops, scenario)
    if scenario.is_closed:
        return _of_steps(planned, scenario)
    return planned.count * planned.period_ns


def grace_ns(planned: PlannedTrial, scenario: Scenario) -> int:
    """What is granted beyond that: a share of the schedule, and what is under way at its end."""
    share = int(planned.count * planned.period_ns * _GRACE_SHARE)
    return max(_GRACE_NS, share) + scenario.operation_limit


def _of_loops(planned: PlannedTrial, loops: PlannedLoops, scenario: Scenario) -> int:
    """How long batches may take: their own length and the limit of each operation."""
    each = loops.warmup_ns + loops.count * loops.batch_ns + scenario.operation_limit
    return each * len(planned.steps) * len(planned.operations)


def _of_steps(planned: PlannedTrial, scenario: Scenario) -> int:
    """What each step of a closed loop may take; those who join have as long as a role to start."""
    total, before = 0, 0
    for step in planned.steps:
        total += step.count * planned.period_ns + scenario.operation_limit
        if step.users > before:
            total += scenario.ready_limit
        before = step.users
    return total


def undone(planned: PlannedTrial, scenario: Scenario, records: int) -> int:
    """Operations of a closed loop that were due and have no record: a step was given up."""
    if not scenario.is_closed:
        return 0
    due, before = 0, 0
    for step in planned.steps:
        each = {"tick": step.count * step.lanes, "step": step.users, "join": step.users - before}
        due += sum(
            each[operation.due]
            for operation in (scenario.operations[name] for name in planned.operations)
            if operation.record == "samples"
        )
        before = step.users
    return max(0, due - records)

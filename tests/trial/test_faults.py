"""Faults that come at their time, or end their trial."""

from __future__ import annotations

import time
from collections.abc import Callable
from unittest.mock import Mock

import pytest

from wirelab.model.parts import Fault
from wirelab.model.trial import OF_THE_HOST
from wirelab.trial.failure import TrialError
from wirelab.trial.faults import MOST_LATE_NS, Faults

STOP = Fault.model_validate({"at": "1s", "action": "stop", "role": "server"})
SECOND = 1_000_000_000


def armed(due_in_ns: int) -> Faults:
    """The fault, due in so long."""
    roles = Mock()
    roles.workers = {"server": Mock()}
    roles.workers["server"].process.pid = 7
    roles.ready_ns = {}
    faults = Faults([STOP], roles)
    faults.arm(time.monotonic_ns() + due_in_ns - SECOND)
    return faults


def test_a_fault_that_is_due_is_carried_out() -> None:
    faults = armed(-1)
    faults.carry_out()
    assert [(one.action, one.role) for one in faults.applied] == [("stop", "server")]
    faults.disarm()


def test_a_fault_that_is_not_due_is_dropped_at_the_end() -> None:
    faults = armed(100 * SECOND)
    faults.carry_out()
    faults.disarm()
    assert faults.applied == []


@pytest.mark.parametrize(
    ("way", "late_ns"), [(Faults.carry_out, MOST_LATE_NS + 1), (Faults.disarm, SECOND)]
)
def test_a_fault_that_comes_too_late_ends_its_trial_by_the_host(
    way: Callable[[Faults], None], late_ns: int
) -> None:
    faults = armed(-late_ns)
    with pytest.raises(TrialError, match=r"stop of server was [12]\.0 s late") as told:
        way(faults)
    assert told.value.reason in OF_THE_HOST
    assert faults.applied == []

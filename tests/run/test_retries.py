"""Failed trials: which of them a resumed run carries out again."""

from __future__ import annotations

import pytest

from synthetic.manifests import load_scenario
from wirelab.model.blame import failed_by_others
from wirelab.model.parts import RoleLimits, Variant
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.trial import RoleRecord, TrialRecord, TrialStatus
from wirelab.model.units import Text
from wirelab.run.retries import had_too_little, is_over

SCENARIO = load_scenario()
TENTH = Variant(title=Text(en="little"), limits={"client": RoleLimits(processor=0.1)})
LITTLE = SCENARIO.model_copy(
    update={"variants": {"little": TENTH, "whole": Variant(title=Text(en="whole"))}}
)


def record(reason: str, role: str = "", started: tuple[str, ...] = ()) -> TrialRecord:
    """A failed trial; ``started`` are the roles that it came to."""
    planned = PlannedTrial.model_construct(id="t", load=PlannedSchedule.model_construct())
    return TrialRecord.model_construct(
        planned=planned,
        status=TrialStatus.FAILED,
        reason=reason,
        role=role,
        roles={name: RoleRecord(role=name, command=[], cpus=[]) for name in started},
    )


@pytest.mark.parametrize("reason", ["not-started", "disk", "disk-full", "host"])
def test_what_the_host_refused_is_tried_again(reason: str) -> None:
    assert failed_by_others(record(reason, "client", ("server", "client")), SCENARIO)
    assert not is_over(record(reason), SCENARIO)


def test_a_service_that_failed_before_the_contender_came_is_tried_again() -> None:
    assert failed_by_others(record("exited", "server", ("server",)), SCENARIO)


def test_a_service_that_the_contender_may_have_brought_down_is_not() -> None:
    assert is_over(record("exited", "server", ("server", "client")), SCENARIO)


def test_what_a_contender_did_is_its_own() -> None:
    assert is_over(record("exited", "client", ("server", "client")), SCENARIO)
    assert is_over(record("never-ready", "client", ("server",)), SCENARIO)


@pytest.mark.parametrize(
    ("reason", "role", "variant", "expected"),
    [
        ("out-of-memory", "client", "little", True),
        ("never-ready", "client", "little", True),
        ("wrong-answer", "client", "little", False),
        ("out-of-memory", "server", "little", False),
        ("out-of-memory", "client", "whole", False),
    ],
)
def test_a_role_with_too_little_of_the_machine_is_no_failure_of_a_run(
    reason: str, role: str, variant: str, expected: bool
) -> None:
    found = record(reason, role, ("server", "client"))
    planned = PlannedTrial.model_construct(id="t", variant=variant)
    assert had_too_little(found.model_copy(update={"planned": planned}), LITTLE) is expected

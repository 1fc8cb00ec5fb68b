"""Plans of closed loops: ticks of a lane, step by step, and what is asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_plan import contender

from wirelab.manifest import load_suite
from wirelab.model.steps import SizeError
from wirelab.model.suite import Suite
from wirelab.plan.load import expected_seconds
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.trial.load import grace_ns, load_of
from wirelab.trial.spec import Surroundings, drawn, spec_of

TURNS = Path(__file__).parents[1] / "sabotage/closed/suite.toml"
SUITE = load_suite(TURNS)
SCENARIO = SUITE.scenarios["turns"]
ONCE = Selection(["turns"], "once", 1)
PLAIN = contender("plain", roles=["server", "client"])


def changed(**measure: Any) -> Suite:
    """The suite with another profile."""
    document = SUITE.model_dump()
    document["scenarios"]["turns"]["profiles"]["once"].update(measure)
    return Suite.model_validate(document)


def test_each_step_has_its_settling_and_its_ticks_after_it() -> None:
    trial = plan(SUITE, [PLAIN], ONCE)[0]
    few, many = trial.load.steps
    assert (few.first, few.count, few.settle) == (0, 2 + 10, 2)
    # This one counts for itself: 20 ticks instead of the profile's 10.
    assert (many.first, many.count, many.settle) == (12, 2 + 20, 2)
    assert (many.users, many.lanes) == (5, 3)
    assert (few.parameters, many.parameters) == ({}, {"message_bytes": 1000})
    assert (trial.load.count, trial.load.warmup) == (34, 2)


def test_steps_that_are_left_out_take_no_ticks() -> None:
    [many] = plan(changed(steps=["many"]), [PLAIN], ONCE)[0].load.steps
    assert (many.first, many.count) == (0, 22)


def test_nobody_can_leave() -> None:
    with pytest.raises(SizeError, match="step few: 2 users, but 5 are connected already"):
        plan(changed(steps=["many", "few"]), [PLAIN], ONCE)


def test_a_step_s_own_parameters_say_its_size_first() -> None:
    document = SUITE.model_dump()
    scenario = document["scenarios"]["turns"]
    scenario["parameters"]["crowd"] = 2
    scenario["steps"]["few"]["users"] = "crowd"
    scenario["steps"]["many"].update(users="crowd", parameters={"crowd": 9})
    few, many = plan(Suite.model_validate(document), [PLAIN], ONCE)[0].load.steps
    assert (few.users, many.users) == (2, 9)


def test_the_period_bounds_and_a_tenth_of_it_is_the_guess() -> None:
    trials = plan(SUITE, [PLAIN], ONCE)
    assert expected_seconds(trials) == pytest.approx(34 * 0.01 / 10)
    # Its ticks, an operation that hangs in each step, and users who join in each.
    assert load_of(trials[0], SCENARIO).longest_ns() == 340_000_000 + 2 * (2 + 10) * 10**9
    assert grace_ns(trials[0], SCENARIO) == (5 + 2) * 10**9


def spec(role: str, tmp_path: Path) -> dict[str, Any]:
    trial = plan(SUITE, [PLAIN], ONCE)[0]
    return spec_of(
        trial, SCENARIO, role, Surroundings(), mark="r/t", folder=tmp_path, listen="127.0.0.1:0"
    )


def test_the_spec_says_which_loop_it_is(tmp_path: Path) -> None:
    client, server = spec("client", tmp_path), spec("server", tmp_path)
    assert client["schedule"]["loop"] == server["schedule"]["loop"] == "closed"
    assert [step["parameters"] for step in client["schedule"]["steps"]] == [
        {},
        {"message_bytes": 1000},
    ]
    assert [step["join_ns"] for step in client["schedule"]["steps"]] == [0, 0]
    assert server["schedule"]["steps"] == []
    assert client["operations"]["receipt"]["due"] == "step"


def ticks_of(suite: Suite) -> dict[str, list[int]]:
    """Ticks whose answers a generator would be told to write."""
    [trial, *_] = plan(suite, [PLAIN], ONCE)
    operations = {name: suite.scenarios["turns"].operations[name] for name in trial.operations}
    return drawn(operations, load_of(trial, suite.scenarios["turns"]).verified_ticks())


def test_answers_are_wanted_of_ticks_that_count() -> None:
    wanted = ticks_of(SUITE)
    assert set(wanted) == {"echo"}
    assert len(wanted["echo"]) == 3
    assert all(2 <= tick < 12 or 14 <= tick < 34 for tick in wanted["echo"])


def test_what_is_due_once_has_no_tick_whose_answer_is_wanted() -> None:
    for operation in SCENARIO.operations.values():
        assert operation.due == "tick" or operation.verify_ratio == 0
    document = SUITE.model_dump()
    for operation in document["scenarios"]["turns"]["operations"].values():
        operation["verify_ratio"] = 1
    wanted = ticks_of(Suite.model_validate(document))
    assert {"receipt", "connect"}.isdisjoint(wanted)
    counted = [*range(2, 12), *range(14, 34)]
    assert wanted["echo"] == counted
    assert wanted["report"] == [tick for tick in counted if tick % 5 == 0]


# ------------------------------------------------------------------------------- ramps


def ramp(**measure: Any) -> Suite:
    """The suite with users who come within a second, and go within half of one."""
    document = SUITE.model_dump()
    scenario = document["scenarios"]["turns"]
    scenario["steps"]["few"].update(ramp="1s")
    scenario["steps"]["many"].update(ramp="500ms", lanes=0, count=None)
    scenario["profiles"]["once"].update(measure)
    return Suite.model_validate(document)


def test_steps_of_a_ramp_have_times_and_more_ticks_than_fit_into_them() -> None:
    suite = ramp()
    trials = plan(suite, [PLAIN], ONCE)
    few, many = trials[0].load.steps
    assert [(one.ramp_ns, one.lanes, one.settle) for one in (few, many)] == [
        (1_000_000_000, 2, 0),
        (500_000_000, 0, 0),
    ]
    assert (few.first, many.first) == (0, few.count)
    assert few.count >= 1_000_000
    assert expected_seconds(trials) == 1.5
    load = load_of(trials[0], suite.scenarios["turns"])
    assert load.longest_ns() == 1_500_000_000 + 2 * (2 + 10) * 10**9
    assert [step["ramp_ns"] for step in load.schedule()["steps"]] == [1_000_000_000, 500_000_000]
    # Each lane comes to so many, should every call take the 10 ms that it may.
    assert load.verified_ticks() == [*range(100), *range(few.count, few.count + 50)]


def test_a_profile_has_a_time_for_every_step_of_a_ramp() -> None:
    few, many = plan(ramp(ramp="20ms"), [PLAIN], ONCE)[0].load.steps
    assert (few.ramp_ns, many.ramp_ns) == (20_000_000, 20_000_000)


def test_only_a_ramp_is_told_of_ramps(tmp_path: Path) -> None:
    steps = spec("client", tmp_path)["schedule"]["steps"]
    assert steps
    assert [step for step in steps if "ramp_ns" in step] == []

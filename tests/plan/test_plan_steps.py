"""Plans of scenarios with steps, optional roles, ceilings and other generators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_plan import contender

from wirelab.cells.asked import Ticks
from wirelab.manifest import load_suite
from wirelab.model.scenario import Scenario
from wirelab.model.steps import SizeError
from wirelab.model.suite import Suite
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.processes.pinning import assign_roles
from wirelab.schedule import Schedule
from wirelab.trial.load import load_of
from wirelab.trial.spec import Surroundings, drawn, spec_of

SUITE = load_suite(Path(__file__).parents[2] / "suites/websocket/suite.toml")
PLAIN = contender("plain", roles=["server"])
BROKERED = contender("brokered", roles=["server"], uses=["redis"])
YARDSTICK = contender("yardstick", roles=["server"], reference=True)


def quick(scenario: str) -> Selection:
    return Selection([scenario], "quick", 1)


def test_steps_follow_each_other_without_a_gap() -> None:
    trial = plan(SUITE, [PLAIN], quick("ramp"))[0]
    assert [step.users for step in trial.load.steps] == [100, 300, 500, 700, 1000]
    assert [(s.first, s.count) for s in trial.load.steps] == [(n * 60, 60) for n in range(5)]
    assert all(step.lanes == step.users and step.settle == 5 for step in trial.load.steps)
    assert all(step.join_ns == 2_500_000_000 for step in trial.load.steps)
    assert (trial.load.count, trial.load.warmup) == (300, 5)


def test_a_warm_up_follows_the_settling_of_the_first_step() -> None:
    ramp = SUITE.scenarios["ramp"]
    longer = ramp.profiles["quick"].model_copy(update={"warmup": 10})
    warmed = ramp.model_copy(update={"profiles": {"quick": longer}})
    suite = SUITE.model_copy(update={"scenarios": {"ramp": warmed}})
    load = plan(suite, [PLAIN], quick("ramp"))[0].load
    assert (load.steps[0].settle, load.warmup) == (5, 15)
    # Lanes send from the settling on: they are left out, as by every worker before.
    begins = [Ticks.of(load, step.name).begin for step in load.steps]
    assert begins == [15, 65, 125, 185, 245]
    assert Ticks.of(load).begin == 15


def test_a_profile_may_carry_out_some_steps_and_change_parameters() -> None:
    smoke = plan(SUITE, [PLAIN], Selection(["ramp"], "smoke", 1))[0]
    assert [s.users for s in smoke.load.steps] == [100, 300]
    crowd = plan(SUITE, [PLAIN], Selection(["crowd"], "brief", 1))[0]
    assert crowd.parameters["users"] == crowd.load.steps[0].users == 2000
    assert crowd.load.cycle.length == 30


def test_sizes_come_from_parameters_and_the_user_has_the_last_word() -> None:
    trial = plan(SUITE, [PLAIN], Selection(["stroke"], "quick", 1, {"writers": 40}))[0]
    assert (trial.load.steps[0].users, trial.load.steps[0].lanes) == (100, 40)
    with pytest.raises(SizeError, match="200 lanes, but only 100 users"):
        plan(SUITE, [PLAIN], Selection(["stroke"], "quick", 1, {"writers": 200}))
    with pytest.raises(SizeError, match="users = none"):
        plan(SUITE, [PLAIN], Selection(["stroke"], "quick", 1, {"users": "none"}))


def test_joining_is_over_when_a_step_has_settled() -> None:
    step = plan(SUITE, [PLAIN], Selection(["crowd"], "brief", 1))[0].load.steps[0]
    assert step.join_ns == step.settle * 1_000_000_000
    brief = plan(SUITE, [PLAIN], quick("crowd"))[0].load.steps[0]
    assert brief.join_ns == 10_000_000_000 < brief.settle * 1_000_000_000


def test_the_user_may_say_how_many_trials_count() -> None:
    selection = Selection(["ramp"], "quick", 1, trials=3)
    three = plan(SUITE, [PLAIN], selection)
    assert [trial.included for trial in three] == [True] * 3
    # What is told of the scenario is what was done.
    asked = selection.as_asked("ramp", SUITE.scenarios["ramp"])
    assert asked.profiles["quick"].trials == 3
    assert asked.profiles["publish"] == SUITE.scenarios["ramp"].profiles["publish"]


def test_a_step_may_say_itself_how_long_it_settles() -> None:
    before, storm = plan(SUITE, [PLAIN], quick("join-storm"))[0].load.steps
    assert (before.settle, storm.settle) == (20, 0)
    assert (storm.users, storm.lanes, storm.join_ns) == (1000, 100, 1_000_000_000)


def test_a_ceiling_is_looked_for_with_yardsticks_alone() -> None:
    trials = plan(SUITE, [PLAIN, BROKERED, YARDSTICK], quick("ceiling"))
    assert {trial.contender for trial in trials} == {"yardstick"}


def test_a_fault_of_an_optional_role_is_for_those_who_use_it() -> None:
    trials = plan(SUITE, [PLAIN, BROKERED], quick("faults"))
    restarted = {t.contender for t in trials if t.variant == "redis-restart"}
    assert restarted == {"brokered"}
    assert {t.contender for t in trials if t.variant == "server-restart"} == {"plain", "brokered"}


def test_a_fault_that_needs_a_capability_is_for_those_who_have_it() -> None:
    able = contender("able", roles=["server"], capabilities=["lanes", "credentials"])
    faults = SUITE.scenarios["faults"]
    variants = {
        name: variant.model_copy(update={"needs": ["credentials"]})
        if name == "server-restart"
        else variant
        for name, variant in faults.variants.items()
    }
    changed = {"faults": faults.model_copy(update={"variants": variants})}
    suite = SUITE.model_copy(update={"scenarios": changed})
    trials = plan(suite, [PLAIN, able], quick("faults"))
    assert {t.contender for t in trials if t.variant == "server-restart"} == {"able"}
    assert {t.contender for t in trials} == {"able", "plain"}


def test_another_generator_gets_trials_of_its_own() -> None:
    trials = plan(SUITE, [PLAIN], Selection(["ramp", "stroke"], "quick", 1, generators=["k6"]))
    assert {(t.scenario, t.generator) for t in trials} == {
        ("ramp", ""),
        ("ramp", "k6"),
        ("stroke", ""),
    }
    assert len({trial.id for trial in trials}) == len(trials)
    assert len({trial.cell for trial in trials}) == 3


def test_roles_are_those_that_the_contender_uses() -> None:
    ramp = SUITE.scenarios["ramp"]
    assert list(PLAIN.cast(ramp.roles)) == ["server", "generator"]
    assert list(BROKERED.cast(ramp.roles)) == ["redis", "server", "generator"]
    assert (ramp.subject_role, ramp.measured_role) == ("server", "generator")


def test_who_stands_beside_a_role_runs_on_its_processors() -> None:
    roles = BROKERED.cast(SUITE.scenarios["ramp"].roles)
    assert assign_roles(roles, [[0], [1]]) == {"redis": [0], "server": [0], "generator": [1]}
    wide = assign_roles(roles, [[0], [1], [2], [3]])
    assert wide["redis"] == wide["server"] == [0, 1]
    assert assign_roles(roles, [[0]]) == {"redis": [], "server": [], "generator": []}


@pytest.mark.parametrize("scenario", ["ramp", "stroke", "crowd", "ceiling"])
def test_answers_are_wanted_of_lanes_that_are_due(scenario: str) -> None:
    trial = plan(SUITE, [YARDSTICK], quick(scenario))[0]
    operations = {"rtt": SUITE.scenarios[scenario].operations["rtt"]}
    possible = load_of(trial, SUITE.scenarios[scenario]).verified_ticks()
    ticks = drawn(operations, possible)["rtt"]
    assert ticks
    schedule = Schedule.of(trial.load)
    assert all(schedule.is_due(tick, schedule.verified_lane(tick)) for tick in ticks)


def verified(suite: Suite, role: str, folder: Path) -> dict[str, Any]:
    """The part of a role's spec on answers, beside a contender that could fill both roles."""
    scenario = suite.scenarios["ramp"]
    trial = plan(suite, [contender("both", roles=["server", "generator"])], quick("ramp"))[0]
    spec = spec_of(trial, scenario, role, Surroundings(), mark="r/t", folder=folder, listen="")
    told: dict[str, Any] = spec["verify"]
    return told


def test_a_generator_alone_is_told_which_answers_to_write(tmp_path: Path) -> None:
    """Nobody else can know: neither from the spec of another role nor from the seed."""
    generator = [verified(SUITE, "generator", tmp_path) for _ in range(2)]
    assert [told["preflight"] for told in generator] == [{"rtt": 2}] * 2
    first, second = (told["ticks"]["rtt"] for told in generator)
    assert len(first) == len(second) >= 3
    assert first != second
    assert verified(SUITE, "server", tmp_path) == {"preflight": {}}
    document = SUITE.model_dump()
    document["scenarios"]["ramp"]["roles"]["generator"]["provider"] = "contender"
    contender_measured = verified(Suite.model_validate(document), "generator", tmp_path)
    assert contender_measured == {"preflight": {"rtt": 2}}


def test_a_scenario_has_steps_or_variants() -> None:
    ramp = SUITE.scenarios["ramp"].model_dump()
    ramp["variants"] = {"odd": {"title": {"en": "Odd"}}}
    with pytest.raises(ValueError, match="not both"):
        Scenario.model_validate(ramp)

"""The plan: randomised blocks that a seed repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from wirelab.manifest import load_suite
from wirelab.model.contender import Contender
from wirelab.model.parts import Role
from wirelab.model.planned import PlannedTrial
from wirelab.model.steps import SizeError
from wirelab.plan.load import seconds_with_starts
from wirelab.plan.order import plan, rerun, takes_part
from wirelab.plan.selection import Selection, TooShortError

SUITE = load_suite(Path(__file__).parents[2] / "suites/opcua/suite.toml")


def contender(name: str, **more: object) -> Contender:
    return Contender.model_validate(
        {
            "contender": name,
            "title": name,
            "language": "C",
            "library": {"name": name, "version": "1", "licence": "MIT"},
            "notes": "",
            "security": "",
            "unavailable": "",
            "build": {"kind": "none"},
            "run": {"command": ["x"]},
            **more,
        }
    )


THREE = [contender("a"), contender("b"), contender("c", scenarios=["s7"])]


def order(seed: int, scenarios: tuple[str, ...] = ("s7",)) -> list[PlannedTrial]:
    return plan(SUITE, THREE, Selection(scenarios, "quick", seed))


def test_every_block_holds_every_contender_once() -> None:
    trials = order(1)
    blocks = {trial.block for trial in trials}
    assert blocks == {0, 1, 2}
    for block in blocks:
        names = [trial.contender for trial in trials if trial.block == block]
        assert sorted(names) == ["a", "b", "c"]


def test_the_first_trial_of_each_cell_is_session_warm_up() -> None:
    assert {(trial.block, trial.included) for trial in order(1)} == {
        (0, False),
        (1, True),
        (2, True),
    }


def test_a_seed_repeats_the_plan_and_another_changes_the_order() -> None:
    assert order(1) == order(1)
    orders = {tuple(trial.contender for trial in order(seed)) for seed in range(20)}
    assert len(orders) > 5


def test_a_contender_is_planned_only_for_its_scenarios() -> None:
    trials = order(1, ("s7", "faults"))
    assert {trial.contender for trial in trials if trial.scenario == "faults"} == {"a", "b"}


def test_a_variant_says_how_many_processes_the_measured_role_is() -> None:
    def processes(settings: dict[str, int]) -> dict[str, int]:
        selection = Selection(("processes",), "brief", 1, settings)
        return {t.variant: t.load.processes for t in plan(SUITE, THREE[:1], selection)}

    assert processes({}) == {"one": 1, "ten": 10, "fifty": 50, "two-hundred": 200}
    assert set(processes({"processes": 2}).values()) == {2}
    with pytest.raises(SizeError, match="processes = 257: 256 processes are the most"):
        processes({"processes": 257})


def test_a_profile_names_the_variants_that_it_carries_out() -> None:
    def played(profile: str) -> set[str]:
        trials = plan(SUITE, THREE[:1], Selection(("processes", "edge"), profile, 1))
        return {trial.variant for trial in trials}

    of_processes, of_edge = (SUITE.scenarios[name].variants for name in ("processes", "edge"))
    assert len(of_processes) == 4
    assert len(of_edge) == 6
    assert played("brief") == {*of_processes, *of_edge}
    assert played("check") == {"ten", "whole", "processor-10", "memory-128"}


def test_a_variant_that_a_contender_is_barred_from_is_played_by_the_others() -> None:
    selection = Selection(("processes",), "brief", 1)
    without = {THREE[0].contender: {"processes": ["two-hundred"]}}
    trials = plan(SUITE, THREE[:2], selection, barred_variants=without)
    played = {(trial.contender, trial.variant) for trial in trials}
    first, second = (one.contender for one in THREE[:2])
    assert {variant for name, variant in played if name == first} == {"one", "ten", "fifty"}
    assert (second, "two-hundred") in played


def test_processes_that_start_one_after_the_other_take_time() -> None:
    trials = plan(SUITE, THREE[:1], Selection(("processes",), "brief", 1))
    each = {trial.variant: seconds_with_starts([trial]) for trial in trials}
    assert each["one"] == 20 + 3
    assert each["two-hundred"] == each["one"] + 199 * 0.5


def test_variants_override_parameters_and_bring_their_faults() -> None:
    trials = plan(
        SUITE, THREE[:1], Selection(["faults"], "smoke", 1, {"security": "Basic256Sha256"})
    )
    down = next(trial for trial in trials if trial.variant == "server-down")
    assert down.parameters["connect"] == "timed"
    assert down.parameters["security"] == "Basic256Sha256"
    assert down.operations == ["connect"]
    assert down.load.count == 10
    restart = next(trial for trial in trials if trial.variant == "server-restart")
    assert [fault.action for fault in restart.faults] == ["kill", "restart"]
    assert restart.load.count == SUITE.scenarios["faults"].profiles["smoke"].count


def test_tuning_of_the_contender_joins_the_parameters() -> None:
    tuned = contender("t", tuning={"batch": 500})
    (first, *_) = plan(SUITE, [tuned], Selection(["s7"], "smoke", 1))
    assert first.parameters["batch"] == 500


def test_a_rerun_is_a_further_counted_trial_with_a_seed_of_its_own() -> None:
    trials = order(3)
    extra = rerun([trials[0], trials[1]], trials, seed=3)
    last = len(trials)
    assert sorted(trial.position for trial in extra) == [last, last + 1]
    assert all(trial.rerun and trial.included for trial in extra)
    # A block that there is already would make pairs of trials of different hours.
    assert {trial.block for trial in extra} == {max(trial.block for trial in trials) + 1}
    assert not {trial.seed for trial in extra} & {trial.seed for trial in trials}
    assert {trial.cell for trial in extra} == {trials[0].cell, trials[1].cell}


def test_trial_ids_are_unique_and_sort_in_order() -> None:
    trials = order(1, ("s7", "faults"))
    ids = [trial.id for trial in trials]
    assert ids == sorted(ids)
    # Three blocks of s7, and a trial of each fault, in which one has no part.
    assert len(set(ids)) == len(ids) == 3 * 3 + 2 * 6


HOURS = 3_600_000_000_000 // SUITE.scenarios["soak"].period


def test_a_load_lasts_for_as_many_hours_as_the_user_says() -> None:
    scenario = SUITE.scenarios["soak"]
    asked = Selection(["soak"], "night", 1, {"hours": 2.5})
    (first, *_) = plan(SUITE, [contender("a")], asked)
    assert (first.load.count, first.load.warmup) == (round(2.5 * HOURS), 6_000)
    assert asked.as_asked("soak", scenario).profiles["night"].count == first.load.count
    (first, *_) = plan(SUITE, [contender("a")], Selection(["soak"], "night", 1))
    assert first.load.count == 2 * HOURS
    # Of a scenario whose load has no such parameter it changes nothing.
    (first, *_) = plan(SUITE, [contender("a")], Selection(["s7"], "smoke", 1, {"hours": 2.5}))
    assert first.load.count == SUITE.scenarios["s7"].profiles["smoke"].count


def test_hours_that_are_all_warm_up_are_refused() -> None:
    with pytest.raises(TooShortError, match=r"of 0\.01 h nothing is left after a warm-up"):
        plan(SUITE, THREE, Selection(["soak-check"], "publish", 1, {"check_hours": 0.01}))


def test_an_unknown_profile_is_an_error() -> None:
    with pytest.raises(KeyError):
        plan(SUITE, THREE, Selection(["s7"], "nightly", 1))


def test_a_role_that_a_contender_has_nobody_for_keeps_it_out() -> None:
    scenario = SUITE.scenarios["s7"].model_copy(update={"needs": ["cluster"]})
    able = contender("able", capabilities=["cluster"])
    assert takes_part(able, "s7", scenario, "")
    assert not takes_part(contender("unable"), "s7", scenario, "")
    roles = {**scenario.roles, "app": Role(provider="contender")}
    served = SUITE.scenarios["s7"].model_copy(update={"roles": roles})
    assert not takes_part(contender("alone"), "s7", served, "")
    assert takes_part(contender("both", roles=["client", "app"]), "s7", served, "")
    assert takes_part(contender("filled", provided_by={"app": "service:x"}), "s7", served, "")


def test_a_setting_of_one_contenders_own_reaches_no_other() -> None:
    own = contender("a", tuning={"depth": 1})
    trials = plan(
        SUITE, [own, contender("b")], Selection(("s7",), "smoke", 1, {"depth": 5, "security": "x"})
    )
    given = {(t.contender, t.parameters.get("depth"), t.parameters["security"]) for t in trials}
    assert given == {("a", 5, "x"), ("b", None, "x")}

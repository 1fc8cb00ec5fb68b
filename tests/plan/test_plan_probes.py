"""Probes as trials of a plan, and searches carried out over it without any process."""

from __future__ import annotations

from typing import Any

from synthetic import Client, crowd_scenario
from synthetic.manifests import participant
from wirelab.model.capacity import Probe, Search
from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.plan.order import plan, trial_seed
from wirelab.plan.selection import Selection
from wirelab.run.searches import carry_out_searches

CAPACITY: dict[str, Any] = {
    "load": {"type": "open", "period": "1s"},
    "parameter": "users",
    "lowest": 10,
    "highest": 400,
    "bounds": [{"metric": "rtt.attainment", "at_least": 99.9}],
}


def scenario() -> Scenario:
    return crowd_scenario(
        load=None,
        capacity=CAPACITY,
        rankings=[],
        parameters={"users": 20, "message_bytes": 130},
        steps={"all": {"title": {"en": "all"}, "users": "users"}},
        profiles={"quick": {"trials": 2, "count": 12, "settle": 2, "probes": 20}},
    )


def planned(**settings: int) -> list[PlannedTrial]:
    suite = Suite(suite="demo", title={"en": "D"}, summary={"en": ""}, scenarios={"c": scenario()})
    contenders = [participant(name, Client()).manifest for name in ("a", "b")]
    return plan(suite, contenders, Selection(["c"], "quick", 3, settings))


def test_the_plan_has_the_first_probe_of_every_search() -> None:
    trials = planned()
    assert len(trials) == 4
    assert {(t.contender, t.probe.search) for t in trials if t.probe} == {
        (name, search) for name in "ab" for search in (0, 1)
    }
    for trial in trials:
        assert trial.probe is not None
        assert (trial.probe.load, trial.probe.most, trial.probe.number) == (400, 20, 0)
        assert (trial.load.steps[0].users, trial.load.steps[0].lanes) == (400, 400)
        assert trial.id.endswith("-400")
        assert trial.parameters["message_bytes"] == 130


def test_no_setting_goes_before_the_load_of_a_probe() -> None:
    assert {trial.parameters["users"] for trial in planned(users=7)} == {400}


class Told:
    """A run, and what is said of it."""

    def __init__(self, trials: list[PlannedTrial], capacity: int) -> None:
        self.plan, self.capacity = list(trials), capacity
        self.carried: list[str] = []
        self.found: list[Search] = []
        self.added = 0
        self.failing = ""

    def next_place(self) -> tuple[int, int]:
        return len(self.plan), trial_seed(3, len(self.plan))

    def append(self, trial: PlannedTrial) -> None:
        self.plan.append(trial)

    def carry_out_once(self, trial: PlannedTrial) -> None:
        if trial.id not in self.carried:
            self.carried.append(trial.id)

    def judged(self, trial: PlannedTrial) -> Probe | None:
        assert trial.probe is not None
        held = trial.load.steps[0].users <= self.capacity
        outcome = "held" if held else "failed"
        if self.failing == trial.id:
            outcome = "host"
        return Probe.model_validate(
            {"trial": trial.id, "load": trial.probe.load, "outcome": outcome, "hint": 0.5}
        )

    def adding(self, trial: PlannedTrial) -> None:
        self.added += 1

    def probed(self, trial: PlannedTrial, probe: Probe) -> None: ...

    def searched(self, trial: PlannedTrial, found: Search) -> None:
        self.found.append(found)

    def carry_out(self) -> None:
        run = Run.model_construct(
            plan=list(self.plan), scenarios={"c": scenario()}, profile="quick"
        )
        carry_out_searches(run, self, self.judged, self)


def test_each_search_adds_the_probes_it_needs() -> None:
    told = Told(planned(), capacity=200)
    told.carry_out()
    assert len(told.found) == 4
    for found in told.found:
        assert found.verified is not None
        assert 190 <= found.verified <= 200 < (found.failed or 0)
    assert len(told.plan) == 4 + told.added
    assert len({trial.id for trial in told.plan}) == len(told.plan)
    assert [trial.position for trial in told.plan] == list(range(len(told.plan)))
    assert len({trial.seed for trial in told.plan}) == len(told.plan)


def test_a_resumed_search_adds_nothing() -> None:
    told = Told(planned(), capacity=200)
    told.carry_out()
    again = Told(told.plan, capacity=200)
    again.carried = list(told.carried)
    again.carry_out()
    assert again.added == 0
    assert again.carried == told.carried
    assert again.found == told.found


def test_a_probe_that_the_harness_failed_is_tried_once_more() -> None:
    told = Told(planned()[:1], capacity=200)
    told.failing = told.plan[0].id
    told.carry_out()
    first, second = told.plan[:2]
    assert first.probe is not None
    assert second.probe is not None
    assert (second.probe.load, second.probe.again) == (400, True)
    (found,) = told.found
    assert found.verified is not None
    assert 190 <= found.verified <= 200
    assert [p.outcome for p in found.probes[:2]] == ["host", "failed"]

"""Searches for a capacity in manifests: what they need, and what does not go with them."""

from __future__ import annotations

from typing import Any

import pytest

from synthetic import crowd_scenario
from wirelab.manifest.checks import of_suite
from wirelab.model.suite import Suite

CAPACITY: dict[str, Any] = {
    "parameter": "users",
    "load": {"type": "open", "period": "1s"},
    "lowest": 10,
    "highest": 400,
    "bounds": [{"metric": "rtt.attainment", "at_least": 99.9}],
}
PROFILE = {"trials": 1, "count": 12, "settle": 2, "probes": 20}
STEP = {"title": {"en": "all"}, "users": "users"}


def complaints(**changes: Any) -> list[str]:
    whole = {
        "load": None,
        "capacity": CAPACITY,
        "rankings": [],
        "parameters": {"users": 20},
        "steps": {"all": STEP},
        "profiles": {"quick": PROFILE},
        "roles": {
            "server": {"provider": "contender", "subject": True},
            "client": {"provider": "engine:websocket", "measured": True},
        },
        **changes,
    }
    scenario = crowd_scenario(**whole)
    suite = Suite(
        suite="demo",
        title={"en": "D"},
        summary={"en": ""},
        parameters={
            "users": {"type": "whole", "meaning": "clients"},
            "messages": {"type": "whole", "meaning": "messages a tick"},
        },
        scenarios={"c": scenario},
    )
    return [f"{'.'.join(map(str, key[2:]))}: {message}" for key, message in of_suite(suite)]


def test_a_search_that_fits_is_let_pass() -> None:
    assert complaints() == []


def test_a_closed_loop_is_searched_too() -> None:
    """Bounds may then be those of a step, whose time is what such a load has."""
    closed = {"load": {"type": "closed", "at_most": "60s"}}
    bounds = {"bounds": [{"metric": "step.elapsed", "at_most": 60}]}
    once = {"trials": 1, "count": 1, "probes": 20}
    suits = {"capacity": CAPACITY | closed | bounds, "profiles": {"quick": once}}
    assert complaints(**suits) == []
    assert complaints(capacity=CAPACITY | bounds) == [
        "capacity.bounds.0.metric: step.elapsed is no metric here: it is told of steps of a "
        "closed loop"
    ]


def test_a_profile_may_probe_no_further_than_it_has_time_for() -> None:
    assert complaints(profiles={"quick": PROFILE | {"highest": 100}}) == []
    for highest in (10, 401):
        assert complaints(profiles={"quick": PROFILE | {"highest": highest}}) == [
            "profiles.quick.highest: expected a whole number above lowest = 10, and at most "
            "highest = 400"
        ]


@pytest.mark.parametrize(
    "changes",
    [
        {"load": {"type": "open", "period": "1s"}},
        {"capacity": None},
        {"capacity": CAPACITY | {"load": {"type": "paced", "period": "1s"}}},
    ],
)
def test_a_search_contains_its_load_which_is_open(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"a load, or a capacity|capacity\.load"):
        complaints(**changes)


def test_the_work_of_a_tick_can_be_searched_whose_load_is_no_size() -> None:
    own = {"parameters": {"users": 20, "messages": 1}, "steps": {"all": STEP | {"users": 5}}}
    work = CAPACITY | {"parameter": "messages", "of": "tick", "highest": 70_000}
    assert complaints(capacity=work, **own) == []
    sized = complaints(capacity=work | {"parameter": "users"}, steps={"all": STEP})
    assert sized == ['steps.all.users: "users" is searched as the work of a tick']
    own["steps"] = {"all": STEP | {"users": 5, "parameters": {"messages": 7}}}
    told = 'steps.all.parameters: "messages" is searched: the step cannot set it'
    assert told in complaints(capacity=work, **own)


def test_lanes_can_be_searched_too() -> None:
    step = {"title": {"en": "all"}, "users": 400, "lanes": "users"}
    assert complaints(steps={"all": step}) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rankings": [{"metric": "rtt.rate"}]}, "rankings: a capacity is ranked by"),
        ({"steps": {"one": STEP, "two": STEP}}, "steps: a capacity has one step"),
        ({"steps": {"all": STEP | {"users": 5}}}, 'steps.all.users: expected "users"'),
        (
            {"steps": {"all": {"title": {"en": "all"}, "users": 300, "lanes": "users"}}},
            "steps.all.users: up to 400 lanes are probed",
        ),
        (
            {"steps": {"all": STEP | {"lanes": 15}}},
            "steps.all.lanes: down to 10 users are probed",
        ),
        ({"capacity": CAPACITY | {"highest": 10}}, "capacity.highest: expected a whole number"),
        ({"capacity": CAPACITY | {"highest": 70_000}}, "capacity.highest: a sample can tell"),
        ({"capacity": CAPACITY | {"parameter": "clients"}}, "capacity.parameter: expected the"),
        (
            {"capacity": CAPACITY | {"bounds": [{"metric": "rtr.attainment", "at_least": 1}]}},
            'capacity.bounds.0.metric: no metric "rtr.attainment", did you mean "rtt.attainment"?',
        ),
        (
            {"capacity": CAPACITY | {"bounds": [{"metric": "rtt.speed", "at_least": 1}]}},
            'capacity.bounds.0.metric: no metric "rtt.speed"',
        ),
        ({"profiles": {"quick": PROFILE | {"probes": None}}}, "profiles.quick.probes: missing"),
        ({"profiles": {"quick": PROFILE | {"repeats": 2}}}, "profiles.quick.repeats: expected an"),
        ({"profiles": {"quick": PROFILE | {"reruns": 1}}}, "profiles.quick.reruns: a search"),
        (
            {"profiles": {"quick": PROFILE | {"trials": 2, "discard": 1}}},
            "profiles.quick.discard: each probe begins afresh",
        ),
        (
            {"load": {"type": "open", "period": "1s"}, "capacity": None},
            "profiles.quick.probes: an open load with steps has no probes to set, only: trials, ",
        ),
    ],
)
def test_what_does_not_fit_is_told(changes: dict[str, Any], expected: str) -> None:
    found = complaints(**changes)
    assert any(line.startswith(expected) for line in found), found


@pytest.mark.parametrize("bound", [{}, {"at_most": 1, "at_least": 1}])
def test_a_bound_has_one_side(bound: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at_most or at_least"):
        crowd_scenario(
            load=None, capacity=CAPACITY | {"bounds": [{"metric": "rtt.attainment", **bound}]}
        )

"""Figures of the load generators, from cells that are known."""

from __future__ import annotations

from typing import Any

import pytest
from known_results import cell, finding, measured, metric, of_one_trial

from wirelab.bench import engine
from wirelab.bench.figure import BenchFigure, BenchVerdict
from wirelab.model.result import Cell, Finding, Metric

LOAD, CROWD = engine.SCENARIOS
WHOLE = {LOAD: 1_000, CROWD: 10_000}
SMALL = {LOAD: 100, CROWD: 500}


def cells_of(
    metrics: dict[tuple[str, str], dict[str, Metric]],
    findings: dict[str, list[Finding]] | None = None,
    users: dict[str, int] = WHOLE,
) -> list[Cell]:
    return [
        cell(
            scenario,
            contender,
            of_cell,
            findings=(findings or {}).get(contender, []),
            parameters={"users": users[scenario]},
        )
        for (scenario, contender), of_cell in metrics.items()
    ]


def known(
    metrics: dict[tuple[str, str], dict[str, Metric]],
    findings: dict[str, list[Finding]] | None = None,
    users: dict[str, int] = WHOLE,
) -> dict[str, BenchFigure]:
    """Figures as cells with these metrics give them."""
    return {f.name: f for f in engine.figures(measured(*cells_of(metrics, findings, users)))}


def cost(value: float) -> dict[str, Metric]:
    return {"delivery.per.cpu": metric(value, value * 0.99, value * 1.01)}


def test_a_small_load_meets_no_target_but_that_nothing_is_lost():
    whole = {
        **cost(200e3),
        "rss.max": of_one_trial(8.0),
        "rtt.latency.p50": metric(0.130, 0.127, 0.134),
        "delivery.loss.count": of_one_trial(0.0),
        "connect.attainment": of_one_trial(100.0),
    }
    cells = {(s, name): whole for s in engine.SCENARIOS for name in ("engine", "epoll")}
    named = known({**cells, (LOAD, "k6"): cost(25e3)}, users=SMALL)
    assert {f.name: f.verdict for f in named.values() if f.target is not None} == {
        "engine.loss": BenchVerdict.MET,
        "engine-crowd.loss": BenchVerdict.MET,
    }
    assert named["engine-crowd.connections"].value == 500
    for name in ("engine.engine.cost", "engine.epoll.cost", "engine.engine.memory"):
        assert named[name].value, named[name].why_not


@pytest.mark.parametrize(
    ("own", "verdict"),
    [(200e3, BenchVerdict.MET), (100e3, BenchVerdict.MISSED), (150e3, BenchVerdict.UNDECIDED)],
)
def test_the_ratio_of_costs_has_a_least(own: float, verdict: BenchVerdict):
    found = known({(LOAD, "engine"): cost(own), (LOAD, "k6"): cost(25e3)})
    figure = found["engine.k6.ratio"]
    assert figure.value == pytest.approx(own / 25e3)
    assert figure.verdict is verdict
    assert found["engine.epoll.ratio"].why_not == "not in this run"


def test_what_k6_does_not_keep_is_no_reason_against_its_count():
    k6 = {**cost(25e3), "rss.max": of_one_trial(900.0)}
    slow = finding("rate-missed", worst=0.2)
    unscheduled = finding("clock", **{"0001": {"off_schedule": 12}})
    cells = {(LOAD, "engine"): cost(200e3), (LOAD, "k6"): k6}
    found = known(cells, {"k6": [unscheduled, slow]})
    assert found["engine.k6.ratio"].value == pytest.approx(8)
    assert found["engine.k6.memory"].value == 900


@pytest.mark.parametrize(
    ("gate", "evidence"),
    [
        ("clock", {"0001": {"off_schedule": 12, "backwards": 1}}),
        ("clock", {"0001": {"ready_off_by_ns": 5}}),
        ("duplicated", {"operations": {}}),
        ("trial-failed", {"failed": {}}),
    ],
)
def test_any_other_gate_leaves_k6_without_a_figure(gate: str, evidence: dict[str, Any]):
    cells = {(LOAD, "engine"): cost(200e3), (LOAD, "k6"): cost(25e3)}
    figure = known(cells, {"k6": [finding(gate, **evidence)]})["engine.k6.ratio"]
    assert figure.value is None
    assert gate in figure.why_not


def test_what_is_added_to_a_round_trip_has_the_interval_of_both():
    cells = {
        (LOAD, "engine"): {"rtt.latency.p50": metric(0.130, 0.127, 0.134)},
        (LOAD, "epoll"): {"rtt.latency.p50": metric(0.100, 0.096, 0.103)},
    }
    figure = known(cells)["engine.rtt.added"]
    assert figure.value == pytest.approx(30)
    # 3 and 4 to each side: their hypotenuse.
    assert figure.interval == pytest.approx((30 - (3**2 + 3**2) ** 0.5, 30 + (4**2 + 4**2) ** 0.5))
    assert figure.verdict is BenchVerdict.MET


def test_one_trial_says_nothing_of_what_is_added():
    alone = {"rtt.latency.p50": of_one_trial(0.1)}
    figure = known({(LOAD, "engine"): alone, (LOAD, "epoll"): alone})["engine.rtt.added"]
    assert (figure.value, figure.why_not) == (None, "too few trials for an interval")


def test_the_worst_trial_says_how_many_connections_are_sustained():
    of_trials = Metric(value=100.0, unit="%", per_trial=[100.0, 100.0])
    whole = {(CROWD, "engine"): {"connect.attainment": of_trials}}
    assert known(whole)["engine-crowd.connections"].verdict is BenchVerdict.MET
    dropped = Metric(value=1.0, unit="count", per_trial=[0.0, 1.0])
    one_gone = {(CROWD, "engine"): {"connect.attainment": of_trials, "connect.drop.count": dropped}}
    figure = known(one_gone)["engine-crowd.connections"]
    assert (figure.value, figure.verdict) == (9_999, BenchVerdict.MISSED)


def test_a_scenario_that_cannot_be_carried_out_says_why():
    cells = cells_of({(LOAD, "engine"): cost(200e3)})
    left_out = measured(*cells, left_out={CROWD: "12000 open files; ulimit -Hn 12000"})
    found = {f.name: f for f in engine.figures(left_out)}
    assert "ulimit" in found["engine-crowd.connections"].why_not
    assert found["engine.engine.cost"].value is not None

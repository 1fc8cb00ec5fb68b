"""The load generators beside each other: their trials, and the figures made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from wirelab.bench import engine
from wirelab.bench.figure import BenchError, Figure, Verdict
from wirelab.bench.trials import MeasuredSuite, measure_suite
from wirelab.model.result import Cell, Finding, Metric
from wirelab.model.result import Verdict as CellVerdict
from wirelab.run.folder import RunFolder

pytestmark = pytest.mark.alone

LOAD, CROWD = engine.SCENARIOS


def cell_of(measured: MeasuredSuite, scenario: str, contender: str) -> Cell:
    return next(
        cell
        for cell in measured.result.cells
        if (cell.scenario, cell.contender, cell.step) == (scenario, contender, "")
    )


def test_every_generator_carries_out_its_trials(generators: MeasuredSuite):
    unavailable = {n for n, p in generators.result.participants.items() if p.unavailable}
    assert unavailable <= {"k6"}
    folder = RunFolder(generators.folder)
    for planned in folder.read_run().plan:
        record = folder.read_record(planned.id)
        assert record is not None
        assert (record.status, record.detail) == ("ok", "")


@pytest.mark.parametrize("contender", ["engine", "epoll"])
@pytest.mark.parametrize("scenario", engine.SCENARIOS)
def test_both_send_what_the_schedule_asks_and_receive_all_of_it(
    generators: MeasuredSuite, scenario: str, contender: str
):
    cell = cell_of(generators, scenario, contender)
    # A lane that sends at another time than the schedule's is off it.
    against = {f.gate for f in cell.findings if f.verdict is CellVerdict.INVALID}
    assert not against & {"clock", "rate-missed", "trial-failed", "duplicated"}
    metrics = cell.metrics
    sent = cell.statuses["rtt"]
    assert set(sent) == {"ok"}
    # Every board is full, and the sender gets its own copy, too, which is no delivery.
    assert metrics["delivery.expected.count"].value == sent["ok"] * 49
    assert metrics["delivery.received.count"].value == sent["ok"] * 49
    assert metrics["delivery.wrong.count"].value == 0
    assert metrics["connect.attainment"].value == 100


def test_they_do_the_same_work(generators: MeasuredSuite):
    for scenario in engine.SCENARIOS:
        done = {
            cell_of(generators, scenario, name).metrics["delivery.received.count"].value
            for name in ("engine", "epoll")
        }
        assert len(done) == 1
    lanes = cell_of(generators, LOAD, "epoll").parameters["users"]
    assert cell_of(generators, LOAD, "epoll").statuses["rtt"]["ok"] == 3 * int(lanes)


def test_a_small_load_meets_no_target_but_that_nothing_is_lost(generators: MeasuredSuite):
    found = engine.figures(generators)
    assert {f.name: f.verdict for f in found if f.target is not None} == {
        "engine.loss": Verdict.MET,
        "engine-crowd.loss": Verdict.MET,
    }
    named = {f.name: f for f in found}
    assert named["engine-crowd.connections"].value == 500
    for name in ("engine.engine.cost", "engine.epoll.cost", "engine.engine.memory"):
        assert named[name].value, named[name].why_not


# ------------------------------------------------------------- figures of known cells


def known(
    generators: MeasuredSuite,
    metrics: dict[tuple[str, str], dict[str, Metric]],
    findings: dict[str, list[Finding]] | None = None,
) -> dict[str, Figure]:
    """Figures as cells of the whole load with these metrics would give them."""
    template = cell_of(generators, LOAD, "engine")
    cells = [
        template.model_copy(
            update={
                "id": f"harness/{scenario}/{contender}",
                "scenario": scenario,
                "contender": contender,
                "parameters": {"users": 1_000 if scenario == LOAD else 10_000},
                "findings": (findings or {}).get(contender, []),
                "metrics": of_cell,
            }
        )
        for (scenario, contender), of_cell in metrics.items()
    ]
    result = generators.result.model_copy(update={"cells": cells})
    return {f.name: f for f in engine.figures(MeasuredSuite(result, generators.folder))}


def metric(value: float, low: float, high: float, **fields: Any) -> Metric:
    return Metric(value=value, unit="", interval=(low, high), **fields)


def cost(value: float) -> dict[str, Metric]:
    return {"delivery.per.cpu": metric(value, value * 0.99, value * 1.01)}


@pytest.mark.parametrize(
    ("own", "verdict"), [(200e3, Verdict.MET), (100e3, Verdict.MISSED), (150e3, Verdict.UNDECIDED)]
)
def test_the_ratio_of_costs_has_a_least(generators: MeasuredSuite, own: float, verdict: Verdict):
    found = known(generators, {(LOAD, "engine"): cost(own), (LOAD, "k6"): cost(25e3)})
    figure = found["engine.k6.ratio"]
    assert figure.value == pytest.approx(own / 25e3)
    assert figure.verdict is verdict
    assert found["engine.epoll.ratio"].why_not == "not in this run"


def test_what_k6_does_not_keep_is_no_reason_against_its_count(generators: MeasuredSuite):
    k6 = {**cost(25e3), "rss.max": Metric(value=900.0, unit="MB")}
    cells = {(LOAD, "engine"): cost(200e3), (LOAD, "k6"): k6}
    off = {"0001": {"off_schedule": 12}}
    slow = Finding(gate="rate-missed", verdict=CellVerdict.INVALID, evidence={"worst": 0.2})
    unscheduled = Finding(gate="clock", verdict=CellVerdict.INVALID, evidence=off)
    found = known(generators, cells, {"k6": [unscheduled, slow]})
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
def test_any_other_gate_leaves_k6_without_a_figure(
    generators: MeasuredSuite, gate: str, evidence: dict[str, Any]
):
    spoke = Finding(gate=gate, verdict=CellVerdict.INVALID, evidence=evidence)
    cells = {(LOAD, "engine"): cost(200e3), (LOAD, "k6"): cost(25e3)}
    figure = known(generators, cells, {"k6": [spoke]})["engine.k6.ratio"]
    assert figure.value is None
    assert gate in figure.why_not


def test_what_is_added_to_a_round_trip_has_the_interval_of_both(generators: MeasuredSuite):
    cells = {
        (LOAD, "engine"): {"rtt.latency.p50": metric(0.130, 0.127, 0.134)},
        (LOAD, "epoll"): {"rtt.latency.p50": metric(0.100, 0.096, 0.103)},
    }
    figure = known(generators, cells)["engine.rtt.added"]
    assert figure.value == pytest.approx(30)
    # 3 and 4 to each side: their hypotenuse.
    assert figure.interval == pytest.approx((30 - (3**2 + 3**2) ** 0.5, 30 + (4**2 + 4**2) ** 0.5))
    assert figure.verdict is Verdict.MET


def test_one_trial_says_nothing_of_what_is_added(generators: MeasuredSuite):
    alone = {"rtt.latency.p50": Metric(value=0.1, unit="ms")}
    figure = known(generators, {(LOAD, "engine"): alone, (LOAD, "epoll"): alone})[
        "engine.rtt.added"
    ]
    assert (figure.value, figure.why_not) == (None, "too few trials for an interval")


def test_the_worst_trial_says_how_many_connections_are_sustained(generators: MeasuredSuite):
    of_trials = Metric(value=100.0, unit="%", per_trial=[100.0, 100.0])
    whole = {(CROWD, "engine"): {"connect.attainment": of_trials}}
    assert known(generators, whole)["engine-crowd.connections"].verdict is Verdict.MET
    dropped = Metric(value=1.0, unit="count", per_trial=[0.0, 1.0])
    one_gone = {(CROWD, "engine"): {"connect.attainment": of_trials, "connect.drop.count": dropped}}
    figure = known(generators, one_gone)["engine-crowd.connections"]
    assert (figure.value, figure.verdict) == (9_999, Verdict.MISSED)


def test_a_scenario_that_cannot_be_carried_out_says_why(generators: MeasuredSuite):
    left_out = MeasuredSuite(
        generators.result, generators.folder, {CROWD: "12000 open files; ulimit -Hn 12000"}
    )
    found = {f.name: f for f in engine.figures(left_out)}
    assert "ulimit" in found["engine-crowd.connections"].why_not
    assert found["engine.engine.cost"].value is not None


def only_the_generators(repository: Path, results: Path) -> MeasuredSuite:
    return measure_suite(
        engine.SCENARIOS,
        profile="smoke",
        seed=1,
        repository=repository,
        results=results,
        console=Console(quiet=True),
    )


def test_too_few_open_files_are_said_with_the_remedy(repository, tmp_path, monkeypatch):
    monkeypatch.setattr("wirelab.bench.trials.allow_open_files", lambda n: f"ulimit -Hn {n}")
    with pytest.raises(BenchError, match="ulimit -Hn 4096; ulimit -Hn 12000"):
        only_the_generators(repository, tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_the_engine_there_is_no_run(repository, tmp_path):
    # This repository has the sources of neither.
    with pytest.raises(BenchError, match="wirelab's engine: there is no folder"):
        only_the_generators(repository, tmp_path)
    assert not list(tmp_path.iterdir())

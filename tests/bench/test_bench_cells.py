"""Figures of the recorder, the probe and the tickers, from cells that are known."""

from __future__ import annotations

import pytest
from known_results import cell, finding, measured, of_one_trial, too_few

from wirelab.bench import batches, probe, recorder, ticks
from wirelab.bench.targets import DRIFT_RATIO, RECORDER_NS
from wirelab.bench.trials import MeasuredSuite
from wirelab.model.result import Verdict

COMPILED = ("csharp", "csharp-lanes", "java", "java-lanes")
SLOW, FAST = of_one_trial(0.9), of_one_trial(0.05)
"""Milliseconds of a batch of 1,000 samples."""


def recorded(**spoken) -> MeasuredSuite:
    costs = {"python": SLOW, **dict.fromkeys(("c", *COMPILED), FAST)}
    return measured(
        *(
            cell(recorder.SCENARIO, name, {"batch.latency.mean": cost}, **spoken)
            for name, cost in costs.items()
        )
    )


def test_a_sample_costs_a_thousandth_of_its_batch():
    costs = {figure.name: figure for figure in recorder.figures(recorded())}
    assert {name: figure.value for name, figure in costs.items()} == {
        "recorder.c.cost": pytest.approx(50),
        "recorder.csharp.cost": pytest.approx(50),
        "recorder.csharp-lanes.cost": pytest.approx(50),
        "recorder.java.cost": pytest.approx(50),
        "recorder.java-lanes.cost": pytest.approx(50),
        "recorder.python.cost": pytest.approx(900),
    }
    assert costs["recorder.c.cost"].target == 100


def test_an_iteration_is_a_figure_as_it_is():
    cells = [
        cell(batches.SCENARIO, name, {"nothing.time": of_one_trial(ns)}, part=batches.STEP)
        for name, ns in {"java-batches": 1.5, "python-batches": 30.0}.items()
    ]
    found = batches.figures(measured(*cells))
    assert {f.name: (f.value, f.target, f.unit) for f in found} == {
        "batches.java-batches.iteration": (1.5, 5.0, "ns"),
        "batches.python-batches.iteration": (30.0, 100.0, "ns"),
    }


def test_the_probe_has_a_figure_a_variant():
    variants = {"one-thread": 0.2, "many-threads": 0.7}
    cells = [
        cell(probe.SCENARIO, "c", {"core.cpu.mean": of_one_trial(cost)}, part=name)
        for name, cost in variants.items()
    ]
    found = probe.figures(measured(*cells))
    assert {f.name: (f.value, f.target) for f in found} == {
        "probe.one-thread.cpu": (0.2, 1.0),
        "probe.many-threads.cpu": (0.7, 1.0),
    }


def test_too_few_ticks_have_no_p95_and_say_so():
    names = (ticks.REFERENCE, *DRIFT_RATIO)
    short = {"tick.drift.p95": too_few(50, 130)}
    found = ticks.figures(measured(*(cell(ticks.SCENARIO, name, short) for name in names)))
    ratios = [figure for figure in found if figure.target is not None]
    assert len(ratios) == len(DRIFT_RATIO)
    assert all(figure.value is None for figure in ratios)
    assert "too-few-samples: 50 of 130" in ratios[0].why_not


def test_an_invalid_cell_gives_no_figure():
    found = recorder.figures(recorded(findings=[finding("steal")]))
    assert len(found) == len(RECORDER_NS)
    assert all(figure.value is None and "steal" in figure.why_not for figure in found)


def test_a_language_that_is_missing_says_what_would_help():
    ran = measured(
        cell(recorder.SCENARIO, "c", {"batch.latency.mean": FAST}),
        unavailable={"java": ("javac is missing", "apt-get install a-jdk")},
    )
    found = {f.name: f for f in recorder.figures(ran)}
    assert found["recorder.java.cost"].why_not == "javac is missing; apt-get install a-jdk"
    assert found["recorder.c.cost"].value is not None


def test_remarks_leave_out_what_is_so_by_design():
    warned = [finding(gate, Verdict.WARN) for gate in ("late-start", "steal")]
    ran = measured(cell(ticks.SCENARIO, "c", {}, findings=warned))
    assert ran.remarks() == {"steal (warn)": ["ticks/c"]}

"""The ratio of drifts, from cells whose figures are known."""

from __future__ import annotations

from collections.abc import Mapping

from known_results import cell, measured, metric, of_one_trial

from wirelab.bench import ticks
from wirelab.bench.figure import BenchFigure, BenchVerdict
from wirelab.model.result import Metric


def ratios(drifts: Mapping[str, Metric]) -> dict[str, BenchFigure]:
    cells = [cell(ticks.SCENARIO, name, {"tick.drift.p95": own}) for name, own in drifts.items()]
    return {figure.name: figure for figure in ticks.figures(measured(*cells))}


def test_a_ratio_is_judged_with_its_interval():
    found = ratios(
        {
            "bare": metric(0.1, 0.099, 0.101),
            "c": metric(0.11, 0.109, 0.111),
            "python": metric(0.3, 0.29, 0.31),
        }
    )
    assert found["ticks.bare.drift.p95"].value == 100
    met, missed = found["ticks.c.ratio"], found["ticks.python.ratio"]
    assert met.verdict is BenchVerdict.MET
    assert met.interval is not None
    assert met.interval[0] < 1.1 < met.interval[1]
    assert missed.verdict is BenchVerdict.MISSED


def test_without_the_reference_there_is_no_ratio():
    found = ratios({"c": metric(0.1, 0.09, 0.11)})
    assert found["ticks.c.ratio"].value is None
    assert found["ticks.c.ratio"].why_not == "not in this run"
    assert found["ticks.c.drift.p95"].value == 100


def test_one_trial_gives_no_interval_and_no_ratio():
    found = ratios({"bare": of_one_trial(0.1), "c": of_one_trial(0.1)})
    assert found["ticks.c.ratio"].why_not == "too few trials for an interval"

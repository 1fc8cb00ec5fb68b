"""The ratio of drifts, from cells whose figures are known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from wirelab.bench import ticks
from wirelab.bench.figure import Figure, Verdict
from wirelab.bench.trials import MeasuredSuite
from wirelab.model.result import Metric

pytestmark = pytest.mark.alone


def ratios(measured: MeasuredSuite, drifts: Mapping[str, Metric]) -> dict[str, Figure]:
    cells = [
        cell.model_copy(
            update={
                "verdict": "valid",
                "findings": [],
                "metrics": {"tick.drift.p95": drifts[cell.contender]},
            }
        )
        for cell in measured.result.cells
        if cell.scenario == ticks.SCENARIO and cell.contender in drifts
    ]
    result = measured.result.model_copy(update={"cells": cells})
    found = ticks.figures(MeasuredSuite(result, Path("results/one")))
    return {figure.name: figure for figure in found}


def drift(value: float, low: float, high: float) -> Metric:
    return Metric(value=value, unit="ms", interval=(low, high))


def test_a_ratio_is_judged_with_its_interval(measured: MeasuredSuite):
    found = ratios(
        measured,
        {
            "bare": drift(0.1, 0.099, 0.101),
            "c": drift(0.11, 0.109, 0.111),
            "python": drift(0.3, 0.29, 0.31),
        },
    )
    assert found["ticks.bare.drift.p95"].value == 100
    met, missed = found["ticks.c.ratio"], found["ticks.python.ratio"]
    assert met.verdict is Verdict.MET
    assert met.interval is not None
    assert met.interval[0] < 1.1 < met.interval[1]
    assert missed.verdict is Verdict.MISSED


def test_without_the_reference_there_is_no_ratio(measured: MeasuredSuite):
    found = ratios(measured, {"c": drift(0.1, 0.09, 0.11)})
    assert found["ticks.c.ratio"].value is None
    assert found["ticks.c.ratio"].why_not == "not in this run"
    assert found["ticks.c.drift.p95"].value == 100


def test_one_trial_gives_no_interval_and_no_ratio(measured: MeasuredSuite):
    alone = Metric(value=0.1, unit="ms", per_trial=[0.1])
    found = ratios(measured, {"bare": alone, "c": alone})
    assert found["ticks.c.ratio"].why_not == "too few trials for an interval"

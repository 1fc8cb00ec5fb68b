from __future__ import annotations

from typing import Literal

import pytest

from wirelab.bench.figure import BenchFigure, BenchVerdict
from wirelab.model.result import Metric


def figure(
    value: float | None,
    interval: tuple[float, float] | None,
    target: float | None,
    better: Literal["lower", "higher"] = "lower",
):
    return BenchFigure(
        benchmark="recorder",
        name="recorder.c.cost",
        what="recording",
        unit="ns",
        value=value,
        interval=interval,
        target=target,
        better=better,
    )


@pytest.mark.parametrize(
    ("value", "interval", "target", "verdict"),
    [
        (50.0, (40.0, 60.0), 100.0, BenchVerdict.MET),
        (100.0, (90.0, 100.0), 100.0, BenchVerdict.MET),
        (95.0, (90.0, 101.0), 100.0, BenchVerdict.UNDECIDED),
        (105.0, (99.0, 110.0), 100.0, BenchVerdict.UNDECIDED),
        (120.0, (101.0, 130.0), 100.0, BenchVerdict.MISSED),
        (100.0, None, 100.0, BenchVerdict.MET),
        (100.1, None, 100.0, BenchVerdict.MISSED),
        (None, None, 100.0, BenchVerdict.NOT_MEASURED),
        (50.0, (40.0, 60.0), None, BenchVerdict.NO_TARGET),
    ],
)
def test_only_the_whole_interval_decides(value, interval, target, verdict):
    assert figure(value, interval, target).verdict is verdict


@pytest.mark.parametrize(
    ("value", "interval", "verdict"),
    [
        (8.0, (7.0, 9.0), BenchVerdict.MET),
        (6.5, (6.0, 7.0), BenchVerdict.MET),
        (6.5, (5.9, 7.0), BenchVerdict.UNDECIDED),
        (5.5, (5.0, 6.0), BenchVerdict.UNDECIDED),
        (5.5, (5.0, 5.9), BenchVerdict.MISSED),
        (6.0, None, BenchVerdict.MET),
        (5.9, None, BenchVerdict.MISSED),
        (None, None, BenchVerdict.NOT_MEASURED),
    ],
)
def test_a_target_may_be_the_least_that_is_demanded(value, interval, verdict):
    assert figure(value, interval, 6.0, "higher").verdict is verdict


def test_the_verdict_is_written_with_the_figure():
    assert figure(120.0, None, 100.0).model_dump()["verdict"] == "missed"


def test_a_metric_changes_its_unit_with_everything_in_it():
    metric = Metric(value=0.2, unit="ms", interval=(0.1, 0.3), per_trial=[0.1, None, 0.3])
    made = BenchFigure.of_metric(metric, 1000.0, benchmark="ticks", name="n", what="w", unit="us")
    assert made.value == pytest.approx(200)
    assert made.interval == pytest.approx((100, 300))
    assert made.each[0] == pytest.approx(100)
    assert made.each[1] is None


def test_a_metric_without_a_value_is_a_figure_without_one():
    made = BenchFigure.of_metric(
        None, benchmark="ticks", name="n", what="w", unit="us", target=1.0, why_not="because"
    )
    assert (made.value, made.verdict, made.why_not) == (None, BenchVerdict.NOT_MEASURED, "because")

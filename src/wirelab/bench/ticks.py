"""Lateness of ticks, against a bare ``clock_nanosleep(TIMER_ABSTIME)`` loop."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import DRIFT_RATIO
from wirelab.bench.trials import MeasuredSuite
from wirelab.stats.ratio import ratio

SCENARIO = "ticks"
REFERENCE = "bare"
_METRIC = "tick.drift.p95"
_US = 1000.0


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """p95 of every ticker in microseconds, then the ratios that have a target."""
    names = (REFERENCE, *DRIFT_RATIO)
    return [
        *(_drift(measured, name) for name in names),
        *(_against_reference(measured, name) for name in DRIFT_RATIO),
    ]


def _drift(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, contender, _METRIC)
    return BenchFigure.of_metric(
        metric,
        _US,
        benchmark=SCENARIO,
        name=f"ticks.{contender}.drift.p95",
        what=f"drift p95, {contender}",
        unit="us",
        why_not=why_not,
    )


def _against_reference(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, contender, _METRIC)
    base, why_no_base = measured.metric(SCENARIO, REFERENCE, _METRIC)
    found = ratio(metric, base) if metric is not None and base is not None else None
    reasons = list(dict.fromkeys(why for why in (why_no_base, why_not) if why))
    if found is None and not reasons:
        reasons = ["too few trials for an interval"]
    return BenchFigure(
        benchmark=SCENARIO,
        name=f"ticks.{contender}.ratio",
        what=f"drift p95, {contender} over {REFERENCE}",
        unit="x",
        value=found.value if found else None,
        interval=(found.low, found.high) if found else None,
        target=DRIFT_RATIO[contender],
        why_not="; ".join(reasons),
    )

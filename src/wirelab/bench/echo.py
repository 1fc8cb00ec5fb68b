"""A round trip through the harness of the suite ``messaging``, against the same loop without it."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import ECHO_RATIO
from wirelab.bench.trials import MeasuredSuite
from wirelab.stats.ratio import ratio

SCENARIO = "echo"
BARE, HARNESS = "echo-bare", "echo-harness"
_STEP = "steady"
_METRIC = "echo.latency.p50"
_US = 1000.0


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """Median round trip of both loops in microseconds, then their ratio, which has a target."""
    return [_median(measured, BARE), _median(measured, HARNESS), _harness_over_bare(measured)]


def _median(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, contender, _METRIC, _STEP)
    return BenchFigure.of_metric(
        metric,
        _US,
        benchmark=SCENARIO,
        name=f"echo.{contender}.p50",
        what=f"echo p50, {contender}",
        unit="us",
        why_not=why_not,
    )


def _harness_over_bare(measured: MeasuredSuite) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, HARNESS, _METRIC, _STEP)
    base, why_no_base = measured.metric(SCENARIO, BARE, _METRIC, _STEP)
    found = ratio(metric, base) if metric is not None and base is not None else None
    reasons = list(dict.fromkeys(why for why in (why_no_base, why_not) if why))
    if found is None and not reasons:
        reasons = ["too few trials for an interval"]
    return BenchFigure(
        benchmark=SCENARIO,
        name="echo.ratio",
        what="echo p50, harness over bare loop",
        unit="x",
        value=found.value if found else None,
        interval=(found.low, found.high) if found else None,
        target=ECHO_RATIO,
        why_not="; ".join(reasons),
    )

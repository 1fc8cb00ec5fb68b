"""Cost of an iteration of a microbenchmark that has nothing to do."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import ITERATION_NS
from wirelab.bench.trials import MeasuredSuite

SCENARIO = "batches"
STEP = "sum"
_METRIC = "nothing.time"


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """Nanoseconds of an iteration by language."""
    return [_cost(measured, contender) for contender in ITERATION_NS]


def _cost(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, contender, _METRIC, STEP)
    return BenchFigure.of_metric(
        metric,
        1.0,
        benchmark=SCENARIO,
        name=f"batches.{contender}.iteration",
        what=f"an iteration without an operation, {contender}",
        unit="ns",
        target=ITERATION_NS[contender],
        why_not=why_not,
    )

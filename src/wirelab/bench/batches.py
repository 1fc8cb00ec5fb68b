"""Cost of a round of a microbenchmark that has nothing to do."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import ROUND_NS
from wirelab.bench.trials import MeasuredSuite

SCENARIO = "batches"
STEP = "sum"
_METRIC = "nothing.time"


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """Nanoseconds of a round by language."""
    return [_cost(measured, contender) for contender in ROUND_NS]


def _cost(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, contender, _METRIC, STEP)
    return BenchFigure.of_metric(
        metric,
        1.0,
        benchmark=SCENARIO,
        name=f"batches.{contender}.round",
        what=f"a round without an operation, {contender}",
        unit="ns",
        target=ROUND_NS[contender],
        why_not=why_not,
    )

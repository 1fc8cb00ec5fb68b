"""Cost of recording one sample, for the thread that records it."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import RECORDER_NS
from wirelab.bench.trials import MeasuredSuite

SCENARIO = "recorder"
_OPERATION = "batch"
_NS_PER_MS = 1e6


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """Mean cost of a sample by language: a batch's mean over its number of samples.

    The mean and not the median: handing a full buffer to the kernel happens in one batch of
    several, and belongs to every sample in it.
    """
    return [_cost(measured, contender) for contender in RECORDER_NS]


def _cost(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, contender, f"{_OPERATION}.latency.mean")
    scale = _NS_PER_MS / measured.result.scenarios[SCENARIO].operations[_OPERATION].items
    return BenchFigure.of_metric(
        metric,
        scale,
        benchmark=SCENARIO,
        name=f"recorder.{contender}.cost",
        what=f"recording a sample, {contender}",
        unit="ns",
        target=RECORDER_NS[contender],
        why_not=why_not,
    )

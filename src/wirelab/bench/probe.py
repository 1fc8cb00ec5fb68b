"""Processor time of probe and core while a trial is measured."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import HARNESS_CPU
from wirelab.bench.trials import MeasuredSuite

SCENARIO = "probe"
_WATCHED = "c"
_METRIC = "core.cpu.mean"


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """CPU of wirelab's own process within the window, one figure a variant."""
    variants = measured.result.scenarios[SCENARIO].variants
    return [_cost(measured, name, its.title.en) for name, its in variants.items()]


def _cost(measured: MeasuredSuite, variant: str, title: str) -> BenchFigure:
    metric, why_not = measured.metric(SCENARIO, _WATCHED, _METRIC, variant)
    return BenchFigure.of_metric(
        metric,
        benchmark=SCENARIO,
        name=f"probe.{variant}.cpu",
        what=f"probe and core ({title})",
        unit="%",
        target=HARNESS_CPU,
        why_not=why_not,
    )

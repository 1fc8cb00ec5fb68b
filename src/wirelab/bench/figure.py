"""A figure of the harness beside its target."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, computed_field

from wirelab.model.result import Metric
from wirelab.model.units import Strict

Interval = tuple[float, float]


class BenchError(Exception):
    """A benchmark that could not be carried out; the message says why."""


class BenchVerdict(StrEnum):
    """The verdict that a figure and its interval give on its target."""

    MET = "met"
    MISSED = "missed"
    UNDECIDED = "undecided"
    NOT_MEASURED = "not measured"
    NO_TARGET = ""


class BenchFigure(Strict):
    """One figure beside what is demanded of it."""

    benchmark: str = Field(description="one of those of ``wl bench``, such as ticks")
    name: str = Field(description="stable dotted name, such as recorder.c.cost")
    what: str = Field(description="the same in words")
    unit: str
    value: float | None
    interval: Interval | None = Field(default=None, description="95 % interval")
    each: list[float | None] = Field(
        default=[], description="value of each trial, or of each repetition"
    )
    target: float | None = Field(
        default=None, description="the bound of it; None: it only helps to read the others"
    )
    least: float | None = Field(
        default=None, description="of a ratio that is to be one: the least it may be, beside target"
    )
    better: Literal["lower", "higher"] = Field(
        default="lower", description="lower: the target is the most it may be; higher: the least"
    )
    why_not: str = Field(default="", description="why there is no value")

    @staticmethod
    def of_metric(metric: Metric | None, scale: float = 1.0, **fields: Any) -> BenchFigure:
        """The figure of a metric in another unit, ``scale`` times the metric's value."""
        if metric is None or metric.value is None:
            return BenchFigure(value=None, **fields)
        return BenchFigure(
            value=metric.value * scale,
            interval=_scaled(metric.interval, scale),
            each=[one if one is None else one * scale for one in metric.per_trial],
            **fields,
        )

    @computed_field  # type: ignore[prop-decorator]
    @property
    def verdict(self) -> BenchVerdict:
        """Met and missed only where the whole interval says so."""
        if self.target is None:
            return BenchVerdict.NO_TARGET
        if self.value is None:
            return BenchVerdict.NOT_MEASURED
        low, high = self.interval or (self.value, self.value)
        if self.better == "higher":
            met, missed = low >= self.target, high < self.target
        else:
            met, missed = high <= self.target, low > self.target
        if self.least is not None:
            met, missed = met and low >= self.least, missed or high < self.least
        return (
            BenchVerdict.MET if met else BenchVerdict.MISSED if missed else BenchVerdict.UNDECIDED
        )


def _scaled(interval: Interval | None, scale: float) -> Interval | None:
    return (interval[0] * scale, interval[1] * scale) if interval else None


class Findings(Strict):
    """The findings of ``wl bench`` and the conditions they were measured in; ``--json`` writes
    them.
    """

    schema_version: int = 1
    started_at: str
    wirelab: str
    git_revision: str
    profile: str
    seed: int
    host: dict[str, Any]
    load_before: list[float]
    run: str | None = Field(description="folder of the trials; None: there were none")
    figures: list[BenchFigure]
    remarks: dict[str, list[str]] = Field(description="by gate: the cells it spoke of")

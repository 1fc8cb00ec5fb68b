"""A metric as a figure of a report."""

from __future__ import annotations

from wirelab.metrics.units import precision_of
from wirelab.model.result import Metric
from wirelab.report.document import Figure
from wirelab.words import numbers


def figure(metric: Metric, factor: float = 1.0, unit: str | None = None) -> Figure:
    """A metric's value and interval, scaled by ``factor``; the value must not be None."""
    if metric.value is None:
        raise ValueError("a metric without a value has no figure")
    unit = metric.unit if unit is None else unit
    value = metric.value * factor
    interval = None
    if metric.interval is not None:
        low, high = (bound * factor for bound in metric.interval)
        interval = (min(low, high), max(low, high))
    places = numbers.places_of(value, interval, precision_of(unit))
    shown = numbers.interval_text(interval, places) if interval else ""
    number = numbers.number(value, places)
    return Figure(numbers.at_least(number) if metric.at_least else number, shown)

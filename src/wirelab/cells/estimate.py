"""A figure of a cell on its way to a metric: everything but its unit, which its key decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wirelab.metrics.catalogue import CORE, Catalogue
from wirelab.model.mistake import MistakeError
from wirelab.model.result import Metric, Unsupported
from wirelab.model.scenario import Scenario


@dataclass(frozen=True)
class Estimate:
    """A value with its interval and what it rests on, or why there is none."""

    value: float | None
    interval: tuple[float, float] | None = None
    n: int | None = None
    effective_n: float | None = None
    per_trial: tuple[float | None, ...] = ()
    unsupported: Unsupported | None = None
    at_least: bool = False
    """True where durations were cut off before it was reached: it is this or more."""

    uncensored: float | None = None
    """The same with what was disturbed; None where nothing was."""

    merged: Mapping[int, tuple[float | None, ...]] | None = None
    """Values of a percentile that a single trial may not support: neighbouring trials made one, by
    how many; a value each group, in order, None of one that does not support it either.
    """

    @staticmethod
    def absent(code: str, has: float | None = None, needs: float | None = None) -> Estimate:
        """No value, and why."""
        return Estimate(None, unsupported=Unsupported(code=code, has=has, needs=needs))

    def in_unit(self, unit: str) -> Metric:
        """The metric it is."""
        return Metric(
            value=self.value,
            unit=unit,
            interval=self.interval,
            n=self.n,
            effective_n=self.effective_n,
            per_trial=list(self.per_trial),
            unsupported=self.unsupported,
            at_least=self.at_least,
            uncensored=self.uncensored,
        )


class UnknownMetricError(MistakeError):
    """A figure was made whose key the catalogue does not have for its scenario."""


def metrics_of(
    estimates: Mapping[str, Estimate], scenario: Scenario, catalogue: Catalogue = CORE
) -> dict[str, Metric]:
    """The metrics of estimates by their keys, each in the unit that the catalogue gives it."""
    known = catalogue.of(scenario)
    if unknown := [key for key in estimates if key not in known]:
        raise UnknownMetricError(f"not in the catalogue of metrics: {', '.join(unknown)}")
    return {key: one.in_unit(known[key].unit_in(scenario)) for key, one in estimates.items()}

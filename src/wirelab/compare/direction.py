"""Better directions of metrics, and the metrics worth comparing between two runs."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.metrics.catalogue import CORE, Catalogue
from wirelab.metrics.definition import Extent, Named
from wirelab.model.metrics import Disturbed
from wirelab.model.rankings import rankings
from wirelab.model.scenario import Scenario


@dataclass(frozen=True)
class Directions:
    """The metrics of a scenario as a comparison looks at them."""

    scenario: Scenario
    catalogue: Catalogue = CORE

    def better(self, metric: str) -> str | None:
        """``lower``, ``higher``, or None where neither is; what the scenario ranks by comes
        first."""
        for ranking in rankings(self.scenario):
            if ranking.metric == metric:
                return ranking.better
        named = self._named(metric)
        way = named.definition.better if named else "neither"
        return None if way == "neither" else way

    def decides(self, metric: str) -> bool:
        """Whether the outcome of a cell rests on the metric: what is ranked, misses, errors."""
        named = self._named(metric)
        return self.is_ranked(metric) or (named is not None and named.definition.decides)

    def is_ranked(self, metric: str) -> bool:
        """Whether contenders are ranked by it."""
        return any(ranking.metric == metric for ranking in rankings(self.scenario))

    def grows_with_length(self, metric: str) -> bool:
        """Whether a longer trial alone makes the figure bigger."""
        named = self._named(metric)
        return named is not None and named.grows_with_length

    def has_ratio(self, metric: str) -> bool:
        """Whether it is a sum over trials, which says nothing between runs where a ratio does."""
        named = self._named(metric)
        if named is None or named.definition.extent is not Extent.SUM:
            return False
        return self._named(f"{metric.removesuffix('.count')}.ratio") is not None

    def is_disturbed(self, metric: str) -> bool:
        """True where a busy hour makes it larger, or a rate smaller."""
        named = self._named(metric)
        return named is not None and named.definition.disturbed is Disturbed.TIME

    def _named(self, metric: str) -> Named | None:
        return self.catalogue.named(metric, self.scenario.roles)

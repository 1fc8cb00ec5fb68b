"""The metrics of one cell in two runs: which of them changed, and which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from wirelab.capacity.found import VERIFIED
from wirelab.capacity.found import shown_worse as bracket_shown_worse
from wirelab.cells.figures import TOO_FEW_TRIALS
from wirelab.compare import shortage
from wirelab.compare.beside import Unchanged
from wirelab.compare.comparison import Change, MetricChange, Shortage
from wirelab.compare.direction import Directions
from wirelab.compare.validity import INVALID, reason_of
from wirelab.metrics.catalogue import CORE, Catalogue
from wirelab.metrics.naming import Naming
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.scenario import Scenario
from wirelab.stats.ratio import Ratio, mean_difference, quotient
from wirelab.words.translation import words

_NO_VALUE = "no-value"


@dataclass(frozen=True)
class Judge:
    """Judges the metrics of one cell that both runs have."""

    scenario: Scenario
    same_length: bool
    threshold: float
    catalogue: Catalogue = CORE
    beside: Sequence[Unchanged] = ()
    """Contenders that are the same in both runs."""

    @property
    def _directions(self) -> Directions:
        return Directions(self.scenario, self.catalogue)

    @property
    def _naming(self) -> Naming:
        return Naming(words("en"), self.catalogue, self.scenario.roles)

    def changes(self, was: Cell, now: Cell) -> list[MetricChange]:
        """Every metric that both have and that says something between runs."""
        return [
            self._judge(name, was, now)
            for name in now.metrics
            if name in was.metrics and not self._directions.has_ratio(name)
        ]

    def of_cell(self, changes: list[MetricChange]) -> tuple[Change, str]:
        """The outcome that the deciding metrics make, and why nothing can be told.

        "No difference shown" needs the main ranked figure to have been compared, and no ranked one
        that was invalid: that others could be compared, or that neither run had a miss or an
        error, says nothing of it.
        """
        deciding = [metric for metric in changes if metric.decides]
        for change in (Change.WORSE, Change.BETTER):
            if any(metric.change is change for metric in deciding):
                return change, ""
        ranked = self._by_weight(deciding)
        if invalid := [m.reason for m in ranked if m.reason in INVALID]:
            return Change.NOT_COMPARABLE, invalid[0]
        if not ranked:
            return Change.NOT_COMPARABLE, "nothing-ranked"
        if ranked[0].change is Change.NOT_COMPARABLE:
            return Change.NOT_COMPARABLE, ranked[0].reason
        return Change.SAME, ""

    def _by_weight(self, deciding: list[MetricChange]) -> list[MetricChange]:
        """The ranked figures, the main one first; without any all that decide, those that were
        compared first."""
        found = {metric.metric: metric for metric in deciding}
        ranked = [found[r.metric] for r in rankings(self.scenario) if r.metric in found]
        return ranked or sorted(deciding, key=lambda m: m.change is Change.NOT_COMPARABLE)

    def _judge(self, name: str, was: Cell, now: Cell) -> MetricChange:
        old, new = was.metrics[name], now.metrics[name]
        found, baseline = self._ratio(name, old, new)
        invalid = [one.verdict is Verdict.INVALID for one in (old, new)]
        if any(invalid):
            grown, shrunk, reason = False, False, reason_of(old=invalid[0], new=invalid[1])
        elif name == VERIFIED:
            grown, shrunk, reason = _brackets(was, now)
        else:
            grown, shrunk, reason = self._beyond_noise(name, old, new, found)
        short = _shortage(name, reason, was, now)
        return MetricChange(
            metric=name,
            title=self._naming.title(name),
            unit=new.unit,
            old=None if old.at_least else old.value,
            new=None if new.at_least else new.value,
            ratio=found.value if found else None,
            interval=(found.low, found.high) if found and isfinite(found.high) else None,
            baseline=baseline,
            change=Change.NOT_COMPARABLE
            if reason
            else self._change(name, grown=grown, shrunk=shrunk),
            reason=short.code if short else reason,
            shortage=short,
            decides=self._directions.decides(name),
        )

    def _ratio(self, name: str, old: Metric, new: Metric) -> tuple[Ratio | None, str]:
        """New / old, and the contender beside which it is taken; the hour does nothing to what no
        busy host disturbs, so that a baseline would add its own scatter alone."""
        if self._directions.is_disturbed(name):
            for one in self.beside:
                if (found := one.change(old, new, name)) is not None:
                    return found, one.name
        return quotient(new, old), ""

    def _beyond_noise(
        self, name: str, old: Metric, new: Metric, found: Ratio | None
    ) -> tuple[bool, bool, str]:
        """Whether the figure grew, whether it shrank, and why that cannot be told."""
        if old.value is None or new.value is None:
            return False, False, _NO_VALUE
        if old.at_least or new.at_least:
            return False, False, "at-least"
        if self._directions.grows_with_length(name) and not self.same_length:
            return False, False, "unlike-length"
        if found is not None:
            limit = 1 + self.threshold
            return found.low > limit, found.high < 1 / limit, ""
        before, after = ([v for v in m.per_trial if v is not None] for m in (old, new))
        if min(len(before), len(after)) < 2:
            return False, False, TOO_FEW_TRIALS
        low, high = mean_difference(after, before)
        return low > 0, high < 0, ""

    def _change(self, name: str, *, grown: bool, shrunk: bool) -> Change:
        if not grown and not shrunk:
            return Change.SAME
        better = self._directions.better(name)
        if better is None:
            return Change.CHANGED
        return Change.BETTER if grown == (better == "higher") else Change.WORSE


def _brackets(was: Cell, now: Cell) -> tuple[bool, bool, str]:
    """A capacity is a bracket: it changed where the two do not overlap."""
    if was.metrics[VERIFIED].value is None or now.metrics[VERIFIED].value is None:
        return False, False, _NO_VALUE
    return bracket_shown_worse(was, now), bracket_shown_worse(now, was), ""


def _shortage(name: str, reason: str, was: Cell, now: Cell) -> Shortage | None:
    """The samples or trials that a run lacks, where that is the reason."""
    if reason == _NO_VALUE:
        return shortage.of_value(name, was, now)
    return shortage.of_trials(name, was, now) if reason == TOO_FEW_TRIALS else None

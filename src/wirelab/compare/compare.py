"""Comparing two runs: per metric the ratio with its interval, and one verdict for a pipeline.

A metric *changed* when the 95 % interval of new / old lies wholly beyond the noise threshold:
above ``1 + threshold`` or below ``1 / (1 + threshold)``. So a change must be both shown and big
enough to matter. What is not positive has no ratio: its trials' values are compared by the
interval of their difference (Welch), without a threshold.

The run regressed when a cell did: a metric that *decides* (the scenario's rankings, and the
ratios of misses and errors) became worse, a cell that was not invalid became so, or a caller in
a faults scenario now sees silence, a hang or no recovery that it did not see before.
Intervals of 95 % are left on the worse side by one metric in forty without any change; that
such a metric must leave the threshold behind as well is what keeps many cells quiet.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from pydantic import ValidationError

from wirelab.compare import direction
from wirelab.compare.comparison import CellComparison, Change, Comparison, MetricChange
from wirelab.compare.likeness import differences, same_length, unlike
from wirelab.model.result import Cell, Metric, Result, Verdict
from wirelab.model.suite import Scenario
from wirelab.run.folder import NoSuchRunError
from wirelab.stats.ratio import mean_difference, ratio

THRESHOLD = 0.05
BAD_OUTCOMES = frozenset({"silent", "hang", "not-recovered"})


def compare_runs(old_dir: Path, new_dir: Path, threshold: float = THRESHOLD) -> Comparison:
    """Compare the results of two run folders (or two ``result.json``).

    ``threshold`` is the share up to which a change is noise. Raises NoSuchRunError for a folder
    that has not been analysed.
    """
    return compare(read_result(old_dir), read_result(new_dir), threshold)


def read_result(path: Path) -> Result:
    """``result.json`` of a run folder; raises NoSuchRunError with what is wrong with it."""
    file = path / "result.json" if path.is_dir() else path
    try:
        return Result.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        raise NoSuchRunError(f"{path} holds no result: {file.name} is missing") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise NoSuchRunError(f"{file}: {where}: {first['msg']}") from None


def compare(old: Result, new: Result, threshold: float = THRESHOLD) -> Comparison:
    """Compare two results."""
    before = {cell.id: cell for cell in old.cells}
    after = {cell.id: cell for cell in new.cells}
    both = [(before[key], cell) for key, cell in after.items() if key in before]
    return Comparison(
        old_run=old.run,
        new_run=new.run,
        threshold=threshold,
        cells=[_compare_cells(was, now, old, new, threshold) for was, now in both],
        only_old=[key for key in before if key not in after],
        only_new=[key for key in after if key not in before],
        differences=differences(old, new),
    )


def _compare_cells(
    was: Cell, now: Cell, old: Result, new: Result, threshold: float
) -> CellComparison:
    metrics: list[MetricChange] = []
    reason = unlike(was, now, old, new)
    if reason:
        change = Change.NOT_COMPARABLE
    elif now.verdict is Verdict.INVALID:
        change, reason = Change.REGRESSED, "became-invalid"
    else:
        judge = _Judge(new.scenarios[now.scenario], same_length(now, old, new), threshold)
        metrics = judge.changes(was, now)
        change, reason = _of_cell(was, now, metrics)
    return CellComparison(
        id=now.id,
        scenario=now.scenario,
        variant=now.variant,
        contender=now.contender,
        old_verdict=was.verdict,
        new_verdict=now.verdict,
        change=change,
        reason=reason,
        old_outcomes=_outcomes(was),
        new_outcomes=_outcomes(now),
        metrics=metrics,
    )


def _of_cell(was: Cell, now: Cell, metrics: list[MetricChange]) -> tuple[Change, str]:
    """The change of a whole cell, and why."""
    if (_outcomes(now).keys() - _outcomes(was).keys()) & BAD_OUTCOMES:
        return Change.REGRESSED, "worse-outcome"
    deciding = [metric.change for metric in metrics if metric.decides]
    for change in (Change.REGRESSED, Change.IMPROVED):
        if change in deciding:
            return change, ""
    return Change.SAME, ""


def _outcomes(cell: Cell) -> dict[str, int]:
    return dict(Counter(view.outcome for view in cell.caller))


@dataclass(frozen=True)
class _Judge:
    """Judges the metrics of one cell that both runs have."""

    scenario: Scenario
    same_length: bool
    threshold: float

    def changes(self, was: Cell, now: Cell) -> list[MetricChange]:
        return [
            self._judge(name, was.metrics[name], metric)
            for name, metric in now.metrics.items()
            if name in was.metrics and not direction.is_total(name)
        ]

    def _judge(self, name: str, old: Metric, new: Metric) -> MetricChange:
        found = ratio(new, old)
        grown, shrunk, reason = self._beyond_noise(name, old, new)
        return MetricChange(
            metric=name,
            unit=new.unit,
            old=old.value,
            new=new.value,
            ratio=found.value if found else None,
            interval=(found.low, found.high) if found and isfinite(found.high) else None,
            change=Change.NOT_COMPARABLE
            if reason
            else self._change(name, grown=grown, shrunk=shrunk),
            reason=reason,
            decides=direction.decides(name, self.scenario),
        )

    def _beyond_noise(self, name: str, old: Metric, new: Metric) -> tuple[bool, bool, str]:
        """Whether the figure grew, whether it shrank, and why that cannot be told."""
        if old.value is None or new.value is None:
            return False, False, "no-value"
        if direction.grows_with_length(name) and not self.same_length:
            return False, False, "unlike-length"
        if found := ratio(new, old):
            limit = 1 + self.threshold
            return found.low > limit, found.high < 1 / limit, ""
        if old.value == new.value:
            return False, False, ""
        before, after = ([v for v in m.per_trial if v is not None] for m in (old, new))
        if min(len(before), len(after)) < 2:
            return False, False, "too-few-trials"
        low, high = mean_difference(after, before)
        return low > 0, high < 0, ""

    def _change(self, name: str, *, grown: bool, shrunk: bool) -> Change:
        if not grown and not shrunk:
            return Change.SAME
        better = direction.better(name, self.scenario)
        if better is None:
            return Change.CHANGED
        return Change.IMPROVED if grown == (better == "higher") else Change.REGRESSED

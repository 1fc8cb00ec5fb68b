"""Comparing two runs: per metric the ratio with its interval, and one verdict for a pipeline.

A metric *changed* when the 95 % interval of new / old lies wholly beyond the noise threshold:
above ``1 + threshold`` or below ``1 / (1 + threshold)``. So a change must be both shown and big
enough to matter. Of times and rates that were measured in blocks beside a contender that did not
change, new / old is that of the ratios to it (``wirelab.compare.beside``). What is not positive has
no ratio: its trials' values are compared by the interval of their difference (Welch), without a
threshold. A capacity changed where the brackets of the two runs do not overlap.

A cell is *worse* (or *better*) when a metric that decides is: what its scenario ranks, and the
ratios of misses and errors; when a caller in a faults scenario now sees silence, a hang or no
recovery that it did not see before (or sees it no longer); and when wrong answers, or what else
is the contender's own, took its validity (or did so before). It is *not comparable* when nothing
of that is shown and its main ranked figure (the first that its scenario ranks by) could not be
compared, or when something around the contender made it invalid. Where that figure of a fault
could not be compared, what callers saw was: there is no difference in that alone.
Intervals of 95 % are left on the worse side by one metric in forty without any change; that
such a metric must leave the threshold behind as well is what keeps many cells quiet.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from wirelab.compare.beside import Baselines
from wirelab.compare.comparison import (
    LIKE_OUTCOME,
    CellComparison,
    Change,
    Comparison,
    MetricChange,
)
from wirelab.compare.judge import Judge
from wirelab.compare.likeness import code_changed, differences, same_length, unlike
from wirelab.compare.shortage import remedy
from wirelab.compare.validity import gates_of, of_invalid
from wirelab.metrics.catalogue import CORE
from wirelab.model.result import Cell, Result
from wirelab.samples.run_folder import read_result

THRESHOLD = 0.05
BAD_OUTCOMES = frozenset({"silent", "hang", "not-recovered"})


def compare_runs(old_dir: Path, new_dir: Path, threshold: float = THRESHOLD) -> Comparison:
    """Compare the results of two run folders (or two ``result.json``).

    ``threshold`` is the share up to which a change is noise. Raises
    ``wirelab.samples.run_folder.NoSuchRunError`` for a folder that has not been analysed.
    """
    return compare(read_result(old_dir), read_result(new_dir), threshold)


def compare(old: Result, new: Result, threshold: float = THRESHOLD) -> Comparison:
    """Compare two results."""
    before = {cell.id: cell for cell in old.cells}
    after = {cell.id: cell for cell in new.cells}
    both = [(before[key], cell) for key, cell in after.items() if key in before]
    baselines = Baselines(old, new)
    return Comparison(
        old_run=old.run,
        new_run=new.run,
        threshold=threshold,
        cells=[_compare_cells(*pair, old, new, threshold, baselines=baselines) for pair in both],
        only_old=[key for key in before if key not in after],
        only_new=[key for key in after if key not in before],
        differences=differences(old, new),
    )


def _compare_cells(
    was: Cell, now: Cell, old: Result, new: Result, threshold: float, *, baselines: Baselines
) -> CellComparison:
    metrics: list[MetricChange] = []
    gates: list[str] = []
    if reason := unlike(was, now, old, new):
        change = Change.NOT_COMPARABLE
    elif invalid := of_invalid(was, now):
        change, reason, gates = invalid
    else:
        catalogue = CORE.with_own(new.metrics or {})
        length = same_length(now, old, new)
        beside = list(baselines.beside(now))
        judge = Judge(new.scenarios[now.scenario], length, threshold, catalogue, beside)
        metrics = judge.changes(was, now)
        change, reason = _of_callers(was, now) or judge.of_cell(metrics)
        if change is Change.NOT_COMPARABLE and was.caller and now.caller:
            change, reason = Change.SAME, LIKE_OUTCOME  # what callers saw was compared
        if change is Change.NOT_COMPARABLE:
            gates = gates_of((m.metric for m in metrics if m.reason == reason), was, now)
    return CellComparison(
        id=now.id,
        scenario=now.scenario,
        variant=now.variant,
        contender=now.contender,
        old_verdict=was.verdict,
        new_verdict=now.verdict,
        change=change,
        reason=reason,
        gates=gates,
        code_changed=code_changed(now.contender, old, new),
        old_outcomes=_outcomes(was),
        new_outcomes=_outcomes(now),
        metrics=metrics,
        remedy=remedy([m for m in metrics if m.decides], new.scenarios[now.scenario]),
    )


def _of_callers(was: Cell, now: Cell) -> tuple[Change, str] | None:
    """The outcome where callers see a bad end that they did not see, or see one no longer."""
    if not was.caller or not now.caller:
        return None
    before, after = (_outcomes(cell).keys() & BAD_OUTCOMES for cell in (was, now))
    if after - before:
        return Change.WORSE, "worse-outcome"
    return (Change.BETTER, "better-outcome") if before - after else None


def _outcomes(cell: Cell) -> dict[str, int]:
    return dict(Counter(view.outcome for view in cell.caller))

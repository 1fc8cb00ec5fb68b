"""Contenders that did not change, beside which the figures of another are compared.

Two runs did not share an hour. What an hour does to everybody is in the quotient of two figures,
and falls away from the ratios to a contender that met the same blocks: of these the ratio is
taken. A contender whose code, library or runtime differs between the runs is no such baseline,
for its own change would be told of everybody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wirelab.compare.likeness import code_changed, unlike
from wirelab.model.planned import cell_id
from wirelab.model.result import Cell, Metric, Result
from wirelab.stats.ratio import Ratio, changed, within_blocks


@dataclass(frozen=True)
class Unchanged:
    """A contender that is the same in both runs, by its cells there."""

    name: str
    was: Cell
    now: Cell

    def change(self, old: Metric, new: Metric, metric: str) -> Ratio | None:
        """Factor by which a figure grew beside the baseline's; None where that has none in the
        blocks of either run, or where both figures are of the same blocks."""
        bases = self.was.usable(metric), self.now.usable(metric)
        if bases[0] is None or bases[1] is None or _hours(old) == _hours(new):
            return None
        before, after = within_blocks(old, bases[0]), within_blocks(new, bases[1])
        return changed(after, before) if before is not None and after is not None else None


def _hours(metric: Metric) -> str:
    return metric.by_block.of if metric.by_block is not None else ""


class Baselines:
    """All contenders that are the same in two runs, the first to be asked first.

    First comes the one that both runs were planned with, then those that are never ranked.
    """

    def __init__(self, old: Result, new: Result) -> None:
        self._old, self._new = old, new
        self._earlier = {cell.id: cell for cell in old.cells}
        self._later = {cell.id: cell for cell in new.cells}
        self._names = _names(old, new)

    def beside(self, cell: Cell) -> Iterator[Unchanged]:
        """The baselines that were measured in the place of a cell in both runs."""
        for name in self._names:
            part = cell.variant or cell.step
            place = cell_id(cell.suite, cell.scenario, part, name, cell.generator)
            was, now = self._earlier.get(place), self._later.get(place)
            if name == cell.contender or was is None or now is None:
                continue
            if not unlike(was, now, self._old, self._new):
                yield Unchanged(name, was, now)


def _names(old: Result, new: Result) -> list[str]:
    same = [name for name in new.participants if name in old.participants]
    same = [name for name in same if not _has_changed(name, old, new)]
    planned = {run.until.baselines[0] if run.until is not None else "" for run in (old, new)}

    def first(name: str) -> tuple[bool, bool]:
        return planned != {name}, not new.participants[name].manifest.reference

    return sorted(same, key=first)


def _has_changed(name: str, old: Result, new: Result) -> bool:
    libraries = [run.participants[name].manifest.library for run in (old, new)]
    runtimes = [run.runtimes.get(name) for run in (old, new)]
    return (
        code_changed(name, old, new)
        or libraries[0] != libraries[1]
        or runtimes[0] != runtimes[1]
        or bool(new.participants[name].unavailable or old.participants[name].unavailable)
    )

"""The blocks of the plan in which the figures of a cell were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wirelab.cells.estimate import Estimate
from wirelab.cells.recorded import RecordedTrial
from wirelab.model.result import ByBlock, Metric
from wirelab.model.run import Run

Groups = Mapping[int, Sequence[Sequence[int]]]
"""The trials (by their place) of each group of neighbours, by how many blocks are made one."""

NO_GROUPS: Groups = {}
"""The groups of a trial by itself."""

FEWEST_GROUPS = 3
"""Fewer than so many say next to nothing of a ratio."""

_NONE: Mapping[str, Estimate] = {}


@dataclass(frozen=True)
class IncludedBlocks:
    """The blocks of a cell's included trials, in their order."""

    of: str
    """The run and the scenario: blocks of another are other hours."""

    numbers: tuple[int, ...]
    first: int
    """First block of the plan, whether or not its trial counts: neighbours are counted from there.
    """

    @staticmethod
    def of_cell(recorded: Sequence[RecordedTrial], run: Run) -> IncludedBlocks:
        """The blocks of a cell of a run."""
        planned = [trial.planned.block for trial in recorded if trial.planned.included]
        included = tuple(trial.planned.block for trial in recorded if trial.counts)
        scenario = recorded[0].planned.scenario
        return IncludedBlocks(f"{run.id}/{scenario}", included, min(planned, default=0))

    def neighbours(self) -> Groups:
        """Groups of 2, 4, 8 … neighbouring blocks, of each of which there is a trial."""
        at = {block: place for place, block in enumerate(self.numbers)}
        found: dict[int, list[list[int]]] = {}
        number = 2
        while (groups := self._complete(at, number)) and len(groups) >= FEWEST_GROUPS:
            found[number] = groups
            number *= 2
        return found

    def _complete(self, at: Mapping[int, int], number: int) -> list[list[int]]:
        begins = range(self.first, max(at, default=self.first) + 1, number)
        groups = [[*range(begin, begin + number)] for begin in begins]
        return [[at[block] for block in group] for group in groups if at.keys() >= {*group}]

    def placed(
        self, metrics: Mapping[str, Metric], estimates: Mapping[str, Estimate] = _NONE
    ) -> dict[str, Metric]:
        """The metrics with their values by block, those of neighbours from their estimates."""
        return {
            name: self._with_blocks(metric, estimates.get(name)) for name, metric in metrics.items()
        }

    def _with_blocks(self, metric: Metric, estimate: Estimate | None) -> Metric:
        if metric.value is None or len(metric.per_trial) != len(self.numbers):
            return metric
        if metric.at_least:  # whose trials have lower bounds as well
            return metric
        pairs = zip(self.numbers, metric.per_trial, strict=True)
        alone = {block: value for block, value in pairs if value is not None}
        merged = estimate.merged if estimate is not None else None
        values = {1: alone} if merged is None or None not in metric.per_trial else {}
        for number, own in (merged or {}).items():
            groups = zip(self.neighbours()[number], own, strict=True)
            known = {self.numbers[group[0]]: value for group, value in groups if value is not None}
            # A group that does not support the figure says so of the number, not of the group.
            if len(known) == len(own):
                values[number] = known
        if not any(values.values()):
            return metric
        return metric.model_copy(update={"by_block": ByBlock(of=self.of, values=values)})

"""Adding blocks to a run until its ratios are known as closely as was asked for (``--until``).

Everything is decided from the plan and the records, so that a run that was interrupted goes on as
it would have gone on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.until import StoppedBy, TableWidth, Until
from wirelab.plan.order import included_blocks
from wirelab.stats.stopping import LOOKS, next_look

Widths = Callable[[], Sequence[TableWidth]]
"""A function that tells how closely the ratios are known by what has been measured."""

_NS = 1e9


class GrowingRun(Protocol):
    """The run that blocks are added to."""

    @property
    def run(self) -> Run:
        """As it is planned by now."""

    def took_ns(self, trials: Iterable[PlannedTrial]) -> int:
        """Time that these trials of it have taken."""

    def make_up(self) -> None:
        """Carry blocks out that make up for trials lost to the host, where there are any."""

    def carry_out_block(self, scenario: str) -> None:
        """Put one more block of a scenario into the plan, and carry it out."""


class LookWatcher(Protocol):
    """Someone who is told what a look has found."""

    def __call__(self, until: Until, own: Sequence[TableWidth], block_seconds: float) -> None:
        """Report on one scenario: how closely ``own`` tables are known, and the cost of a block."""


def add_blocks(growing: GrowingRun, until: Until, widths: Widths, looked: LookWatcher) -> StoppedBy:
    """Add blocks until the rule says stop, to the scenario with the fewest blocks first."""
    unfinished = list(until.figures)
    stopped: list[StoppedBy] = []
    while unfinished:
        blocks = included_blocks(growing.run.plan)
        name = min(unfinished, key=lambda one: blocks.get(one, 0))
        seconds = _block_ns(growing, name) / _NS
        if blocks.get(name, 0) in LOOKS:
            growing.make_up()
            own = [width for width in widths() if width.scenario == name]
            looked(until, own, seconds)
            if (found := _stopped(own, until, blocks[name])) is not None:
                stopped.append(found)
                unfinished.remove(name)
                continue
        if growing.took_ns(growing.run.plan) + seconds * _NS > until.at_most_ns:
            return StoppedBy.TIME
        growing.carry_out_block(name)
    order = (StoppedBy.BLOCKS, StoppedBy.NARROW, StoppedBy.NO_RATIO)
    return next(one for one in order if one in stopped)


def _stopped(own: Sequence[TableWidth], until: Until, blocks: int) -> StoppedBy | None:
    """The end of a scenario at a look, if it ends; tables without any ratio wait for nothing."""
    known = [table for table in own if table.reach is not None]
    if not known:
        return StoppedBy.NO_RATIO
    if all(table.is_narrow(until) for table in known):
        return StoppedBy.NARROW
    return StoppedBy.BLOCKS if next_look(blocks) is None else None


def _block_ns(growing: GrowingRun, scenario: str) -> float:
    """Average time that a block of a scenario has taken so far."""
    own = [t for t in growing.run.plan if t.scenario == scenario and not t.make_up]
    return growing.took_ns(own) / max(1, len({trial.block for trial in own}))


def with_block(run: Run, block: Sequence[PlannedTrial]) -> Run:
    """The run with one more block in its plan, and in what its profile says of the scenario."""
    name = block[0].scenario
    scenario = run.scenarios[name]
    measure = scenario.profiles[run.profile]
    plan = [*run.plan, *block]
    trials = {"trials": measure.discard + included_blocks(plan)[name]}
    profiles = {**scenario.profiles, run.profile: measure.model_copy(update=trials)}
    changed = scenario.model_copy(update={"profiles": profiles})
    return run.model_copy(update={"plan": plan, "scenarios": {**run.scenarios, name: changed}})

"""Figures that runs have too little of to be compared, and the options that would give enough."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from wirelab.cells.figures import TOO_FEW, TOO_FEW_TRIALS
from wirelab.compare.comparison import MetricChange, SampleCount, Shortage
from wirelab.model.result import Cell, Unsupported
from wirelab.model.scenario import Scenario

_FEWEST = 2
"""The fewest trials that have an interval."""


def of_value(metric: str, was: Cell, now: Cell) -> Shortage | None:
    """The samples or trials that a run lacks for a value; None where another cause took it."""
    cells = (was, now)
    without = [cell for cell in cells if cell.metrics[metric].value is None]
    lacking = [lack for cell in without if (lack := _lack(cell, metric)) is not None]
    if not lacking or len(lacking) < len(without) or len({lack.code for lack in lacking}) > 1:
        return None
    code, needs = lacking[0].code, max(lack.needs or 0 for lack in lacking)
    old, new = (_held(cell, metric, code, needs) for cell in cells)
    return Shortage(code=code, needs=needs, old=old, new=new)


def of_trials(metric: str, was: Cell, now: Cell) -> Shortage:
    """The trials that a run lacks for an interval."""

    def held(cell: Cell) -> SampleCount:
        has = sum(value is not None for value in cell.metrics[metric].per_trial)
        return _short(cell, has, _FEWEST) if has < _FEWEST else SampleCount(has=has)

    return Shortage(code=TOO_FEW_TRIALS, needs=_FEWEST, old=held(was), new=held(now))


def remedy(metrics: Sequence[MetricChange], scenario: Scenario) -> str:
    """The option of ``wl run`` with which those would have enough of which that is known.

    ``--trials`` leaves the trials of faults as they are, so that a profile has to have them.
    """
    lacks = [m.shortage for m in metrics if m.shortage is not None and m.shortage.trials]
    if not lacks:
        return ""
    most = max(lacks, key=lambda lack: (lack.trials or 0, lack.code == TOO_FEW_TRIALS))
    number = most.trials or 0
    sides = [any(lack.old.short for lack in lacks), any(lack.new.short for lack in lacks)]
    where = "both runs" if all(sides) else f"the {'old' if sides[0] else 'new'} run"
    if not scenario.observes_faults:
        about = "about " if most.code == TOO_FEW else ""
        return f"{about}--trials {number} in {where}"
    counted = {name: one.trials - one.discard for name, one in scenario.profiles.items()}
    enough = (name for name, trials in counted.items() if trials >= number)
    return next((f"--profile {name} in {where}" for name in enough), "")


def _lack(cell: Cell, metric: str) -> Unsupported | None:
    why = cell.metrics[metric].unsupported
    if why is None or why.code not in (TOO_FEW, TOO_FEW_TRIALS):
        return None
    return why if why.has is not None and why.needs is not None else None


def _held(cell: Cell, metric: str, code: str, needs: float) -> SampleCount:
    figure = cell.metrics[metric]
    if figure.value is not None:
        return SampleCount(has=figure.effective_n if code == TOO_FEW else len(cell.trials))
    lack = figure.unsupported
    return _short(cell, (lack.has if lack else None) or 0, needs)


def _short(cell: Cell, has: float, needs: float) -> SampleCount:
    """A run with too little; more trials have as much more as those of the cell had."""
    trials = max(_FEWEST, ceil(len(cell.trials) * needs / has)) if has > 0 else None
    return SampleCount(has=has, short=True, trials=trials)

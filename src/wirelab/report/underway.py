"""Comparisons whose trials have not all been run: nothing in them can be judged yet."""

from __future__ import annotations

from collections.abc import Iterable

from wirelab.model.result import Cell

_TO_COME = ("not-run", "interrupted")


def progress(cell: Cell) -> tuple[int, int]:
    """Trials of a cell that were run, and those that are planned."""
    planned = len(cell.trials) + len(cell.other_trials)
    return planned - sum(why in _TO_COME for why in cell.other_trials.values()), planned


def is_underway(cells: Iterable[Cell]) -> bool:
    """Whether trials of a cell are still to come."""
    return any(done < planned for done, planned in map(progress, cells))


def told(cell: Cell) -> str:
    """``1/3``: trials done of those planned."""
    done, planned = progress(cell)
    return f"{done}/{planned}"

"""Figures of contenders that met the same blocks, side by side.

Pairs never cross blocks: what a block did to everybody is no difference between two of them.
Where single trials do not support a figure, neighbouring blocks are made one, as few as will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import numpy.typing as npt

from wirelab.model.result import Metric


def log_ratios(figure: Metric, base: Metric) -> list[float]:
    """Logarithms of ``figure / base`` of each block that both have; none where they met no block
    together, or where a value has no logarithm."""
    merged = blocks_made_one([figure, base])
    if merged is None:
        return []
    own, other = (_logarithms(metric, merged) for metric in (figure, base))
    return [value - other[block] for block, value in own.items() if block in other]


def log_table(metrics: Sequence[Metric]) -> npt.NDArray[np.float64]:
    """Logarithms, a row a block and a column a figure; nan where a figure has none there.

    No row where the figures met no block together.
    """
    merged = blocks_made_one(metrics)
    if merged is None:
        return np.empty((0, len(metrics)))
    columns = [_logarithms(metric, merged) for metric in metrics]
    blocks = sorted({block for column in columns for block in column})
    rows = [[column.get(block, np.nan) for column in columns] for block in blocks]
    return np.array(rows).reshape(len(blocks), len(metrics))


def blocks_made_one(metrics: Sequence[Metric]) -> int | None:
    """Number of neighbouring blocks that make one: the least at which all of the figures have
    values; None where they are not of the same blocks.
    """
    known = [metric.by_block for metric in metrics if metric.by_block is not None]
    if len(known) < len(metrics) or len({one.of for one in known}) != 1:
        return None
    common = set.intersection(*(set(one.values) for one in known))
    return min(common, default=None)


def _logarithms(metric: Metric, merged: int) -> dict[int, float]:
    values = metric.by_block.values[merged] if metric.by_block is not None else {}
    # To leave out the blocks without a logarithm would choose among blocks by their figures.
    if any(value <= 0 for value in values.values()):
        return {}
    return {block: log(value) for block, value in values.items()}

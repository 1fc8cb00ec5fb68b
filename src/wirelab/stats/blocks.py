"""Samples cut into blocks of one second, and the counts of blocks over bins of ranks.

A bootstrap that moves whole blocks needs, for a percentile, only how many samples of each
block lie below each of some values. So 10 million samples become a matrix of a few thousand
blocks by about a thousand bins, and a resample becomes a product with that matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK_NS = 1_000_000_000

_STEPS = 128
_FINEST = (0.0, 0.9, 0.99, 0.999)
"""Ranks from each of these to 1 are cut into ``_STEPS``, so that bins get finer to the tail."""


@dataclass(frozen=True)
class TimedSamples:
    """Samples of one trial in order of time; block *i* is ``values[bounds[i]:bounds[i + 1]]``.

    ``ended`` is false where a value is a duration that was cut off, so that it is known to be at
    least so long; None: none was. ``strata`` has the number of the part of a ramp that each value
    lies in; None: the load is the same all the time. ``weights`` make up for what was left out of
    each part of a ramp; None: all weigh alike.
    """

    values: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int64]
    ended: npt.NDArray[np.bool_] | None = None
    strata: npt.NDArray[np.int64] | None = None
    weights: npt.NDArray[np.float64] | None = None

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.values)

    @staticmethod
    def cut(
        values: npt.NDArray[np.int64],
        at_ns: npt.NDArray[np.int64],
        blocks: int,
        ended: npt.NDArray[np.bool_] | None = None,
        strata: npt.NDArray[np.int64] | None = None,
    ) -> TimedSamples:
        """Cut at whole seconds of ``at_ns``, ascending times from 0 on."""
        edges = np.arange(blocks + 1) * BLOCK_NS
        return TimedSamples(values, np.searchsorted(at_ns, edges), ended, strata)

    @property
    def blocks(self) -> int:
        """Number of blocks, empty ones included."""
        return len(self.bounds) - 1


@dataclass(frozen=True)
class BinnedBlocks:
    """``counts[i, j]`` samples of block *i* lie in bin *j*, from ``lows[j]`` to ``highs[j]``.

    ``lows`` and ``highs`` are samples; no bin is empty, and the counts are exact. ``cut`` of them
    are durations that were cut off; None: none was.
    """

    counts: npt.NDArray[np.float32]
    lows: npt.NDArray[np.float64]
    highs: npt.NDArray[np.float64]
    cut: npt.NDArray[np.float32] | None = None


def bin_blocks(ordered: npt.NDArray[Any], trials: Sequence[TimedSamples]) -> BinnedBlocks:
    """Count the blocks of all trials over bins of the ranks of ``ordered``, all their samples."""
    highs = np.unique(ordered[_bin_ranks(len(ordered)) - 1])
    first_above = np.searchsorted(ordered, highs, side="right")
    lows = ordered[np.concatenate(([0], first_above[:-1]))]
    counts = np.empty((sum(trial.blocks for trial in trials), len(highs)), dtype=np.float32)
    row = 0
    for trial in trials:
        for begin, end in pairwise(trial.bounds):
            below = np.searchsorted(np.sort(trial.values[begin:end]), highs, side="right")
            counts[row] = np.diff(below, prepend=0)
            row += 1
    return BinnedBlocks(
        counts, lows.astype(np.float64), highs.astype(np.float64), _cut_in_bins(highs, trials)
    )


def _cut_in_bins(
    highs: npt.NDArray[Any], trials: Sequence[TimedSamples]
) -> npt.NDArray[np.float32] | None:
    """Number of each block that were cut off in each bin; None where none was."""
    if all(trial.ended is None for trial in trials):
        return None
    rows = []
    for trial in trials:
        ended = np.ones(len(trial.values), dtype=bool) if trial.ended is None else trial.ended
        for begin, end in pairwise(trial.bounds):
            own = trial.values[begin:end][~ended[begin:end]]
            rows.append(np.bincount(np.searchsorted(highs, own), minlength=len(highs)))
    return np.array(rows, dtype=np.float32)


def _bin_ranks(count: int) -> npt.NDArray[np.int64]:
    parts = np.arange(1, _STEPS + 1) / _STEPS
    shares = np.concatenate([begin + (1 - begin) * parts for begin in _FINEST])
    return np.unique(np.ceil(shares * count).astype(np.int64).clip(1, count))

"""Contenders of one table that differ: max-T over all pairs, by permutation within blocks.

Intervals of 95 %, pair by pair, rank somebody falsely in half of the tables of nine equal
contenders. Here at most one table in twenty does (Westfall & Young 1993): if a pair did not
differ, its two names could be swapped in any block, which turns the sign of their difference; the
arrangements of signs show how large the largest difference of any pair gets by chance. Each pair's
difference is in units of its own error. Step-down: a pair that was told apart takes no part in
judging the rest.

The names of all pairs are swapped in the same blocks. To permute the names of all contenders
among each other would judge a pair by the others' figures: beside one contender that is far away,
or that scatters ten times as much, it tells equal ones apart in one table of five (simulated).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

BLOCKS = 6
"""Fewest blocks: they have 2**5 arrangements, so that the clearest one has a chance of 3 %."""

LEVEL = 0.05
_ALL = 12
"""Up to so many blocks all arrangements are looked at, beyond it as many drawn ones."""

_NOTHING = 1e-12
"""Share of what a pair differs below which its own variance is rounding."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Pairs of contenders *i* and *j*, both ways round: whether they are ``apart``, and whether
    they were ``judged`` at all, having blocks enough in common.
    """

    apart: Flags
    judged: Flags


def differing(values: Floats, level: float = LEVEL) -> Pairs:
    """Find the pairs of contenders that differ.

    ``values`` has a row a block and a column a contender, nan where it has no figure there. A pair
    with fewer than ``BLOCKS`` blocks in common is not judged.
    """
    contenders = values.shape[1]
    apart = np.zeros((contenders, contenders), dtype=bool)
    judged = apart.copy()
    left, right = np.triu_indices(contenders, 1)
    differences = values[:, left] - values[:, right]
    enough = np.isfinite(differences).sum(axis=0) >= BLOCKS
    if enough.any():
        statistics = _statistics(_signs(len(values)), differences[:, enough])
        apart[left[enough], right[enough]] = _step_down(statistics, level)
        judged[left[enough], right[enough]] = True
    return Pairs(apart | apart.T, judged | judged.T)


def _signs(blocks: int) -> Floats:
    """Arrangements, a row each, the observed one first: the first block keeps its sign, as to
    turn all of them changes nothing."""
    if blocks <= _ALL:
        codes = np.arange(2 ** (blocks - 1))[:, np.newaxis]
        turned = codes >> np.arange(blocks - 1) & 1
    else:
        turned = np.random.default_rng(blocks).integers(0, 2, (2 ** (_ALL - 1), blocks - 1))
        turned[0] = 0
    return np.hstack([np.ones((len(turned), 1)), 1.0 - 2.0 * turned])


def _statistics(signs: Floats, differences: Floats) -> Floats:
    """|t| of each pair (column) in each arrangement (row)."""
    # A block without one of the two turns nothing.
    blocks = np.isfinite(differences).sum(axis=0)
    differences = np.nan_to_num(differences, nan=0.0)
    squares = (differences**2).sum(axis=0)
    mean = np.abs(signs @ differences) / blocks
    spread = squares - blocks * mean**2
    with np.errstate(divide="ignore", invalid="ignore"):
        found = mean / np.sqrt(spread / (blocks * (blocks - 1)))
    # Different by the same in all blocks is as clear as can be; equal in all is no difference.
    exact = spread <= _NOTHING * squares
    return np.where(exact, np.where(squares > 0, np.inf, 0.0), found)


def _step_down(statistics: Floats, level: float) -> Flags:
    """Judge the clearest pair by the largest of all, the next one by the largest of the rest."""
    seen = statistics[0]
    told = np.zeros(len(seen), dtype=bool)
    order = np.argsort(-seen, kind="stable")
    # Largest of each pair and all that are less clear, by arrangement.
    rest = np.maximum.accumulate(statistics[:, order[::-1]], axis=1)[:, ::-1]
    for number, pair in enumerate(order):
        chance = float(np.mean(rest[:, number] >= seen[pair] * (1 - _NOTHING)))
        if chance > level or seen[pair] == 0:
            break
        told[pair] = True
    return told

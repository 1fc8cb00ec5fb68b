"""Whether windows in which a host disturbs a trial come without regard to who is measured.

Operations may be cut off at such windows only if the windows do not ask what the contender does:

- They begin no oftener while an operation older than p95 is outstanding. Each window ends a
  stretch of quiet time; it is compared with all stretches that lasted at least as long, at the
  same time since they began. If windows are blind, each of these was as likely to end there: the
  permutation of which of them did has the number of windows that meet an old operation as a sum
  of independent chances. (A share of the whole time would not do: nothing is old where a stretch
  begins.)
- On a ramp more is old, and windows last longer, where the load is high: there an operation is old
  beyond p95 of its part of the ramp, and a stretch is compared with those of its part.
- Contenders of a block lose equal shares of their time (``wirelab.stats.maxt``).

Steal is counted where a processor wants to run, so that a contender can bring it about: where
there is too little to judge by, nothing may be cut off at it. Windows of other programs are asked
the first question only, and a contender is accused where the answer is beyond doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import scipy

from wirelab.model.span import Span
from wirelab.stats import maxt
from wirelab.stats.disturbed import DisturbedTime, QuietOperations

WINDOWS = 20
"""Fewest windows to judge by."""

LEVEL = 0.05

CERTAIN = 0.001
"""Level of an accusation by a contender's own windows alone."""

EXCESS = 0.1
"""Share of windows beyond what is met by chance, of which somebody is accused.

Up to a twentieth may come honestly: others run for up to 5 ms of 100 before a window of theirs
begins, and slow down what is under way.
"""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Fairness(StrEnum):
    """Distribution of windows over contenders."""

    FAIR = "fair"
    TAKES_MORE = "takes-more"
    """More is taken when this contender works."""

    ELSEWHERE = "takes-more-elsewhere"
    """More is taken when another contender of the table works."""

    TOO_LITTLE = "too-little"


@dataclass(frozen=True)
class QuietStretches:
    """The quiet stretches of one contender, of one trial or several.

    ``lengths`` are ns; ``ended`` is false where a trial ended and no window began. Rows of ``old``
    are times in which an operation older than p95 was outstanding: the number of the stretch,
    begin and end since the stretch began. ``strata`` has the number of the part of a ramp that each
    stretch began in; None: all began under the same load.
    """

    lengths: Ints
    ended: Flags
    old: Ints
    strata: Ints | None = None

    @staticmethod
    def of(
        span: Span,
        disturbed: DisturbedTime,
        intended: Ints,
        operations: QuietOperations,
        p95: int | Ints,
        *,
        windows: Ints | None = None,
        strata: Callable[[Ints], Ints] | None = None,
    ) -> QuietStretches:
        """The quiet stretches of a trial, which lasted from begin to end of its ``span``.

        ``windows`` are begins of those that are in question; a stretch that any other window ended
        was not ended by them. None: all are. ``p95`` is that of all operations, or of each one
        that was chosen; ``strata`` numbers the parts of a ramp in which instants lie.
        """
        begins = np.append(np.int64(span[0]), disturbed.ends)
        ends = np.append(disturbed.begins, np.int64(span[1]))
        known = ends > begins
        asked = np.ones(len(disturbed.begins), dtype=bool)
        if windows is not None:
            asked = np.isin(disturbed.begins, windows)
        ended = np.append(asked, False)[known]
        begins, ends = begins[known], ends[known]
        since, took = intended[operations.chosen], operations.durations
        after = np.broadcast_to(np.asarray(p95, dtype=np.int64), took.shape)
        since, after, took = (each[took > after] for each in (since, after, took))
        number = np.searchsorted(begins, since, side="right") - 1
        inside = number >= 0
        number, after, took = number[inside], after[inside], took[inside]
        since = since[inside] - begins[number]
        return QuietStretches(
            ends - begins,
            ended,
            np.column_stack([number, since + after, since + took]),
            None if strata is None else strata(begins),
        )

    @staticmethod
    def pooled(trials: Sequence[QuietStretches]) -> QuietStretches:
        """The quiet stretches of several trials."""
        first = np.cumsum([0, *(len(trial.lengths) for trial in trials)])
        old = [
            trial.old + np.array([number, 0, 0])
            for trial, number in zip(trials, first, strict=False)
        ]
        lengths = np.concatenate([trial.lengths for trial in trials])
        ended = np.concatenate([trial.ended for trial in trials])
        strata = None
        if all(trial.strata is not None for trial in trials):
            strata = np.concatenate([t.strata for t in trials if t.strata is not None])
        return QuietStretches(lengths, ended, np.concatenate(old), strata)

    def lasting(self, length: int, stretch: int) -> Ints:
        """Numbers of the stretches that lasted so long, under the load of one of them."""
        found = self.lengths >= length
        if self.strata is not None:
            found &= self.strata == self.strata[stretch]
        return np.flatnonzero(found)

    @property
    def windows(self) -> int:
        """Number of windows that ended a stretch."""
        return int(np.count_nonzero(self.ended))


def blindness(stretches: QuietStretches) -> float:
    """Chance that blind windows meet old operations as often, or as seldom, as these did.

    Two-sided; 1 where there is nothing to compare.
    """
    met, chances = _met(stretches)
    return min(1.0, 2 * min(_more(met, chances), _less(met, chances)))


def is_attracting(stretches: QuietStretches) -> bool:
    """Whether windows begin oftener while something old is outstanding, clearly and by much."""
    met, chances = _met(stretches)
    if len(chances) < WINDOWS or met - sum(chances) < EXCESS * len(chances):
        return False
    return _more(met, chances) <= CERTAIN


def _more(met: int, chances: Sequence[float]) -> float:
    """Chance of meeting so often, or oftener."""
    return float(scipy.stats.poisson_binom.sf(met - 1, chances)) if chances else 1.0


def _less(met: int, chances: Sequence[float]) -> float:
    return float(scipy.stats.poisson_binom.cdf(met, chances)) if chances else 1.0


def _met(stretches: QuietStretches) -> tuple[int, list[float]]:
    """Count the windows that met something old, with the chance of each that a blind one would."""
    lookup = _OldTimes(stretches)
    met, chances = 0, []
    for at in np.flatnonzero(stretches.ended):
        length = stretches.lengths[at]
        company = lookup.hold(stretches.lasting(int(length), int(at)), length)
        met += int(lookup.hold(np.array([at]), length)[0])
        chances.append(float(np.mean(company)))
    return met, chances


class _OldTimes:
    """Old times of all stretches, laid one behind the other."""

    def __init__(self, stretches: QuietStretches) -> None:
        self._apart = int(stretches.lengths.max(initial=0)) + 1
        offset = stretches.old[:, 0] * self._apart
        order = np.argsort(offset + stretches.old[:, 1], kind="stable")
        self._begins = (offset + stretches.old[:, 1])[order]
        ends = np.maximum.accumulate((offset + stretches.old[:, 2])[order])
        self._ends = np.append(ends, np.int64(-1))

    def hold(self, numbers: Ints, at: int) -> Flags:
        """Whether something old was outstanding in these stretches so long after their begin."""
        times = numbers * self._apart + at
        # The last place is that of nothing.
        held: Flags = self._ends[np.searchsorted(self._begins, times, side="right") - 1] >= times
        return held


def fairness(contenders: Sequence[QuietStretches], lost: Floats) -> list[Fairness]:
    """Whether what is taken from the contenders of a table may be cut off: of each the same, but
    for whom more is taken from.

    ``lost`` has the share of its time that each contender (column) lost in each block (row), nan
    where it has none.
    """
    # Bonferroni: somebody of many looks attracted by chance.
    attracting = [
        one.windows >= WINDOWS and blindness(one) <= LEVEL / len(contenders) for one in contenders
    ]
    more = np.array(attracting) | _losing_more(lost)
    if more.any():
        return [Fairness.TAKES_MORE if one else Fairness.ELSEWHERE for one in more]
    few = min(one.windows for one in contenders) < WINDOWS or len(lost) < maxt.BLOCKS
    return [Fairness.TOO_LITTLE if few else Fairness.FAIR] * len(contenders)


def _losing_more(lost: Floats) -> Flags:
    """Mark those who lose more than somebody else, told apart from him."""
    apart = maxt.differing(lost).apart
    known = np.where(np.isfinite(lost), lost, 0.0).sum(axis=0)
    means = known / np.maximum(np.isfinite(lost).sum(axis=0), 1)
    more: Flags = (apart & (means[:, None] > means[None, :])).any(axis=1)
    return more

"""Trials whose truth is known because they are drawn: lognormal, of two kinds, or heavy-tailed.

Beside the neighbour work goes on three times as slowly while it is busy, and what it disturbed is
left out by the same code as in any run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from wirelab.bench.truth.runs import DUTY, NEIGHBOUR
from wirelab.monitor.look import PERIOD_NS
from wirelab.stats.blocks import BLOCK_NS, TimedSamples
from wirelab.stats.disturbed import disturbed_time, quiet_operations

MS = 1_000_000
DISTRIBUTIONS = ("lognormal", "bimodal", "heavy")
_MEDIAN_MS = 10.0
_SPREAD = 0.4
_LONG, _LONG_SHARE = 6.0, 0.05
_TAIL = 1.5
_SLOWER = 3.0
_BURST_S = 0.5
_PROCESSES = 2
_LIMIT_NS = 10_000 * MS

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SimulatedTrials:
    """Trials that are drawn: operations at a rate, that resemble the ones before them."""

    distribution: str
    seconds: int
    rate: int
    host: str
    correlation: float = 0.0
    trial_spread: float = 0.0
    """Standard deviation of the logarithm of what trials differ by."""

    def durations(self, random: np.random.Generator, count: int) -> Floats:
        """In ns, on a quiet host, of one trial."""
        factor = float(np.exp(random.normal(0, self.trial_spread)))
        normal = random.normal(0, np.sqrt(1 - self.correlation**2), count)
        if self.correlation:
            normal[0] = random.normal()
            normal = scipy.signal.lfilter([1], [1, -self.correlation], normal)
        return _MEDIAN_MS * MS * factor * _factors(normal, self.distribution)

    def trial(self, random: np.random.Generator, factor: float = 1.0) -> TimedSamples:
        """One trial in seconds of quiet time; every duration times ``factor``."""
        count = self.seconds * self.rate
        intended = np.arange(count) * (1000 * MS // self.rate)
        work = self.durations(random, count) * factor
        if self.host != NEIGHBOUR:
            return TimedSamples.cut(work.astype(np.int64), intended, self.seconds)
        windows, busy = _bursts(random, self.seconds + 5)
        ended = _slowed(intended, work, busy)
        disturbed = disturbed_time(windows, intended, ended, period=PERIOD_NS, limit=_LIMIT_NS)
        found = quiet_operations(disturbed, intended, ended)
        since = disturbed.quiet_since(0, intended[found.chosen])
        quiet_ns = disturbed.quiet_ns(0, self.seconds * 1000 * MS)
        blocks = max(1, -(-quiet_ns // BLOCK_NS))
        return TimedSamples.cut(found.durations, since, blocks, found.ended)

    def true_percentiles(self, levels: Sequence[float]) -> list[float]:
        """In ms, of what any operation of any trial takes on a quiet host."""
        random = np.random.default_rng(0)
        trials = np.exp(random.normal(0, self.trial_spread, _DRAWN))
        drawn = trials * _factors(random.normal(size=_DRAWN), self.distribution)
        return [_MEDIAN_MS * float(one) for one in np.quantile(drawn, np.array(levels) / 100)]


_DRAWN = 1_000_000


def _factors(normal: Floats, distribution: str) -> Floats:
    """Durations by their median or least, from standard normal numbers."""
    if distribution == "lognormal":
        return np.exp(_SPREAD * normal)
    upper = scipy.stats.norm.sf(normal)
    if distribution == "bimodal":
        return np.where(upper < _LONG_SHARE, _LONG, 1.0) * (1 + 0.05 * upper)
    found: Floats = np.maximum(upper, 1e-9) ** (-1 / _TAIL)
    return found


def _bursts(random: np.random.Generator, seconds: float) -> tuple[Ints, Ints]:
    """Disturbed windows of the monitor, and the times in which a process is busy."""
    spans = []
    for _ in range(_PROCESSES):
        gaps = random.exponential(_BURST_S * (1 - DUTY) / DUTY, int(4 * seconds) + 10)
        lengths = random.exponential(_BURST_S, len(gaps))
        begins = np.cumsum(gaps + lengths) - lengths
        spans.append(np.column_stack([begins, begins + lengths]))
    busy = (np.concatenate(spans) * 1000 * MS).astype(np.int64)
    busy = busy[busy[:, 0] < seconds * 1000 * MS]
    busy = _joined(busy[np.argsort(busy[:, 0])])
    # The monitor looks at no moment that the schedule knows.
    first = -int(random.integers(PERIOD_NS))
    looks = np.arange(first, int(seconds * 1000) * MS, PERIOD_NS)
    passed = np.interp(looks, busy.ravel(), _busy_by(busy))
    disturbed = np.diff(passed) > 0.05 * PERIOD_NS
    return np.column_stack([looks[:-1], looks[1:]])[disturbed], busy


def _joined(spans: Ints) -> Ints:
    found: list[list[int]] = []
    for begin, end in spans.tolist():
        if found and begin <= found[-1][1]:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([begin, end])
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _busy_by(busy: Ints) -> Floats:
    """Busy time up to each begin and end."""
    lengths = np.zeros(busy.size)
    lengths[1::2] = busy[:, 1] - busy[:, 0]
    return np.cumsum(lengths)


def _slowed(intended: Ints, work: Floats, busy: Ints) -> Ints:
    """Ends of operations that begin at once, and go on more slowly while others are busy."""
    if not len(busy):
        return (intended + work).astype(np.int64)
    times = np.concatenate([[0.0], busy.ravel(), [float(busy.max()) + 1e15]])
    rates = np.ones(len(times) - 1)
    rates[1::2] = 1 / _SLOWER
    done = np.concatenate([[0.0], np.cumsum(np.diff(times) * rates)])
    ended = np.interp(np.interp(intended, times, done) + work, done, times)
    found: Ints = ended.astype(np.int64)
    return found

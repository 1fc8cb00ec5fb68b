"""Effective sample size: how many independent samples a series is worth.

Latencies come in runs (a garbage collection, a busy neighbour), so n samples of a series tell
less than n independent ones. With tau, the integrated autocorrelation time summed by Geyer's
initial monotone sequence (Geyer 1992, "Practical Markov chain Monte Carlo", section 3.3), a
series is worth n / tau. For a percentile q the series is the indicator ``x <= q``: it is its
clusters, not those of x, that make an estimated percentile uncertain.

A long series is first averaged in equal batches, which does not change the variance of its
mean: n_effective = var(x) / var(mean), with var(mean) from the batches and *their* tau. So one
transform of bounded size sees memory of any length.

Where a load changes by design, as on a ramp, a series follows it, and that is no memory. Then the
series is stratified by the load: var(mean) is that of the residuals from the means of the strata
(Cochran 1977, "Sampling Techniques", chapter 5).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

_BATCHES = 16_384
"""At most so many batches: their number alone leaves an error of about 1 % in the variance."""

Floats = npt.NDArray[np.float64]


def effective_size(series: npt.NDArray[Any], strata: npt.NDArray[np.int64] | None = None) -> float:
    """Number of independent samples that ``series`` (in order of time) is worth; at most n.

    ``strata`` has the number of each one's stratum, where they are unlike by design. A series that
    never changes (within its strata) counts in full: it shows no cluster.
    """
    count = len(series)
    if count < 4:
        return float(count)
    size = -(-count // _BATCHES)
    scatter = series if strata is None else _residuals(series, strata)
    batches = scatter[: count // size * size].reshape(-1, size).mean(axis=1, dtype=np.float64)
    variance = _variance(series)
    of_mean = float(batches.var()) * autocorrelation_time(batches) / len(batches)
    return min(float(count), variance / of_mean) if variance > 0 and of_mean > 0 else float(count)


def _residuals(series: npt.NDArray[Any], strata: npt.NDArray[np.int64]) -> Floats:
    sums = np.bincount(strata, weights=series)
    counts = np.bincount(strata)
    means = np.divide(sums, counts, out=np.zeros(len(sums)), where=counts > 0)
    residuals: Floats = series - means[strata]
    return residuals


def _variance(series: npt.NDArray[Any]) -> float:
    if series.dtype == np.bool_:
        share = np.count_nonzero(series) / len(series)
        return share * (1 - share)
    return float(series.var(dtype=np.float64))


def autocorrelation_time(series: Floats) -> float:
    """Integrated autocorrelation time in samples, at least 1; 1 for a series without variance."""
    covariance = _autocovariance(series - series.mean())
    if covariance[0] <= 0:
        return 1.0
    return max(1.0, _initial_monotone_sum(covariance / covariance[0]))


def _autocovariance(centred: Floats) -> Floats:
    """The biased estimate, which is positive definite, at all lags, by FFT."""
    padded = scipy.fft.next_fast_len(2 * len(centred), real=True)
    spectrum = scipy.fft.rfft(centred, padded)
    covariance: Floats = scipy.fft.irfft(spectrum.real**2 + spectrum.imag**2, padded)
    return covariance[: len(centred)]


def _initial_monotone_sum(correlation: Floats) -> float:
    pairs = correlation[: len(correlation) // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs <= 0)
    positive = pairs[: negative[0]] if len(negative) else pairs
    return float(2 * np.minimum.accumulate(positive).sum() - 1) if len(positive) else 1.0

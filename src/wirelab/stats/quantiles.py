"""Quantiles of the two distributions that intervals come from.

By the special functions: the module of all distributions takes a second to load.
"""

from __future__ import annotations

import scipy


def student_t(share: float, freedom: float) -> float:
    """The value below which ``share`` of Student's t with so many degrees of freedom lies."""
    return float(scipy.special.stdtrit(freedom, share))


def chi_squared(share: float, freedom: float) -> float:
    """The same of chi-squared."""
    return float(2 * scipy.special.gammaincinv(freedom / 2, share))

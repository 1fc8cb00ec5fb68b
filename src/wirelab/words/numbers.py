"""Figures as a reader gets them: the one place where numbers become text.

The interval decides the digits. Its half-width is kept to one digit, or to two where it begins
with 1 to 3.54 (the rounding rule of the Particle Data Group's Review), and the figure gets no
digit beyond that: 22.4 [21.9–23.1]. Nothing is printed finer than it can be measured.
Without an interval three significant digits are shown; counts in full.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache

SIGNIFICANT = 3
_TWO_DIGITS_BELOW = 3.55
_NO_BREAK = "\u00a0"
"""Between a figure and its unit: they are not to be parted at the end of a line."""

_KEPT = 8192
"""Figures whose text is kept: a report has each several times, in every form and language."""


@dataclass(frozen=True)
class Precision:
    """Fineness of a figure."""

    finest: int
    """Most decimal places."""
    exact: bool = False
    """Whether it is counted: then a whole number is shown in full."""
    significant: int | None = None
    """Most significant digits with decimals; whole numbers may have more."""


@lru_cache(_KEPT)
def places_of(value: float, interval: tuple[float, float] | None, precision: Precision) -> int:
    """Decimal places of ``value``: negative for tens, hundreds …"""
    finest = precision.finest
    if precision.significant and value:
        finest = min(finest, max(0, precision.significant - 1 - _leading(abs(value))))
    if precision.exact and float(value).is_integer() and interval is None:
        return 0
    half = (interval[1] - interval[0]) / 2 if interval else 0.0
    if half > 0 and math.isfinite(half):
        kept = 1 if half / 10 ** _leading(half) >= _TWO_DIGITS_BELOW else 2
        # One digit of the figure itself is always left.
        places = max(kept - 1 - _leading(half), -_leading(abs(value)) if value else 0)
        return min(finest, places)
    # No interval, or one without width: fewer digits, never more.
    if value == 0:
        return 0
    return max(0, min(finest, SIGNIFICANT - 1 - _leading(abs(value))))


def _leading(value: float) -> int:
    """Power of ten of the leading digit."""
    return math.floor(math.log10(value) + 1e-12)


@cache
def _step(places: int) -> Decimal:
    """One unit of the last decimal place."""
    return Decimal(1).scaleb(-places)


@lru_cache(_KEPT)
def number(value: float, places: int) -> str:
    """``value`` with ``places`` decimals, thousands separated, a real minus sign."""
    rounded = Decimal(repr(float(value))).quantize(_step(places), rounding=ROUND_HALF_UP)
    shown = f"{rounded + 0:,.{max(0, places)}f}"
    if not shown.strip("-0.,"):
        shown = shown.lstrip("-")
    return shown.replace("-", "−")


def at_least(shown: str) -> str:
    """A figure of which only a lower bound is known."""
    return f"≥{_NO_BREAK}{shown}"


@lru_cache(_KEPT)
def interval_text(interval: tuple[float, float], places: int) -> str:
    """``[21.9–23.1]``; with a comma where a bound is negative.

    A bound far below the figure keeps one digit of its own: ``[0.5–32]``, not ``[0–32]``.
    """
    low, high = (number(bound, _one_digit(bound, places)) for bound in interval)
    if low == high:
        return ""
    return f"[{low}, {high}]" if "−" in low + high else f"[{low}–{high}]"


def _one_digit(bound: float, places: int) -> int:
    return max(places, -_leading(abs(bound))) if bound and math.isfinite(bound) else places


def brief(value: float, digits: int = 2, *, whole: bool = False) -> str:
    """A figure inside a sentence, to ``digits`` significant digits; a ``whole`` one has no
    decimals."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "∞"
    places = digits - 1 - _leading(abs(value))
    return number(value, min(places, 0) if whole else places)


def percent(share: float, digits: int = 2) -> str:
    """A share of one as percent, inside a sentence."""
    return f"{brief(share * 100, digits=digits)} %"


def plain(value: object) -> str:
    """A value that has no wording of its own."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else brief(value, digits=3)


def published(value: str) -> str:
    """A published figure, in the digits it was published with."""
    sign = "−" if value.startswith("-") else "+" if value.startswith("+") else ""
    whole, dot, fraction = value.lstrip("+-").partition(".")
    return f"{sign}{int(whole):,}{dot}{fraction}" if whole.isdigit() else value


def duration(nanoseconds: float) -> str:
    """A time span in the unit that reads best."""
    if nanoseconds >= 60e9 and nanoseconds % 60e9 == 0:
        return f"{nanoseconds / 60e9:g}{_NO_BREAK}min"
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if nanoseconds >= size:
            return f"{nanoseconds / size:,.6g}{_NO_BREAK}{unit}"
    return f"{nanoseconds:g}{_NO_BREAK}ns"


def about(seconds: float) -> str:
    """A time that somebody has to wait, roughly: 40 s, 12 min, 3 h 05 min."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if (minutes := math.ceil(seconds / 60)) < 60:
        return f"{minutes} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02d} min"


def milliseconds(value: float) -> str:
    """A time of a caller's view: ``0.52 s``, ``38 ms``."""
    if value >= 1000:
        return f"{brief(value / 1000, digits=3)}{_NO_BREAK}s"
    return f"{brief(value, digits=2 if value >= 1 else 1)}{_NO_BREAK}ms"


def is_short(value: float, unit: str) -> bool:
    """Whether it is a time in s that is shown in ms."""
    return unit == "s" and abs(value) < 1


def with_unit(value: float, unit: str) -> str:
    """A figure of any unit inside a sentence; seconds below one as ms."""
    if is_short(value, unit):
        return milliseconds(1000 * value)
    return f"{brief(value, digits=3)}{_NO_BREAK}{unit}"


def size(value: float) -> str:
    """Bytes as MB (10^6) below 1 GB, as GB above."""
    if value >= 1e9:
        return f"{value / 1e9:,.1f}{_NO_BREAK}GB"
    return f"{value / 1e6:,.1f}{_NO_BREAK}MB"

"""The ratio of two figures with its interval, in words and in tables."""

from __future__ import annotations

import math

from wirelab.metrics.units import TIMES, precision_of
from wirelab.model.result import Metric
from wirelab.report.context import Context
from wirelab.report.document import Absent, Plain, cell
from wirelab.report.tabulate import DASH
from wirelab.stats.ratio import Ratio, ratio
from wirelab.words import numbers


def ratio_words(apart: Ratio) -> str:
    """``0.62 [0.55–0.70]``; an open end where nothing bounds it."""
    if not math.isfinite(apart.high):
        return f"{numbers.brief(apart.value)} [{numbers.brief(apart.low)}–∞]"
    interval = (apart.low, apart.high)
    places = max(
        numbers.places_of(apart.value, interval, precision_of(TIMES)), 1 if apart.low < 10 else 0
    )
    shown = (numbers.number(apart.value, places), numbers.interval_text(interval, places))
    return " ".join(part for part in shown if part)


def times(context: Context, apart: Ratio) -> str:
    """``ratio 0.62 [0.55–0.70]``."""
    return context.words.gettext("ratio {ratio}").format(ratio=ratio_words(apart))


def multiple(own: Metric | None, base: Metric | None, places: int | None = None) -> Plain:
    """A ratio as an entry of a table; a dash without two figures. Where nothing bounds it, the
    bare number with so many decimals, or a dash."""
    if own is None or base is None or not own.value or not base.value:
        return Absent(DASH)
    if own.at_least or base.at_least:
        return Absent(DASH)
    if (apart := ratio(own, base)) is not None:
        return cell(ratio_words(apart))
    return Absent(DASH) if places is None else cell(f"{own.value / base.value:.{places}f}")

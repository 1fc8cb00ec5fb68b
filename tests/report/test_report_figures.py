"""Digits and look of figures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_build import metric

from wirelab.report import figures
from wirelab.words import numbers


@pytest.mark.parametrize(
    ("value", "interval", "unit", "number", "shown"),
    [
        (22.4389, (21.93, 23.08), "ms", "22.4", "[21.9–23.1]"),
        (0.8231, (0.8012, 0.8467), "ms", "0.823", "[0.801–0.847]"),
        (25.43, (15.2, 43.1), "%", "25", "[15–43]"),
        (1234.5, (1100.0, 1380.0), "ms", "1,230", "[1,100–1,380]"),
        (19_999.98, (19_999.9, 20_000.02), "tag/s", "20,000", ""),
        (0.756, (0.742, 0.773), "tag/s", "0.8", "[0.7–0.8]"),
        (10.42, (10.21, 10.63), "tag/s", "10.4", "[10.2–10.6]"),
        (133.3, (130.7, 136.0), "tag/s", "133", "[131–136]"),
        (1.01, (0.45, 32.3), "%", "1", "[0.5–32]"),
        (2.94, (-0.4, 6.3), "MB", "2.9", "[−0.4, 6.3]"),
        (-3.21, (-4.0, -2.4), "MB", "−3.2", "[−4.0, −2.4]"),
        (81.91, None, "ms", "81.9", ""),
        (0.00042, None, "ms", "0.000", ""),
        (1_140, None, "count", "1,140", ""),
        (57.5, None, "count", "58", ""),
        (0, None, "%", "0", ""),
        (5, (5, 5), "ms", "5.00", ""),
    ],
)
def test_the_interval_decides_the_digits(value, interval, unit, number, shown) -> None:
    found = figures.figure(metric(value, unit, interval))
    assert (found.number, found.interval) == (number, shown)


def test_a_scaled_figure_keeps_its_interval_in_order() -> None:
    found = figures.figure(metric(40.0, "ms", (30.0, 50.0)), -1.0)
    assert (found.number, found.interval) == ("−40", "[−50, −30]")


def test_a_metric_without_a_value_has_no_figure() -> None:
    with pytest.raises(ValueError, match="no figure"):
        figures.figure(metric(None))


@given(
    st.floats(1e-3, 1e6),
    st.floats(1e-3, 0.9),
)
def test_no_digit_is_finer_than_the_interval(value: float, relative: float) -> None:
    half = value * relative
    found = figures.figure(metric(value, "", (value - half, value + half)))
    decimals = len(found.number.partition(".")[2])
    # Two digits of the half-width at most.
    assert decimals <= max(0, 1 - math.floor(math.log10(half) + 1e-9))


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 0.9))
def test_a_printed_figure_lies_in_its_printed_interval(value: float, relative: float) -> None:
    interval = (value * (1 - relative), value * (1 + relative))
    found = figures.figure(metric(value, "", interval))
    # Bounds that are printed alike are left out: there the figure itself stands for both.
    low, _, high = (found.interval.strip("[]") or f"{found.number}–{found.number}").partition("–")
    assert as_number(low) <= as_number(found.number) <= as_number(high)
    # Nothing is rounded so far that the figure is another one.
    assert abs(as_number(found.number) - value) <= max(0.000501, value * relative / 2)


def as_number(printed: str) -> float:
    return float(printed.replace(",", ""))


@pytest.mark.parametrize(
    ("published", "shown"),
    [("20034.54", "20,034.54"), ("0.300", "0.300"), ("+62.93", "+62.93"), ("-1.5", "−1.5")],
)
def test_published_figures_keep_their_digits(published: str, shown: str) -> None:
    assert numbers.published(published) == shown


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [(100_000_000, "100 ms"), (1_000_000_000, "1 s"), (1_500, "1.5 µs"), (120e9, "2 min")],
)
def test_durations_read_in_their_best_unit(nanoseconds: float, shown: str) -> None:
    assert numbers.duration(nanoseconds).replace("\u00a0", " ") == shown

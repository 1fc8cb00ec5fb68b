"""Slopes of long series: their intervals hold what they say, and what would show is told."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from wirelab.stats.trend import Trend, mean_of, trend_of

SAMPLES = 1_920
SERIES = 400
HOURS = np.linspace(0, 2, SAMPLES)

Floats = npt.NDArray[np.float64]


def correlated(share: float, rng: np.random.Generator) -> Floats:
    """Series that forget themselves within this share of their length (0: at once)."""
    kept = np.exp(-1 / (share * SAMPLES)) if share else 0.0
    found = rng.normal(size=(SAMPLES, SERIES))
    found[0] /= np.sqrt(1 - kept**2)
    for at in range(1, SAMPLES):
        found[at] += kept * found[at - 1]
    return found


def sawtooth(share: float, rng: np.random.Generator) -> Floats:
    """Heaps that grow and are collected, each collected at moments of its own."""
    period, begins = share * SAMPLES, rng.uniform(size=SERIES) * share * SAMPLES
    risen = (np.arange(SAMPLES)[:, np.newaxis] + begins) % period / period
    return risen + 0.02 * rng.normal(size=risen.shape)


def trends(series: Floats) -> list[Trend]:
    """The trend of each series, which all of them have."""
    known = [found for one in series.T if (found := trend_of(HOURS, one)) is not None]
    assert len(known) == SERIES
    return known


@pytest.mark.parametrize(
    ("kind", "share"),
    [("noise", 0.0), ("noise", 1 / 120), ("noise", 1 / 30), ("noise", 1 / 3), ("saw", 1 / 20)],
)
def test_an_interval_holds_the_true_slope_as_often_as_it_says(kind: str, share: float) -> None:
    rng = np.random.default_rng(5)
    series = correlated(share, rng) if kind == "noise" else sawtooth(share, rng)
    slope = 0.7
    known = trends(series + slope * HOURS[:, np.newaxis])
    held = sum(low <= slope <= high for low, high in (one.interval for one in known))
    # 400 series tell 95 % from 91.5 %.
    assert held / len(known) > 0.915


def test_independent_samples_would_accuse_who_has_no_leak() -> None:
    """More than one in six would be accused without what the interval allows for."""
    known = trends(correlated(1 / 30, np.random.default_rng(5)))
    alone = [abs(one.slope) < 2 * one.error * (one.effective / 64) ** 0.5 for one in known]
    assert sum(alone) / len(known) < 0.85


def test_what_would_show_is_seen_four_times_in_five() -> None:
    rng = np.random.default_rng(6)
    series = correlated(1 / 120, rng)
    least = float(np.median([one.least for one in trends(series)]))
    leaking = trends(series + least * HOURS[:, np.newaxis])
    seen = sum(one.interval[0] > 0 for one in leaking) / len(leaking)
    assert 0.7 < seen < 0.92


def test_what_never_forgets_is_seldom_taken_for_a_leak() -> None:
    walks = np.cumsum(np.random.default_rng(7).normal(size=(SAMPLES, SERIES)), axis=0)
    accused = sum(one.interval[0] > 0 for one in trends(walks))
    # Of such a series nothing has a slope; one in forty may be accused, and some more are.
    assert accused / SERIES < 0.06


def test_a_cache_that_fills_up_is_no_leak() -> None:
    rates = np.random.default_rng(8).uniform(0.2, 2, size=SERIES)
    filled = 1 - np.exp(-HOURS[:, np.newaxis] / rates)
    assert sum(one.interval[0] > 0 for one in trends(filled)) == 0


def test_a_leak_is_seen_beside_what_hardly_forgets() -> None:
    series = correlated(1 / 3, np.random.default_rng(9)) + 4_000 * HOURS[:, np.newaxis]
    seen = sum(one.interval[0] > 0 for one in trends(series))
    assert seen == SERIES


def test_what_never_changes_has_no_slope_and_is_counted_in_whole_units() -> None:
    found = trend_of(HOURS, np.full(SAMPLES, 12.0), resolution=1.0)
    assert found is not None
    assert found.slope == 0
    assert found.interval == (0, 0)
    assert found.least == 0.5  # one in two hours


def test_a_straight_line_is_its_slope() -> None:
    found = trend_of(HOURS, 100 + 3 * HOURS)
    assert found is not None
    assert found.slope == pytest.approx(3.0)
    assert found.interval == pytest.approx((3.0, 3.0))


def test_medians_of_batches_pass_over_single_peaks() -> None:
    values = np.full(SAMPLES, 2.0)
    values[-3:] = 900.0
    peaked, passed = trend_of(HOURS, values), trend_of(HOURS, values, middle=np.median)
    assert peaked is not None
    assert passed is not None
    assert peaked.slope > 1
    assert passed.slope == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("samples", [0, 1, 15])
def test_too_short_a_series_has_no_trend(samples: int) -> None:
    assert trend_of(HOURS[:samples], np.zeros(samples)) is None


def test_a_series_with_holes_has_the_batches_that_there_are() -> None:
    kept = (HOURS < 0.5) | (HOURS > 1.5)
    found = trend_of(HOURS[kept], 1 + 2 * HOURS[kept])
    assert found is not None
    assert found.slope == pytest.approx(2.0)


def test_trials_together_are_known_better_than_each() -> None:
    one = Trend(slope=1.0, error=0.2, effective=20.0)
    both = mean_of([one, Trend(slope=3.0, error=0.2, effective=20.0)])
    assert both.slope == 2.0
    assert both.error == pytest.approx(0.2 / 2**0.5)
    assert both.effective == pytest.approx(38.0)
    exact = Trend(slope=1.0, error=0.0, effective=64.0, grain=0.5)
    assert mean_of([exact, exact]).least == 0.25

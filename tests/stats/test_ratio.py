"""Ratios of figures with their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from wirelab.model.result import ByBlock, Metric
from wirelab.stats.ratio import Ratio, changed, mean_difference, quotient, ratio
from wirelab.stats.trials import trials_interval


def metric(
    value: float | None,
    interval: tuple[float, float] | None = None,
    per_trial: tuple[float | None, ...] = (),
) -> Metric:
    return Metric(value=value, unit="ms", interval=interval, per_trial=list(per_trial))


def measured(rng: np.random.Generator, true: float, spread: float, trials: int) -> Metric:
    values = true * np.exp(rng.normal(0, spread, trials))
    value = float(np.exp(np.log(values).mean()))
    return metric(value, trials_interval(value, list(values)))


@pytest.mark.parametrize("trials", [3, 10])
def test_the_interval_of_a_ratio_holds_it(trials: int) -> None:
    rng = np.random.default_rng(trials)
    hits = 0
    for _ in range(1000):
        found = ratio(measured(rng, 3.0, 0.05, trials), measured(rng, 2.0, 0.15, trials))
        assert found is not None
        hits += found.low <= 1.5 <= found.high
    assert hits / 1000 >= 0.94


def test_a_ratio_and_its_reverse_agree() -> None:
    one, other = metric(4.0, (3.0, 6.0)), metric(2.0, (1.8, 2.1))
    forth, back = ratio(one, other), ratio(other, one)
    assert forth is not None
    assert back is not None
    assert forth.value * back.value == pytest.approx(1)
    assert forth.low * back.high == pytest.approx(1)
    assert forth.high * back.low == pytest.approx(1)


def test_an_exact_base_leaves_the_interval_as_it_was() -> None:
    found = ratio(metric(4.0, (3.0, 6.0)), metric(2.0, (2.0, 2.0)))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1.5, 3.0))


def test_intervals_that_meet_leave_equality_open() -> None:
    found = ratio(metric(1.1, (0.9, 1.3)), metric(1.0, (0.9, 1.1)))
    assert found is not None
    assert found.low <= 1 <= found.high


def test_maxima_are_compared_by_those_of_their_trials() -> None:
    found = ratio(metric(9.0, per_trial=(8.0, 9.0, 8.5)), metric(3.0, per_trial=(3.0, 2.8, 2.9)))
    assert found is not None
    assert found.low > 2.5
    spread = ratio(metric(9.0, per_trial=(1.0, 9.0, 2.0)), metric(3.0, per_trial=(3.0, 2.8, 2.9)))
    assert spread is not None
    assert spread.low <= 1 <= spread.high


@pytest.mark.parametrize(
    ("figure", "base"),
    [
        (metric(None), metric(1.0, (0.9, 1.1))),
        (metric(1.0, (0.9, 1.1)), metric(None)),
        (metric(0.0, (0.0, 0.0)), metric(1.0, (0.9, 1.1))),
        (metric(1.0, per_trial=(1.0,)), metric(2.0, per_trial=(2.0, 2.1))),
        (metric(4.0, per_trial=(0.0, 5.9, 6.1)), metric(1.0, per_trial=(1.0, 1.1, 0.9))),
        (metric(1.0, per_trial=(1.0, 1.1, 0.9)), metric(4.0, per_trial=(0.0, 5.9, 6.1))),
    ],
)
def test_without_values_or_bounds_there_is_no_ratio(figure: Metric, base: Metric) -> None:
    assert ratio(figure, base) is None


def test_a_lower_bound_has_no_ratio() -> None:
    known = Metric(value=2.0, unit="ms", interval=(1.9, 2.1), per_trial=[1.9, 2.0, 2.1])
    bound = known.model_copy(update={"at_least": True})
    assert ratio(known, known) is not None
    assert ratio(bound, known) is ratio(known, bound) is None
    assert quotient(bound, known) is quotient(known, bound) is None


def test_a_bound_of_zero_leaves_that_side_open() -> None:
    found = ratio(metric(2.0, (0.0, 3.0)), metric(1.0, (1.0, 1.0)))
    assert found is not None
    assert found.low == 0
    assert found.high == pytest.approx(3)


def test_the_difference_of_equal_constants_is_nothing() -> None:
    assert mean_difference([1.0, 1.0], [1.0, 1.0]) == (0.0, 0.0)


def run_of(rng: np.random.Generator, name: str, slower: float, hour: float) -> Ratio:
    """A contender over the reference, both in eight blocks of one run."""
    drift = np.exp(rng.normal(0, 0.1, 8)) * hour
    both = [times * drift * np.exp(rng.normal(0, 0.03, 8)) for times in (slower, 1.0)]
    metrics = [
        metric(float(own.mean())).model_copy(
            update={"by_block": ByBlock(of=name, values={1: dict(enumerate(own.tolist()))})}
        )
        for own in both
    ]
    found = ratio(*metrics)
    assert found is not None
    return found


def test_what_a_contender_lost_is_told_whatever_the_machine_did_between_two_runs() -> None:
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(500):
        old, new = run_of(rng, "old", 1.5, 1.0), run_of(rng, "new", 1.8, 1.4)
        found = changed(new, old)
        hits += found.low <= 1.2 <= found.high
    assert hits / 500 >= 0.94

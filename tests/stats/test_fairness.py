"""Whether windows come without regard to who is measured."""

from __future__ import annotations

import numpy as np
import pytest
from disturbed_host import MS, SECOND, Ints, independent, windows

from wirelab.stats.disturbed import DisturbedTime, QuietOperations
from wirelab.stats.fairness import (
    Fairness,
    QuietStretches,
    blindness,
    fairness,
    is_attracting,
)

COUNT = 10_000
EVERY = 5 * MS
SPAN = (0, COUNT * EVERY)
EVEN = np.full((8, 1), 0.3)


def stretches_of(
    random: np.random.Generator, attracts: float, duty: float = 0.1
) -> tuple[QuietStretches, float]:
    """A contender that stalls for 200 ms now and then, beside windows of 100 ms.

    This share of its stalls brings a window about, 150 ms after it began; the chance that blind
    windows would look so is told as well.
    """
    intended = np.arange(COUNT, dtype=np.int64) * EVERY
    stalls = np.flatnonzero(random.random(COUNT) < 0.004)
    work = np.full(COUNT, 2.0 * MS)
    for at in stalls:
        reach = min(COUNT, at + 40)
        work[at:reach] = np.maximum(work[at:reach], (200 - 5 * np.arange(reach - at)) * 1.0 * MS)
    found = windows(random, SPAN[1], 100 * MS, duty)
    brought = intended[stalls[random.random(len(stalls)) < attracts]] + 150 * MS
    found = np.concatenate([found, np.column_stack([brought, brought + 100 * MS])])
    joined = _apart(found)
    made = independent(intended, work, joined)
    disturbed, quiet = made.measured(joined)
    p95 = int(np.quantile(quiet.durations, 0.95))
    told = QuietStretches.of(SPAN, disturbed, intended, quiet, p95)
    return told, blindness(told)


def _apart(found: Ints) -> Ints:
    """Windows in order, none of which begins within another."""
    kept: list[list[int]] = []
    for begin, end in sorted(found.tolist()):
        if not kept or begin > kept[-1][1]:
            kept.append([begin, end])
    return np.array(kept, np.int64)


def test_the_stretches_of_a_trial_and_what_was_old_in_them() -> None:
    intended = np.array([10, 40, 130], np.int64)
    disturbed = DisturbedTime(*(np.array([one], np.int64) for one in (60, 100)))
    quiet = QuietOperations(
        np.ones(3, dtype=bool), np.array([5, 20, 60], np.int64), np.array([True, False, True])
    )
    found = QuietStretches.of((0, 200), disturbed, intended, quiet, p95=8)
    assert found.lengths.tolist() == [60, 100]
    assert found.ended.tolist() == [True, False]
    assert found.old.tolist() == [[0, 48, 60], [1, 38, 90]]
    assert found.windows == 1
    both = QuietStretches.pooled([found, found])
    assert both.lengths.tolist() == [60, 100, 60, 100]
    assert both.old[:, 0].tolist() == [0, 1, 2, 3]


def test_the_chance_is_that_of_drawing_who_ended() -> None:
    # Three stretches; the shortest one met something old, one of the others had it at that time.
    old = np.array([[0, 5, 10], [1, 8, 30]], np.int64)
    found = QuietStretches(np.array([10, 40, 50]), np.array([True, False, False]), old)
    # 2 of 3 had: to meet one has the chance 2/3, twice the smaller side is 1.
    assert blindness(found) == 1.0
    alone = QuietStretches(np.array([10, *[50] * 39]), np.array([True, *[False] * 39]), old[:1])
    assert blindness(alone) == pytest.approx(2 / 40)


def test_without_windows_nothing_speaks_against_them() -> None:
    none = np.empty((0, 3), np.int64)
    assert blindness(QuietStretches(np.array([10]), np.array([False]), none)) == 1.0


def test_blind_windows_are_seldom_called_attracted() -> None:
    random = np.random.default_rng(1)
    called = [stretches_of(random, 0.0)[1] <= 0.05 for _ in range(100)]
    assert np.mean(called) <= 0.08


def test_windows_that_stalls_bring_about_are_found() -> None:
    random = np.random.default_rng(2)
    found = [stretches_of(random, 0.5) for _ in range(20)]
    assert min(one.windows for one, _ in found) >= 20
    assert np.mean([chance <= 0.05 for _, chance in found]) >= 0.85


def test_somebody_is_accused_where_much_is_attracted_and_nobody_otherwise() -> None:
    random = np.random.default_rng(3)
    assert sum(is_attracting(stretches_of(random, 0.5)[0]) for _ in range(20)) >= 18
    assert not any(is_attracting(stretches_of(random, 0.0)[0]) for _ in range(200))


def test_what_is_fair_takes_more_or_tells_too_little() -> None:
    random = np.random.default_rng(3)
    blind, _ = stretches_of(random, 0.0)
    attracting, _ = stretches_of(random, 0.7)
    even = np.hstack([EVEN + random.normal(0, 0.02, EVEN.shape) for _ in range(2)])
    of_one = [Fairness.ELSEWHERE, Fairness.TAKES_MORE]
    assert fairness([blind, blind], even) == [Fairness.FAIR] * 2
    assert fairness([blind, attracting], even) == of_one
    loses_more = even + np.array([0.0, 0.2])
    assert fairness([blind, blind], loses_more) == of_one
    assert fairness([blind, blind], even[:5]) == [Fairness.TOO_LITTLE] * 2
    few = QuietStretches.of(
        (0, SECOND),
        DisturbedTime(*(np.array([one], np.int64) for one in (5, 9))),
        np.empty(0, np.int64),
        QuietOperations(np.empty(0, bool), np.empty(0, np.int64), np.empty(0, bool)),
        p95=1,
    )
    assert fairness([blind, few], even) == [Fairness.TOO_LITTLE] * 2
    assert fairness([blind, few], loses_more) == of_one


def test_windows_that_are_not_in_question_end_a_stretch_as_a_trial_does() -> None:
    intended = np.array([10, 40, 130], np.int64)
    begins, ends = np.array([60, 150], np.int64), np.array([100, 160], np.int64)
    quiet = QuietOperations(
        np.ones(3, dtype=bool), np.array([5, 20, 20], np.int64), np.array([True, False, False])
    )
    disturbed = DisturbedTime(begins, ends)
    found = QuietStretches.of((0, 200), disturbed, intended, quiet, 8, windows=begins[1:])
    assert found.lengths.tolist() == [60, 50, 40]
    assert found.ended.tolist() == [False, True, False]

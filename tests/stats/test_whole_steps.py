"""Bursts beside disturbed time: taken whole, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime, TakenTime, disturbed_time
from wirelab.stats.whole_steps import WHOLE, is_whole, taken_whole

MS = 1_000_000
STEP = (1000, 2000)


def stretch(begin: int, end: int, taken: int | None = None) -> DisturbedTime:
    begins, ends = np.array([begin], np.int64), np.array([end], np.int64)
    if taken is None:
        return DisturbedTime(begins, ends)
    return DisturbedTime(begins, ends, taken=TakenTime(begins, ends, np.array([taken])))


def rows(found: DisturbedTime) -> list[list[int]]:
    return np.column_stack([found.begins, found.ends]).tolist()


@pytest.mark.parametrize(
    ("taken", "left"), [(100, []), (101, [[1000, 2000]]), (None, [[1000, 2000]])]
)
def test_a_step_is_quiet_or_disturbed_from_begin_to_end(
    taken: int | None, left: list[list[int]]
) -> None:
    disturbed = stretch(1100, 1300, taken)
    assert rows(taken_whole(disturbed, [STEP], ahead=10)) == left
    assert is_whole(disturbed, *STEP) == (left == [])


def test_what_comes_before_a_step_stays_and_what_comes_soon_after_it_does_not() -> None:
    before = taken_whole(stretch(900, 1300, 50), [STEP], ahead=10)
    assert rows(before) == [[900, 1000]]
    assert rows(taken_whole(stretch(1900, 2500, 50), [STEP], ahead=100)) == [[2100, 2500]]
    assert rows(taken_whole(stretch(2050, 2090, 50), [STEP], ahead=100)) == []
    assert rows(taken_whole(stretch(10, 20, 50), [STEP], ahead=100)) == [[10, 20]]
    assert not taken_whole(UNDISTURBED, [STEP], ahead=100)


def test_steps_count_together_where_others_took_little_of_all_of_them() -> None:
    steps = [(100, 110), (1000, 2000)]
    assert rows(taken_whole(stretch(102, 105, 90), steps, ahead=0)) == []
    assert rows(taken_whole(stretch(102, 105, 102), steps, ahead=0)) == [[100, 110]]


def test_all_counts_that_was_taken_in_a_window_or_soon_before() -> None:
    windows = np.array([[500, 600], [100, 200], [210, 300]])
    none = np.empty(0, np.int64)
    taken = np.array([5, 1, 2])
    found = disturbed_time(windows, none, none, period=50, limit=0, taken=taken)
    assert rows(found) == [[100, 350], [500, 650]]
    assert found.taken is not None
    spans = [(0, 1000), (249, 400), (250, 260), (349, 350), (350, 500), (649, 700)]
    assert [found.taken.between(*span) for span in spans] == [8, 3, 2, 2, 0, 5]
    unknown = disturbed_time(windows, none, none, period=50, limit=0)
    assert unknown.taken is None


@pytest.mark.parametrize("length_ms", [5, 50, 100, 200, 1000, 3000])
def test_bursts_beside_a_window_a_second_are_as_long_as_on_a_quiet_host(length_ms: float) -> None:
    """Others run for 10 ms a second; whichever part of it meets a burst makes it longer."""
    random = np.random.default_rng(length_ms)
    spread, number, ran = 0.3, 4000, 10 * MS
    true = random.lognormal(np.log(length_ms) - spread**2 / 2, spread, number) * MS
    begin = 10_000 * MS + random.integers(0, 1000 * MS, number)
    told = []
    for alone, since in zip(true.astype(np.int64).tolist(), begin.tolist(), strict=True):
        at = np.arange(5_000, 20_000, 1000) * MS + random.integers(0, 90 * MS, 15)
        until = since + alone
        for busy in at.tolist():
            if since < busy + ran and busy < until:
                until += busy + ran - max(since, busy)
        windows = np.column_stack([at // (100 * MS), at // (100 * MS) + 1]) * 100 * MS
        starts, ends = np.array([since]), np.array([until])
        found = disturbed_time(
            windows,
            starts,
            ends,
            period=100 * MS,
            limit=10**12,
            in_lanes=True,
            taken=np.full(len(windows), ran),
        )
        if not taken_whole(found, [(since, until)], ahead=0).touches(since, until):
            told.append(until - since)
    assert len(told) > number / 2
    assert 0.97 < np.mean(told) / true.mean() < 1 + WHOLE / 2

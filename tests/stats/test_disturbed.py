"""Operations beside disturbed windows."""

from __future__ import annotations

from itertools import pairwise

import disturbed_host
import numpy as np
import pytest
from disturbed_host import (
    LIMIT,
    MS,
    PERIOD,
    SECOND,
    Floats,
    Ints,
    Load,
    independent,
    queued,
    queued_by_connection,
    windows,
)
from hypothesis import given
from hypothesis import strategies as st

from wirelab.stats.disturbed import DisturbedTime, disturbed_time, quiet_operations
from wirelab.stats.percentiles import percentile
from wirelab.stats.queues import UsualQueues
from wirelab.stats.survival import Distribution

LEVELS = (50.0, 99.0, 99.9)
NONE = np.empty((0, 2), dtype=np.int64)


def whole(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def test_the_fate_of_each_operation_beside_one_window() -> None:
    #          before  into it  in it  recovering  after
    intended = whole(0, 90, 110, 205, 260)
    ended_at = whole(40, 190, 230, 240, 290)
    disturbed = disturbed_time(whole(100, 150), intended, ended_at, period=20, limit=1000)
    # Two are outstanding at 170, and one was before the window: so few are from 190 on.
    assert (disturbed.begins.tolist(), disturbed.ends.tolist()) == ([100], [190])
    found = quiet_operations(disturbed, intended, ended_at)
    assert found.chosen.tolist() == [True, True, False, True, True]
    assert found.durations.tolist() == [40, 10, 35, 30]
    assert found.ended.tolist() == [True, False, True, True]
    assert disturbed.quiet_ns(0, 300) == 210
    assert disturbed.quiet_ns(150, 250) == 60


def test_who_queued_behind_the_last_of_the_window_is_not_quiet() -> None:
    intended, ended_at = whole(110, 205, 235, 300), whole(230, 240, 260, 310)
    disturbed = disturbed_time(whole(100, 150), intended, ended_at, period=20, limit=1000)
    assert disturbed.ends.tolist() == [260]


def test_quiet_resumes_a_period_after_the_window_at_the_earliest() -> None:
    disturbed = disturbed_time(whole(100, 150), whole(0), whole(10), period=20, limit=1000)
    assert disturbed.ends.tolist() == [170]


def test_a_lost_operation_is_outstanding_until_its_limit() -> None:
    disturbed = disturbed_time(whole(100, 150), whole(90), whole(10**9), period=20, limit=500)
    assert disturbed.ends.tolist() == [590]


def test_windows_within_the_recovery_of_another_prolong_it() -> None:
    both = whole(100, 150, 160, 200, 900, 950)
    disturbed = disturbed_time(both, whole(0), whole(10), period=20, limit=1000)
    assert disturbed.begins.tolist() == [100, 900]
    assert disturbed.ends.tolist() == [220, 970]


def test_windows_that_touch_are_one() -> None:
    # Looks follow each other: those within a burst begin in its queue, and tell of no usual one.
    intended = np.arange(0, 3000, 10)
    ended_at = intended + np.where((intended > 900) & (intended < 1500), 400, 5)
    apart = np.array([(at, at + 100) for at in range(1000, 1500, 100)])
    found = disturbed_time(apart, intended, ended_at, period=20, limit=1000)
    whole_one = disturbed_time(whole(1000, 1500), intended, ended_at, period=20, limit=1000)
    assert found.ends.tolist() == whole_one.ends.tolist()
    assert found.begins.tolist() == [1000]


def test_quiet_time_between_an_instant_and_later_ones() -> None:
    two = whole(100, 150, 300, 400)
    disturbed = disturbed_time(two, whole(0), whole(10), period=20, limit=1000)
    assert disturbed.quiet_since(0, whole(50, 170, 299, 420)).tolist() == [50, 100, 229, 230]
    assert disturbed.quiet_since(120, whole(170, 299)).tolist() == [0, 129]


def test_what_ends_before_or_begins_after_a_stretch_is_not_touched_by_it() -> None:
    disturbed = disturbed_time(whole(100, 150), whole(0), whole(10), period=20, limit=1000)
    assert not disturbed.touches(0, 100)
    assert disturbed.touches(0, 101)
    assert disturbed.touches(169, 300)
    assert not disturbed.touches(170, 300)
    between = disturbed.touched(np.array([0, 100, 101, 169, 170, 300]))
    assert between.tolist() == [False, True, True, True, False]


def test_as_many_as_usual_may_be_outstanding() -> None:
    # Two or three are always under way: two just before the window, and again at 1125.
    intended = np.arange(0, 3000, 10)
    ended_at = intended + 25
    disturbed = disturbed_time(whole(1000, 1100), intended, ended_at, period=20, limit=1000)
    assert disturbed.ends.tolist() == [1125]


def test_windows_before_and_after_the_load_do_not_say_what_is_usual() -> None:
    intended = np.arange(1000, 3000, 10)
    ended_at = intended + 25
    idle = [(at, at + 10) for at in (*range(0, 900, 100), *range(4000, 5000, 100))]
    one = np.array([*idle, (2000, 2100)])
    disturbed = disturbed_time(one, intended, ended_at, period=20, limit=1000)
    assert disturbed.quiet_ns(1000, 3000) == 2000 - 125
    # None begins under the load: its own beginning is what it usually has.
    early = np.array([*idle, (990, 1100)])
    disturbed = disturbed_time(early, intended, ended_at, period=20, limit=1000)
    assert disturbed.quiet_ns(1000, 3000) == 2000 - 125


def test_what_is_usual_is_that_of_the_load_asked_about() -> None:
    # One a time, then ten: a window of the second part is not over when one is left.
    few, many = np.arange(0, 5000, 100), np.arange(5000, 10_000, 10)
    intended, ended_at = np.append(few, many), np.append(few, many) + 95
    found = np.array([(at, at + 50) for at in range(250, 5000, 500)] + [(7000, 7100)])
    of_many = disturbed_time(
        found, intended, ended_at, period=20, limit=1000, loaded=(5000, 10_000)
    )
    assert of_many.quiet_ns(5000, 9000) == 4000 - 125
    assert of_many.recoveries.tolist() == [25]
    # Of all, the longest queue after a window may be as long as the longest of rested time.
    of_all = disturbed_time(found, intended, ended_at, period=20, limit=1000)
    assert of_all.quiet_ns(5000, 9000) == 4000 - 120
    of_few = disturbed_time(found, intended, ended_at, period=20, limit=1000, loaded=(0, 5000))
    assert of_few.quiet_ns(5000, 9000) < 2500


def test_the_longest_queue_after_a_window_has_to_be_as_short_as_the_longest_of_rested_time() -> (
    None
):
    # One is outstanding for half of the time, and never two, but for what begins in one window.
    begins = np.arange(1060, 10_000, 1000)
    late = np.array([5070] * 5)
    intended = np.sort(np.concatenate([np.arange(0, 10_000, 100), late]))
    ended_at = intended + 50
    ended_at[intended == 5070] = range(5200, 5250, 10)
    found = np.column_stack([begins, begins + 100])
    disturbed = disturbed_time(found, intended, ended_at, period=20, limit=1000)
    assert (disturbed.ends - begins).tolist() == [120] * 4 + [180] + [120] * 4


def test_a_queue_within_the_chance_of_its_rank_is_waited_for_by_nobody() -> None:
    # Two are outstanding after three of nine windows, where one in four times has as many.
    intended = np.repeat(np.arange(0, 10_000, 100), 2)
    ended_at = intended + 25
    begins = np.arange(1000, 10_000, 1000) - 20 + np.array([0, 40, 80] * 3)
    found = np.column_stack([begins, begins + 100])
    disturbed = disturbed_time(found, intended, ended_at, period=20, limit=1000)
    after = [int(((intended <= at) & (ended_at > at)).sum()) for at in begins + 120]
    assert sorted(after) == [0] * 6 + [2] * 3
    assert (disturbed.ends - begins).tolist() == [120] * 9


def test_what_is_usual_while_a_load_begins_is_waited_for_by_nobody() -> None:
    # 1,500 are outstanding once the first have ended, and fewer before; the host was there earlier.
    intended = np.arange(0, 10_000)
    ended_at = intended + 1500
    rests = np.array([900, 900, 900, 800, 800, 900, 800, 800, 900, 800, 900, 800])
    begins = np.cumsum(rests + 100) - 2500
    found = np.column_stack([begins, begins + 100])
    disturbed = disturbed_time(
        found, intended, ended_at, period=100, limit=5000, loaded=(0, 10_000)
    )
    assert (disturbed.ends - begins).tolist() == [200] * len(begins)


def test_without_windows_everything_has_its_latency() -> None:
    intended, ended_at = whole(0, 5, 9), whole(7, 8, 20)
    disturbed = disturbed_time(NONE, intended, ended_at, period=20, limit=1000)
    found = quiet_operations(disturbed, intended, ended_at)
    assert found.durations.tolist() == [7, 3, 11]
    assert found.ended.all()
    assert not disturbed


def test_without_operations_windows_are_disturbed_all_the_same() -> None:
    none = np.empty(0, dtype=np.int64)
    disturbed = disturbed_time(whole(10, 20), none, none, period=5, limit=9)
    assert (disturbed.begins.tolist(), disturbed.ends.tolist()) == ([10], [25])
    assert not len(quiet_operations(disturbed, none, none).durations)


def test_operations_are_to_be_in_order() -> None:
    with pytest.raises(ValueError, match="order"):
        disturbed_time(NONE, whole(3, 1), whole(4, 4), period=5, limit=9)


SPANS = st.lists(st.tuples(st.integers(0, 500), st.integers(1, 60)), max_size=8)
OPERATIONS = st.lists(st.tuples(st.integers(0, 600), st.integers(0, 90)), min_size=1, max_size=40)


@given(SPANS, OPERATIONS)
def test_every_operation_is_quiet_cut_off_or_left_out_as_the_rule_says(
    spans: list[tuple[int, int]], operations: list[tuple[int, int]]
) -> None:
    found = np.array([(begin, begin + length) for begin, length in spans], np.int64).reshape(-1, 2)
    intended = np.array(sorted(begin for begin, _ in operations), np.int64)
    ended_at = intended + np.array([length for _, length in operations], np.int64)
    disturbed = disturbed_time(found, intended, ended_at, period=7, limit=50)
    stretches = list(zip(disturbed.begins.tolist(), disturbed.ends.tolist(), strict=True))

    def outstanding(at: int) -> int:
        return int(((intended <= at) & (np.minimum(ended_at, intended + 50) > at)).sum())

    assert all(begin < end for begin, end in stretches) or not spans
    assert all(one[1] < other[0] for one, other in pairwise(stretches))
    for begin, end in found.tolist():
        resumed = next(last for first, last in stretches if first <= begin < last)
        assert resumed >= end + 7
        # Nowhere more than at any time without windows; without one, than before an operation.
        known = set(range(601)) - {at for span in found.tolist() for at in range(*span)}
        known |= set((intended - 1).tolist())
        assert outstanding(resumed) <= max(map(outstanding, known))
    quiet = quiet_operations(disturbed, intended, ended_at)
    inside = [any(begin <= at < end for begin, end in stretches) for at in intended.tolist()]
    assert quiet.chosen.tolist() == [not one for one in inside]
    since = intended[quiet.chosen]
    cuts = [min([b for b, _ in stretches if b >= at], default=10**9) for at in since.tolist()]
    expected = np.minimum(ended_at[quiet.chosen], np.array(cuts, np.int64)) - since
    assert quiet.durations.tolist() == expected.tolist()
    assert disturbed.quiet_ns(0, 1000) == 1000 - sum(
        min(end, 1000) - begin for begin, end in stretches
    )


# ------------------------------------------------------------------- simulated: what it flatters

COUNT = 150_000
EVERY = 2 * MS


def bias(load_kind: str, length: int) -> list[float]:
    """Errors of p50, p99 and p99.9 (%) beside windows at 30 % duty."""
    random = np.random.default_rng([len(load_kind), length])
    intended = np.arange(COUNT, dtype=np.int64) * EVERY
    if load_kind.startswith("queue"):
        share = float(load_kind.removeprefix("queue ").removesuffix(" %")) / 100
        intended = np.cumsum(random.exponential(EVERY / share, COUNT)).astype(np.int64)
        work = random.exponential(EVERY, COUNT)
    else:
        work = _work(load_kind, random, intended)
    found = windows(random, int(intended[-1]), length * MS, 0.3)
    made = (queued if load_kind.startswith("queue") else independent)(intended, work, found)
    _, quiet = made.measured(found)
    measured = Distribution.of(quiet.durations, quiet.ended)
    told = [measured.percentile(level) for level in LEVELS]
    assert all(one.reached for one in told)
    true = np.sort(made.undisturbed)
    return [
        100 * (one.value / int(percentile(true, level)) - 1)
        for one, level in zip(told, LEVELS, strict=True)
    ]


def _work(kind: str, random: np.random.Generator, intended: Ints) -> Floats:
    if kind == "two times":
        return np.where(random.random(COUNT) < 0.05, 60.0, 1.0) * MS
    if kind == "heavy tail":
        return np.asarray(MS * (1 / random.random(COUNT)) ** (1 / 1.5))
    if kind == "stalls":
        phase = intended % (2 * SECOND)
        return np.where(phase < 200 * MS, 200 * MS - phase, 0) + 1.0 * MS
    return np.asarray(60 * MS * random.lognormal(0, 0.5, COUNT))


@pytest.mark.parametrize("kind", ["two times", "heavy tail", "stalls", "around 60 ms"])
@pytest.mark.parametrize("length", [100, 500])
def test_of_independent_operations_nobody_is_flattered(kind: str, length: int) -> None:
    p50, p99, tail = bias(kind, length)
    assert abs(p50) < 1
    assert abs(p99) < 3
    assert abs(tail) < 12  # of a heavy tail, 150 operations: their own error


@pytest.mark.parametrize("length", [100, 500])
def test_a_queue_at_half_of_what_it_can_is_told_as_it_is(length: int) -> None:
    p50, p99, tail = bias("queue 50 %", length)
    assert abs(p50) < 3
    assert abs(p99) < 3
    assert abs(tail) < 8


@pytest.mark.parametrize("length", [100, 500])
def test_a_queue_at_seventy_percent_is_told_within_a_tenth(length: int) -> None:
    p50, p99, _tail = bias("queue 70 %", length)
    assert abs(p50) < 10
    assert abs(p99) < 10


@pytest.mark.parametrize(("slower", "within"), [(1.0, 0.05), (1.2, 0.08), (3.0, 0.15)])
def test_a_queue_that_fills_as_slowly_as_windows_come_is_not_told_by_short_queues(
    monkeypatch: pytest.MonkeyPatch, slower: float, within: float
) -> None:
    """17 of 1,000 operations take 50 ms: busy for 67 %, beside windows each half second."""
    monkeypatch.setattr(disturbed_host, "SLOWER", slower)
    errors, begun_short = [], []
    for seed in range(4):
        made, found = rarely_long(np.random.default_rng(seed), 0.017, every_ms=500)
        errors.append(error(made, made.measured(found)[0], 95.0))
        begun_short.append(error(made, short(made, found), 95.0))
    assert abs(np.mean(errors)) < within
    # What the rule is held against: quiet time that begins when nothing is outstanding.
    assert np.mean(begun_short) < -0.25


@pytest.mark.parametrize(
    ("share", "every_ms", "level", "within"), [(0.009, 1000, 95.0, 0.03), (0.017, 500, 50.0, 0.2)]
)
def test_beside_windows_that_do_nothing_a_queue_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch, share: float, every_ms: int, level: float, within: float
) -> None:
    monkeypatch.setattr(disturbed_host, "SLOWER", 1.0)
    errors, at_each_rank = [], []
    for seed in range(8):
        made, found = rarely_long(np.random.default_rng([seed, every_ms]), share, every_ms=every_ms)
        errors.append(error(made, made.measured(found)[0], level))
        with monkeypatch.context() as strict:
            strict.setattr("wirelab.stats.queues.UsualQueues.limits", usual_number)
            at_each_rank.append(error(made, made.measured(found)[0], level))
    assert abs(np.mean(errors)) < within
    # What the rule is held against: waiting for the usual number at each rank.
    assert np.mean(at_each_rank) < np.mean(errors) - 0.01


def usual_number(usual: UsualQueues, count: int) -> Ints:
    """The number at each rank, exceeded by chance in half of all cases."""
    at: Ints = (2 * np.arange(count) + 1) * len(usual.numbers) // (2 * count)
    return usual.numbers[at]


def rarely_long(random: np.random.Generator, share: float, *, every_ms: int) -> tuple[Load, Ints]:
    """A queue of 500 operations/s for 150 s, of which this share takes 50 ms and the others 0.5,
    and windows of 100 ms in which nobody looks at the clock of the load.
    """
    intended = np.arange(COUNT // 2, dtype=np.int64) * EVERY
    work = np.where(random.random(len(intended)) < share, 50.0, 0.5) * MS
    begins = np.arange(500, int(intended[-1]) // MS - 100, every_ms) + random.integers(0, 100)
    found = np.column_stack([begins, begins + 100]) * MS + random.integers(EVERY)
    return queued(intended, work, found), found


def error(made: Load, stretches: DisturbedTime, level: float) -> float:
    """Share by which a percentile differs from that of all operations without windows."""
    quiet = quiet_operations(stretches, made.intended, made.ended_at)
    told = Distribution.of(quiet.durations, quiet.ended).percentile(level)
    return float(told.value / percentile(np.sort(made.undisturbed), level)) - 1


def short(made: Load, found: Ints) -> DisturbedTime:
    """Stretches around windows, each until nothing is outstanding."""
    idle = np.maximum.accumulate(made.ended_at)[:-1] <= made.intended[1:]
    starts = made.intended[1:][idle]
    at = np.minimum(np.searchsorted(starts, found[:, 1] + PERIOD), len(starts) - 1)
    ends = np.maximum.accumulate(starts[at])
    apart = np.append(True, found[1:, 0] > ends[:-1])
    return DisturbedTime(found[apart, 0], ends[np.append(apart[1:], True)])


def test_a_tail_of_seconds_in_many_queues_comes_out_too_low_by_an_eighth_at_most() -> None:
    random = np.random.default_rng(1)
    connections, count, every = 50, 4000, 100 * MS
    begun = np.arange(connections)[:, np.newaxis] * (every // connections)
    intended = begun + np.arange(count) * every
    work = np.minimum(10 * MS * (1 / random.random(intended.shape)) ** (1 / 1.5), 2 * SECOND)
    found = windows(random, int(intended.max()), 100 * MS, 0.05)
    made = queued_by_connection(intended, work, found)
    disturbed, quiet = made.measured(found)
    share = disturbed.quiet_ns(0, count * every) / (count * every)
    assert 0.4 < share < 0.8
    told = Distribution.of(quiet.durations, quiet.ended)
    true = np.sort(made.undisturbed)
    p50, p95 = (told.percentile(p).value / int(percentile(true, p)) for p in (50.0, 95.0))
    assert p50 == pytest.approx(1, abs=0.02)
    # A limit of the rule, which the page tells; beyond it the page would be wrong.
    assert 0.875 < p95 < 1


def test_without_the_rule_the_queue_would_be_told_wrong() -> None:
    random = np.random.default_rng(5)
    intended = np.cumsum(random.exponential(2 * EVERY, COUNT)).astype(np.int64)
    found = windows(random, int(intended[-1]), 500 * MS, 0.3)
    made = queued(intended, random.exponential(EVERY, COUNT), found)
    nothing_waits = disturbed_time(found, intended[:0], intended[:0], period=PERIOD, limit=LIMIT)
    quiet = quiet_operations(nothing_waits, made.intended, made.ended_at)
    p99 = Distribution.of(quiet.durations, quiet.ended).percentile(99.0).value
    assert p99 > 1.5 * int(percentile(np.sort(made.undisturbed), 99.0))


def test_a_stretch_knows_where_its_last_window_ended() -> None:
    intended = np.array([0, 90, 95, 400], np.int64)
    found = disturbed_time(
        np.array([[300, 310], [100, 110], [115, 120]], np.int64),
        intended,
        np.array([10, 200, 99, 410], np.int64),
        period=10,
        limit=1_000,
        in_lanes=True,
    )
    assert found.begins.tolist() == [100, 300]
    assert found.ends.tolist() == [200, 320]
    assert found.without_recovery.begins.tolist() == [100, 300]
    assert found.without_recovery.ends.tolist() == [120, 310]
    unknown = DisturbedTime(found.begins, found.ends)
    assert unknown.without_recovery.ends.tolist() == [200, 320]

"""Closed loops beside other programs: latencies and rates of quiet time against the truth."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from closed_loop import Loop, Played, exponential, heavy, lognormal, mixed
from disturbed_host import MS

from wirelab.stats.disturbed import UNDISTURBED, disturbed_time, quiet_operations
from wirelab.stats.lanes import Cycles, QuietClock, QuietRate, quiet_rate
from wirelab.stats.percentiles import percentile
from wirelab.stats.survival import Distribution

LEVELS = (50.0, 95.0, 99.0)
WITHIN = 0.03

LOOPS = {
    "one lane": Loop(1, 8000, lognormal(60, 0.4)),
    "lanes apart": Loop(8, 60_000, exponential(5)),
    "two kinds": Loop(8, 120_000, mixed),
    "heavy tail": Loop(8, 250_000, heavy),
    "queue": Loop(8, 60_000, exponential(2), queue=True),
    "queue, lanes that pause": Loop(8, 60_000, exponential(2), exponential(24), queue=True),
    "rounds": Loop(10, 60_000, lognormal(12, 0.4), rounds=True),
    "long rounds": Loop(10, 30_000, lognormal(150, 0.3), rounds=True),
    "long operations": Loop(10, 30_000, lognormal(200, 0.3)),
}
STALLING = {
    "stalling lane": Loop(1, 25_000, exponential(40), stalls=True),
    "stalling lanes": Loop(8, 100_000, exponential(40), stalls=True),
    "stalling queue": Loop(8, 40_000, exponential(20), queue=True, stalls=True),
    "stalling rounds": Loop(10, 60_000, lognormal(25, 0.4), rounds=True, stalls=True),
}


@cache
def beside_others(loop: Loop, seed: int, length: int) -> Played:
    """The loop beside windows of so many ms; several tests look at some of them."""
    return loop.played(seed, length * MS)


def latencies(played: Played) -> list[float]:
    """p50, p95 and p99 as a share of the truth."""
    _, quiet = played.measured()
    found = Distribution.of(quiet.durations, quiet.ended)
    true = [int(percentile(played.undisturbed, level)) for level in LEVELS]
    return [found.percentile(p).value / own for p, own in zip(LEVELS, true, strict=True)]


def rate_of(played: Played) -> QuietRate:
    disturbed, _ = played.measured()
    cycles = Cycles.of(played.start, played.end, played.lane)
    rate = quiet_rate(disturbed, [played.span], cycles)
    assert rate is not None
    return rate


@pytest.mark.parametrize("length", [100, 500])
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_is_told_as_it_is(name: str, length: int) -> None:
    played = beside_others(LOOPS[name], 1, length)
    assert latencies(played) == pytest.approx([1.0] * 3, abs=WITHIN)


@pytest.mark.parametrize("length", [100, 500])
@pytest.mark.parametrize("name", STALLING)
def test_stalls_of_the_contender_are_kept(name: str, length: int) -> None:
    loop = STALLING[name]
    fluent = replace(loop, stalls=False).played(0, length * MS).undisturbed
    # Some hundred stalls a run: four runs, so that their number is no chance.
    runs = [beside_others(loop, seed, length) for seed in range(4)]
    assert percentile(runs[0].undisturbed, 99) > 1.3 * percentile(fluent, 99)
    found = np.mean([latencies(played) for played in runs], axis=0)
    assert found == pytest.approx([1.0] * 3, abs=WITHIN)


@pytest.mark.parametrize("length", [100, 500])
@pytest.mark.parametrize(
    "loop", [one for name, one in (LOOPS | STALLING).items() if name != "heavy tail"]
)
def test_the_rate_and_the_time_of_its_work_are_those_of_a_quiet_host(
    loop: Loop, length: int
) -> None:
    played = beside_others(loop, 1, length)
    rate = rate_of(played)
    work = len(played.start)
    assert not rate.at_least
    assert rate.per_second == pytest.approx(work / played.took * 1e9, rel=WITHIN)
    disturbed, _ = played.measured()
    clock = QuietClock.of(disturbed, played.span, work, rate)
    assert clock.between(*played.span) == pytest.approx(played.took, rel=WITHIN)
    assert played.span[1] > 1.15 * played.took


def test_ends_counted_in_quiet_time_would_tell_another_rate() -> None:
    played = Loop(1, 4000, lognormal(400, 0.3)).played(4, 100 * MS)
    disturbed, _ = played.measured()
    ended = np.count_nonzero(~disturbed.holds(played.end))
    true = len(played.start) / played.took
    assert ended / disturbed.quiet_ns(*played.span) > 1.3 * true
    assert rate_of(played).per_second == pytest.approx(true * 1e9, rel=WITHIN)


def test_what_touches_a_window_left_out_would_flatter() -> None:
    played = STALLING["stalling lanes"].played(5, 500 * MS)
    disturbed, quiet = played.measured()
    whole = Distribution.of(quiet.durations[quiet.ended])
    assert whole.percentile(99).value < 0.97 * percentile(played.undisturbed, 99)
    assert disturbed


def test_quiet_time_begins_when_nothing_of_the_window_is_under_way() -> None:
    start, end = np.array([[0, 40, 160], [90, 130, 200]], np.int64).reshape(2, -1)
    found = disturbed_time(np.array([[100, 110]]), start, end, period=10, limit=999, in_lanes=True)
    # That of 40 ends at 130; who began before the window and ended is not waited for.
    assert (found.begins.tolist(), found.ends.tolist()) == ([100], [130])
    quiet = quiet_operations(found, start, end)
    assert quiet.durations.tolist() == [90, 60, 40]
    assert quiet.ended.tolist() == [True, False, True]


def test_a_lane_comes_round_from_begin_to_begin() -> None:
    start = np.array([0, 0, 10, 15], np.int64)
    end = np.array([8, 12, 20, 19], np.int64)
    cycles = Cycles.of(start, end, np.array([0, 1, 0, 1]))
    assert cycles.begins.tolist() == [0, 10, 0, 15]
    assert cycles.ends.tolist() == [10, 20, 15, 19]
    rate = quiet_rate(UNDISTURBED, [(0, 20)], cycles)
    assert rate is not None
    assert rate.per_second == pytest.approx(4 / 20 * 1e9)


def test_a_rate_whose_longest_cycles_were_cut_off_is_at_least() -> None:
    start = np.array([0, 10, 20, 30], np.int64)
    end = np.array([10, 20, 30, 130], np.int64)
    found = disturbed_time(np.array([[50, 60]]), start, end, period=10, limit=999, in_lanes=True)
    rate = quiet_rate(found, [(0, 200)], Cycles.of(start, end, np.zeros(4, np.int64)))
    assert rate is not None
    assert rate.at_least
    # Three of 10, one of 100 at the most: it took so long beside others.
    assert rate.per_second == pytest.approx(50 / 120 / 32.5 * 1e9)
    assert quiet_rate(found, [(60, 120)], Cycles.of(start[:0], end[:0], start[:0])) is None


def test_a_clock_without_a_pace_tells_the_least() -> None:
    none = np.empty(0, np.int64)
    found = disturbed_time(np.array([[50, 90]]), none, none, period=10, limit=999, in_lanes=True)
    blind = QuietClock(found)
    assert blind.between(0, 200) == 150
    assert not blind.knows(0, 200)
    assert blind.knows(0, 50)
    half = QuietClock.of(found, (0, 200), 7, QuietRate(7 / 175e-9, at_least=False))
    assert half.pace == pytest.approx(0.5)
    assert half.between(0, 200) == 175
    assert half.knows(0, 200)
    least = QuietClock.of(found, (0, 200), 7, QuietRate(7 / 175e-9, at_least=True))
    assert least.pace is None

"""Figures of a ramp: its load changes by design, and what follows it is no cluster."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hdrh.histogram import HdrHistogram

from wirelab.cells.asked import ClosedSteps
from wirelab.cells.by_block import NO_GROUPS
from wirelab.cells.duration_figures import DurationFigures
from wirelab.cells.estimate import Estimate
from wirelab.cells.fairness import long_in_each
from wirelab.cells.intervals import OperationIntervals, by_operation
from wirelab.cells.window import Window
from wirelab.model.planned import PlannedStep
from wirelab.samples.intervals import read
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.bootstrap import Resampling
from wirelab.stats.disturbed import DisturbedTime, disturbed_time, quiet_operations
from wirelab.stats.fairness import QuietStretches, is_attracting
from wirelab.stats.lanes import Cycles, rate_over_steps
from wirelab.stats.survival import Distribution

Ints = npt.NDArray[np.int64]

SECOND = 1_000_000_000
STEPS = ("up", "higher")
LENGTH = 10 * SECOND


def window(*, ramp: bool = True) -> Window:
    """Two steps of ten seconds, one after the other; users come one by one, or are there."""
    lasting = {"ramp_ns": LENGTH} if ramp else {}
    steps = [
        PlannedStep(name=name, first=0, count=1_000, settle=0, users=10, lanes=10, **lasting)
        for name in STEPS
    ]
    spans = tuple((at * LENGTH, (at + 1) * LENGTH) for at in range(len(STEPS)))
    return Window(0, spans, ClosedSteps.of(steps, steps))


def trial(
    seed: int, within: Window, disturbed: DisturbedTime | None = None, factor: float = 1.0
) -> TimedSamples:
    """A hundred requests a second, each of which takes 20 ms for every second that has passed."""
    random = np.random.default_rng(seed)
    at_ns = np.arange(0, 2 * LENGTH, SECOND // 100)
    values = (factor * (20e6 * at_ns / SECOND + random.exponential(20e6, len(at_ns)))).astype(int)
    if disturbed is None:
        return within.cut(values, at_ns)
    quiet = ~disturbed.holds(at_ns)
    ended = random.random(len(at_ns)) > 0.2
    return within.cut(values[quiet], at_ns[quiet], disturbed, ended[quiet])


def figures(trials: Sequence[TimedSamples], *, ramp: bool = True) -> dict[str, Estimate]:
    resampling = Resampling([one.blocks for one in trials], 7, alike=not ramp)
    return DurationFigures(trials, resampling, NO_GROUPS).estimates("request")


def test_a_percentile_of_a_ramp_rests_on_its_requests_and_not_on_its_shape() -> None:
    here = figures([trial(seed, window()) for seed in range(3)])
    as_one_load = figures([trial(seed, window(ramp=False)) for seed in range(3)], ramp=False)
    assert as_one_load["request.p95"].value is None
    for level, expected_ms in (("p50", 220), ("p95", 405)):
        found = here[f"request.{level}"]
        assert found.value == pytest.approx(expected_ms, rel=0.05)
        assert found.effective_n is not None
        assert found.effective_n > 300


def test_where_some_were_cut_off_the_same_holds() -> None:
    disturbed = DisturbedTime(
        np.array([2 * SECOND, 13 * SECOND]), np.array([3 * SECOND, 14 * SECOND])
    )
    here = figures([trial(seed, window(), disturbed) for seed in range(3)])
    found = here["request.p50"]
    assert found.value is not None
    assert not found.at_least


def test_trials_alone_say_how_a_ramp_varies() -> None:
    alone = figures([trial(1, window())])
    assert alone["request.p50"].value is not None
    assert alone["request.p50"].interval is None
    several = figures([trial(seed, window(), factor=1 + seed / 100) for seed in range(3)])
    low, high = several["request.p50"].interval or (0.0, 0.0)
    assert 1.01 < high / low < 1.3


def test_the_parts_of_a_step_are_told_apart() -> None:
    quarter = LENGTH // 4
    at_ns = np.array([0, quarter - 1, quarter, LENGTH - 1, LENGTH, 2 * LENGTH - 1])
    cut = window().cut(np.zeros(6, dtype=np.int64), at_ns)
    assert cut.strata is not None
    assert cut.strata.tolist() == [0, 0, 1, 3, 4, 7]
    assert window(ramp=False).cut(np.zeros(6, dtype=np.int64), at_ns).strata is None


USERS = 20


def closed_loop(random: np.random.Generator) -> tuple[Ints, Ints, Ints]:
    """Begins, ends and lanes of requests of users who come one by one: a request takes as long as
    there are users beside it.
    """
    joined = np.arange(USERS) * (2 * LENGTH // USERS)
    rows = []
    for lane, at in enumerate(joined):
        now = int(at)
        while now < 2 * LENGTH:
            beside = 1 + now * USERS // (2 * LENGTH)
            took = int(random.gamma(8, beside * 15e6 / 8))
            rows.append((now, now + took, lane))
            now += took
    begins, ends, lanes = np.array(sorted(rows), dtype=np.int64).T
    return begins, ends, lanes


def windows(random: np.random.Generator) -> Ints:
    """Windows of 100 ms, two a second, at any time."""
    begins = np.sort(random.integers(0, 2 * LENGTH, 40))
    return np.column_stack([begins, begins + SECOND // 10])


def test_a_part_of_a_ramp_counts_by_its_length_however_much_of_it_is_left_out() -> None:
    random = np.random.default_rng(5)
    whole, parts, plain, rates = [], [], [], []
    for _ in range(40):
        begins, ends, lanes = closed_loop(random)
        disturbed = disturbed_time(
            windows(random), begins, ends, period=SECOND // 10, limit=10 * SECOND, in_lanes=True
        )
        quiet = quiet_operations(disturbed, begins, ends)
        cut = window().cut(quiet.durations, begins[quiet.chosen], disturbed, quiet.ended)
        assert 0.3 < disturbed.quiet_ns(0, 2 * LENGTH) / (2 * LENGTH) < 0.7
        whole.append(Distribution.of(ends - begins).percentile(95).value)
        parts.append(Distribution.of(cut.values, cut.ended, cut.weights).percentile(95).value)
        plain.append(Distribution.of(cut.values, cut.ended).percentile(95).value)
        rate = rate_over_steps(disturbed, window().parts, Cycles.of(begins, ends, lanes))
        assert rate is not None
        rates.append(rate.per_second / (len(begins) / 20))
    assert np.mean(parts) == pytest.approx(np.mean(whole), rel=0.03)
    assert np.mean(plain) < 0.96 * np.mean(whole)
    assert np.mean(rates) == pytest.approx(1, rel=0.04)


def stretches(random: np.random.Generator, *, by_part: bool) -> QuietStretches:
    """Quiet stretches of a ramp beside windows that come five times as often in its second half,
    where requests are slower: the host has less to spare there.
    """
    begins, ends, _ = closed_loop(random)
    late = LENGTH + random.integers(0, LENGTH, 32)
    at_ns = np.sort(np.concatenate([random.integers(0, LENGTH, 8), late]))
    found = np.column_stack([at_ns, at_ns + SECOND // 10])
    disturbed = disturbed_time(
        found, begins, ends, period=SECOND // 10, limit=10 * SECOND, in_lanes=True
    )
    quiet = quiet_operations(disturbed, begins, ends)
    within = (0, 2 * LENGTH)
    strata = window().strata
    if not by_part:
        p95 = Distribution.of(quiet.durations, quiet.ended).percentile(95).value
        return QuietStretches.of(within, disturbed.within(*within), begins, quiet, p95)
    long = long_in_each(quiet, strata(begins[quiet.chosen]))
    return QuietStretches.of(within, disturbed.within(*within), begins, quiet, long, strata=strata)


def test_nobody_attracts_what_comes_where_the_load_is_high() -> None:
    random = np.random.default_rng(3)
    accused = {True: 0, False: 0}
    for by_part in accused:
        for _ in range(60):
            trials = [stretches(random, by_part=by_part) for _ in range(3)]
            accused[by_part] += is_attracting(QuietStretches.pooled(trials))
    assert accused[True] == 0
    assert accused[False] > 2


def test_where_a_step_has_no_quiet_time_the_whole_has_no_figure() -> None:
    disturbed = DisturbedTime(np.array([LENGTH]), np.array([2 * LENGTH]))
    cut = window().cut(np.arange(3), np.array([0, SECOND, 2 * SECOND]), disturbed)
    assert len(cut.values) == 0


def test_a_part_without_quiet_time_is_stood_for_by_its_step() -> None:
    quarter = LENGTH // 4
    disturbed = DisturbedTime(np.array([0]), np.array([quarter]))
    at_ns = np.array([quarter, LENGTH - 1, LENGTH])
    cut = window().cut(np.arange(3), at_ns, disturbed)
    assert cut.weights is not None
    assert cut.weights.tolist() == pytest.approx([4 / 3, 4 / 3, 1])


def recorded(file: Path, begins: Ints, ends: Ints) -> OperationIntervals:
    """The same requests as they are recorded by the second: a line for each tenth of one in which
    some began.
    """
    lines = []
    tenths = begins // (SECOND // 10)
    for tenth in np.unique(tenths).tolist():
        histogram = HdrHistogram(1_000, 120 * SECOND, 3)
        for took in (ends - begins)[tenths == tenth].tolist():
            histogram.record_value(took)
        second, rest = divmod(tenth, 10)
        line = {"second": second, "tenth": rest, "operation": "stage", "step": STEPS[second // 10]}
        lines.append(json.dumps(line | {"service": histogram.encode().decode()}))
    file.write_text("\n".join([*lines, ""]), "utf-8")
    return by_operation(read(file))["stage"]


def test_what_is_recorded_by_the_second_counts_by_the_length_of_its_part_as_well(
    tmp_path: Path,
) -> None:
    random = np.random.default_rng(5)
    whole, found, sizes = [], [], []
    for _ in range(12):
        begins, ends, _ = closed_loop(random)
        lines = recorded(tmp_path / "intervals", begins, ends)
        everything = lines.durations("service", window())
        disturbed = disturbed_time(
            windows(random), begins, ends, period=SECOND // 10, limit=10 * SECOND, in_lanes=True
        )
        quiet = lines.quiet_seconds(window(), disturbed, SECOND)
        whole.append(everything.percentile(95))
        found.append(lines.durations("service", window(), quiet).percentile(95))
        sizes.append(everything.effective_size(everything.highs <= whole[-1]) / len(everything))
    assert np.mean(sizes) > 0.5
    assert np.mean(found) == pytest.approx(np.mean(whole), rel=0.02)

"""Figures of a ramp: its load changes by design, and what follows it is no cluster."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from wirelab.cells.asked import ClosedSteps
from wirelab.cells.by_block import NO_GROUPS
from wirelab.cells.duration_figures import DurationFigures
from wirelab.cells.estimate import Estimate
from wirelab.cells.window import Window
from wirelab.model.planned import PlannedStep
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.bootstrap import Resampling
from wirelab.stats.disturbed import DisturbedTime

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

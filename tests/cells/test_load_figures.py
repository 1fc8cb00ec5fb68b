"""Figures of load cells against what the samples say by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic import MS, SECOND, Client, SyntheticRun, Trial, load_run, load_scenario, spoil
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell

Analysed = Callable[[SyntheticRun], Cell]


@pytest.fixture
def analysed(tmp_path: Path) -> Analysed:
    """The first cell of a run."""
    return lambda run: analyse(run.write(tmp_path / "run"))[0].cells[0]


def value(cell: Cell, name: str) -> float:
    found = cell.metrics[name].value
    assert found is not None
    return found


def in_window(trial: Trial, op: int = 1) -> np.ndarray[Any, np.dtype[np.bool_]]:
    since = trial.samples["intended_ns"] - trial.record["tick0_ns"]
    window: np.ndarray[Any, np.dtype[np.bool_]] = (
        (trial.samples["op"] == op) & (since >= 3 * SECOND) & (since < 60 * SECOND)
    )
    return window


def test_percentiles_are_those_of_the_pooled_samples(analysed: Analysed) -> None:
    run = load_run({"swift": Client()})
    counted = [run.trial("swift", 0), run.trial("swift", 1)]
    cell = analysed(run)
    for kind, since in (("latency", "start_ns"), ("response", "intended_ns")):
        pooled = np.concatenate(
            [(t.samples["end_ns"] - t.samples[since])[in_window(t)] for t in counted]
        )
        for p in (50, 95, 99):
            expected = np.percentile(pooled, p, method="inverted_cdf") / MS
            assert value(cell, f"read.{kind}.p{p}") == pytest.approx(expected, rel=1e-12)
        assert value(cell, f"read.{kind}.mean") == pytest.approx(pooled.mean() / MS)
        assert value(cell, f"read.{kind}.max") == pooled.max() / MS


def test_a_percentile_of_a_cell_is_no_mean_of_its_trials(analysed: Analysed) -> None:
    run = load_run({"swift": Client()})
    slow = run.trial("swift", 1)
    slow.columns(end_ns=slow.samples["end_ns"] + 50 * MS)
    metric = analysed(run).metrics["read.latency.p95"]
    first, second = metric.per_trial
    assert first is not None
    assert second is not None
    assert metric.value is not None
    assert metric.value > (first + second) / 2 + 10


def test_every_figure_lies_within_its_interval(analysed: Analysed) -> None:
    metrics = analysed(load_run({"swift": Client()}, trials=5)).metrics
    judged = {
        name: (metric.interval[0], metric.value, metric.interval[1])
        for name, metric in metrics.items()
        if metric.interval is not None and metric.value is not None
    }
    assert len(judged) == 41
    assert {"read.latency.p99", "read.rate", "cpu.mean", "tick.drift.p50"} <= set(judged)
    for name, (low, figure, high) in judged.items():
        assert low <= figure <= high, name


def test_per_trial_values_are_as_honest_as_the_pooled_one(analysed: Analysed) -> None:
    metric = analysed(load_run({"swift": Client()})).metrics["read.latency.p99"]
    # 1,140 samples support p99; the 570 of one trial do not.
    assert metric.value is not None
    assert metric.per_trial == [None, None]
    assert metric.effective_n is not None
    assert metric.effective_n <= 1140


def test_what_has_too_few_samples_says_how_many_it_needs(analysed: Analysed) -> None:
    metric = analysed(load_run({"swift": Client()})).metrics["write.latency.p95"]
    assert metric.value is None
    assert metric.unsupported is not None
    assert metric.unsupported.code == "too-few-samples"
    assert metric.unsupported.needs == 130
    assert metric.n == 114


def test_correlated_samples_are_worth_less(analysed: Analysed) -> None:
    run = load_run({"swift": Client()})

    def bursts(trial: Trial) -> None:
        slow = (np.arange(len(trial.samples["op"])) // 30) % 10 == 0
        trial.columns(end_ns=trial.samples["end_ns"] + np.where(slow, 20 * MS, 0))

    metric = analysed(spoil(run, "swift", bursts)).metrics["read.latency.p95"]
    assert metric.n == 1140
    assert metric.effective_n is not None
    assert metric.effective_n < 130
    assert metric.value is None


def test_rates_divide_by_the_scheduled_window(analysed: Analysed) -> None:
    run = load_run({"swift": Client()})
    trial = run.trial("swift")
    gone = np.zeros(len(trial.samples["op"]), dtype=bool)
    gone[np.flatnonzero(in_window(trial))[:57]] = True
    trial.drop(gone)
    cell = analysed(run)
    assert cell.metrics["read.rate"].per_trial == [pytest.approx(18_000), pytest.approx(20_000)]
    assert cell.metrics["read.rate"].unit == "tag/s"
    assert value(cell, "write.rate") == pytest.approx(200)
    assert value(cell, "read.attainment") == pytest.approx(95)


def test_warm_up_is_in_no_figure(analysed: Analysed) -> None:
    run = load_run({"swift": Client()})

    def slow_warm_up(trial: Trial) -> None:
        early = trial.samples["intended_ns"] < trial.record["tick0_ns"] + 3 * SECOND
        trial.columns(end_ns=trial.samples["end_ns"] + np.where(early, 60 * MS, 0))

    assert value(analysed(spoil(run, "swift", slow_warm_up)), "read.latency.max") < 20


@pytest.mark.parametrize(
    ("change", "misses"),
    [("late", 3), ("slow", 3), ("failed", 3), ("never", 3), ("twice", 3), ("in time", 0)],
)
def test_a_miss_is_late_failed_or_never_done(analysed: Analysed, change: str, misses: int) -> None:
    run = load_run({"swift": Client()})
    trial = run.trial("swift")
    chosen = np.flatnonzero(in_window(trial))[100:103]
    if change == "late":
        for name in ("start_ns", "end_ns"):
            trial.samples[name][chosen] += 99 * MS
    elif change == "slow":
        trial.samples["end_ns"][chosen] += 99 * MS
    elif change == "in time":
        trial.samples["end_ns"][chosen] += 90 * MS
    elif change == "failed":
        trial.samples["status"][chosen] = 1
    elif change == "never":
        gone = np.zeros(len(trial.samples["op"]), dtype=bool)
        gone[chosen] = True
        trial.drop(gone)
    else:
        # Three ticks done twice, in place of three others: the count alone looks fine.
        others = np.flatnonzero(in_window(trial))[103:106]
        for column in trial.samples.values():
            column[chosen] = column[others]
    cell = analysed(run)
    assert value(cell, "read.miss.count") == misses
    assert value(cell, "read.miss.ratio") == pytest.approx(100 * misses / 1140)


def test_drift_is_of_the_first_operation_of_a_tick(analysed: Analysed) -> None:
    run = load_run({"swift": Client()})

    def late_writes(trial: Trial) -> None:
        writes = trial.samples["op"] == 2
        for name in ("start_ns", "end_ns"):
            trial.columns(**{name: trial.samples[name] + np.where(writes, 5 * MS, 0)})

    cell = analysed(spoil(run, "swift", late_writes))
    assert value(cell, "tick.drift.max") < 1
    assert value(cell, "write.response.p50") > 5


def test_records_may_come_in_any_order(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})
    straight = analyse(run.write(tmp_path / "straight"))[0]
    rng = np.random.default_rng(1)

    def shuffle(trial: Trial) -> None:
        order = rng.permutation(len(trial.samples["op"]))
        trial.samples = {name: column[order] for name, column in trial.samples.items()}

    shuffled = analyse(spoil(run, "swift", shuffle).write(tmp_path / "shuffled"))[0]
    assert shuffled.cells[0].metrics == straight.cells[0].metrics


def test_the_same_folder_gives_the_same_result(tmp_path: Path) -> None:
    folder = load_run({"swift": Client(), "slow": Client(median_ms=9)}).write(tmp_path)
    first = analyse(folder)
    written = (folder / "result.json").read_bytes()
    assert analyse(folder) == first
    assert (folder / "result.json").read_bytes() == written


def test_an_operation_that_was_never_done_has_no_latency_and_all_misses(
    analysed: Analysed,
) -> None:
    run = load_run({"swift": Client()})
    spoil(run, "swift", lambda trial: trial.drop(trial.samples["op"] == 2))
    cell = analysed(run)
    assert cell.metrics["write.latency.p50"].value is None
    assert cell.metrics["write.latency.max"].value is None
    assert value(cell, "write.miss.count") == 114
    assert value(cell, "write.rate") == 0


def test_names_of_suite_statuses(analysed: Analysed) -> None:
    scenario = load_scenario(statuses={"throttled": 64}, bounds={"error_ratio": 1.0})
    run = load_run({"swift": Client()}, scenario=scenario)
    trial = run.trial("swift")
    trial.samples["status"][np.flatnonzero(in_window(trial))[:3]] = [64, 65, 2]
    assert analysed(run).statuses["read"] == {
        "ok": 1137,
        "throttled": 1,
        "status-65": 1,
        "timeout": 1,
    }


def test_a_closed_loop_has_no_schedule_to_miss(analysed: Analysed) -> None:
    cell = analysed(
        load_run(
            {"swift": Client()}, scenario=load_scenario(load={"type": "closed", "at_most": "100ms"})
        )
    )
    assert "tick.drift.p50" not in cell.metrics
    assert "read.attainment" not in cell.metrics
    assert value(cell, "read.miss.ratio") == 0


def test_intervals_of_one_trial_rest_on_its_seconds(analysed: Analysed) -> None:
    cell = analysed(load_run({"swift": Client()}, trials=1, discard=0))
    assert cell.metrics["read.latency.p50"].interval is not None
    assert cell.metrics["cpu.mean"].interval is None


def test_every_metric_of_a_load_cell_is_there(analysed: Analysed) -> None:
    cell = analysed(load_run({"swift": Client()}))
    statistics = ("mean", "p50", "p95", "p99", "p99.9", "max")
    for prefix in ("read.latency", "read.response", "write.latency", "tick.drift"):
        assert {f"{prefix}.{s}" for s in statistics} <= cell.metrics.keys()
    expected = {
        "read.rate",
        "read.attainment",
        "read.miss.count",
        "read.miss.ratio",
        "read.error.count",
        "read.error.ratio",
        "read.cv",
        "cpu.mean",
        "cpu.p95",
        "cpu.max",
        "rss.start",
        "rss.max",
        "rss.growth",
        "switches.voluntary.rate",
        "switches.involuntary.rate",
        "scheduler.delay",
        "heap.max",
        "gc.pause.total",
        "gc.count",
        "server.cpu.mean",
        "server.rss.max",
        "core.cpu.mean",
        "startup.time",
        "net.loopback.rx",
        "net.loopback.tx",
    }
    assert expected <= cell.metrics.keys()
    assert all(
        metric.value is None or math.isfinite(metric.value) for metric in cell.metrics.values()
    )

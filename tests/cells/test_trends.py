"""Trends of a trial: what grows by the hour, told only where the scenario asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic import Client, SyntheticRun, Trial, load_run, load_scenario, spoil
from wirelab.cells.analysis import analyse
from wirelab.model.result import Metric

HOURS = load_scenario().model_copy(update={"trends": True})


def metrics_of(run: SyntheticRun, folder: Path) -> dict[str, Metric]:
    return analyse(run.write(folder))[0].cells[0].metrics


def run_of(client: Client, trials: int = 2) -> SyntheticRun:
    return load_run({"swift": client}, scenario=HOURS, trials=trials, discard=0)


def bounds_of(metric: Metric) -> tuple[float, float]:
    assert metric.interval is not None
    return metric.interval


def test_memory_that_grows_is_seen_and_how_little_would_be(tmp_path: Path) -> None:
    found = metrics_of(run_of(Client(median_ms=2.0, growth_mb=6.0)), tmp_path)
    # 6 MB over the 60 s from tick 0 on are 360 an hour.
    low, high = bounds_of(found["rss.slope"])
    assert 300 < low <= high < 420
    assert found["rss.slope.least"].value is not None
    assert found["rss.slope.least"].value < low


def test_what_stays_as_it_is_has_no_slope(tmp_path: Path) -> None:
    found = metrics_of(run_of(Client(median_ms=2.0)), tmp_path)
    for held in ("descriptors", "threads"):
        assert found[f"{held}.slope"].value == pytest.approx(0.0, abs=1e-9)
        # One more in each of two windows of 57 s.
        assert found[f"{held}.slope.least"].value == pytest.approx(3600 / 57 / 2, rel=0.02)
    low, high = bounds_of(found["read.latency.slope"])
    assert low <= 0 <= high


def test_descriptors_that_are_never_closed_are_seen(tmp_path: Path) -> None:
    def leak(trial: Trial) -> None:
        rows = trial.probe["client"]
        rows["descriptors"] = 12 + np.arange(len(rows["monotonic_ns"])) // 50

    found = metrics_of(spoil(run_of(Client(median_ms=2.0)), "swift", leak), tmp_path)
    low, _ = bounds_of(found["descriptors.slope"])
    assert low > 600  # one in five seconds are 720 an hour


def test_one_trial_has_the_interval_of_its_own_series(tmp_path: Path) -> None:
    found = metrics_of(run_of(Client(median_ms=2.0, growth_mb=6.0), trials=1), tmp_path)
    low, high = bounds_of(found["rss.slope"])
    assert 300 < low <= high < 420
    assert found["rss.slope"].per_trial == [pytest.approx(found["rss.slope"].value)]


def test_runs_stored_before_descriptors_were_read_have_none(tmp_path: Path) -> None:
    run = run_of(Client(median_ms=2.0))
    for trial in run.trials:
        for rows in trial.probe.values():
            del rows["descriptors"]
    found = metrics_of(run, tmp_path)
    assert found["descriptors.slope"].value is None
    assert found["threads.slope"].value is not None


def test_a_scenario_that_asks_for_none_has_none(tmp_path: Path) -> None:
    found = metrics_of(load_run({"swift": Client(median_ms=2.0)}), tmp_path)
    assert found
    assert [name for name in found if "slope" in name] == []


def opened_of(run: SyntheticRun, folder: Path) -> float | None:
    return metrics_of(run, folder)["connections.opened.count"].value


def test_connections_opened_again_are_those_within_the_window(tmp_path: Path) -> None:
    steady = run_of(Client(median_ms=2.0))
    assert opened_of(steady, tmp_path / "steady") == 0
    # The window begins 3 s after tick 0; two trials, each with three of these.
    again = run_of(Client(median_ms=2.0, reconnects_s=(1.0, 10.0, 20.5, 30.0)))
    assert opened_of(again, tmp_path / "again") == 6


def begin_anew(trial: Trial) -> None:
    for event in counts(trial)[30:]:
        event["event"]["items"]["connections"] = 0


def count_something_else(trial: Trial) -> None:
    for event in counts(trial):
        event["event"]["items"] = {"read": 7}


def tell_no_number(trial: Trial) -> None:
    for event in counts(trial):
        event["event"]["items"]["connections"] = "one"


def fall_silent(trial: Trial) -> None:
    last = counts(trial)[30:]
    trial.events["server"] = [event for event in trial.events["server"] if event not in last]


@pytest.mark.parametrize("spoiler", [begin_anew, count_something_else, tell_no_number, fall_silent])
def test_connections_are_not_told_where_nobody_counts_them_all_the_time(
    tmp_path: Path, spoiler: Callable[[Trial], None]
) -> None:
    run = spoil(run_of(Client(median_ms=2.0)), "swift", spoiler)
    assert opened_of(run, tmp_path) is None


def counts(trial: Trial) -> list[dict[str, Any]]:
    found = [one for one in trial.events["server"] if one["event"]["event"] == "served"]
    assert len(found) > 60
    return found

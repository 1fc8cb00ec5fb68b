"""Changes that an hour brought to everybody are no change: runs are compared beside a baseline."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from synthetic import Client, SyntheticRun, load_run
from synthetic.neighbour import every, record_host
from wirelab.cells.analysis import analyse
from wirelab.cli import app

SLOW_HOUR = 1.3


def measured(
    name: str, *, hour: float = 1.0, swift: float = 2.0, trials: int = 9, seed: int = 7
) -> SyntheticRun:
    """Two contenders in an hour that makes everybody so many times as slow."""
    clients = {
        "steady": Client(median_ms=3.0 * hour, trial_spread=0.003),
        "swift": Client(median_ms=swift * hour, trial_spread=0.003),
    }
    run = load_run(clients, trials=trials, count=200, seed=seed)
    run.run = run.run.model_copy(update={"id": name})
    return run


def changed_library(run: SyntheticRun, contender: str) -> SyntheticRun:
    found = run.run.participants[contender]
    library = found.manifest.library.model_copy(update={"version": "2.0.0"})
    manifest = found.manifest.model_copy(update={"library": library})
    other = found.model_copy(update={"manifest": manifest})
    run.run = run.run.model_copy(
        update={"participants": {**run.run.participants, contender: other}}
    )
    return run


@pytest.fixture
def compare(tmp_path: Path):
    def run(old: SyntheticRun, new: SyntheticRun, *options: str) -> Result:
        folders = [str(tmp_path / name) for name in ("old", "new")]
        for folder, one in zip(folders, (old, new), strict=True):
            analyse(one.write(Path(folder)))
        return CliRunner().invoke(app, ["compare", *folders, *options])

    return run


def ratio_of(done: Result, metric: str) -> float:
    """New / old of swift, as it is shown."""
    found = re.search(r" ms +(\d+\.\d+) +\d", line_of(done, metric))
    assert found is not None, done.output
    return float(found[1])


def line_of(done: Result, metric: str) -> str:
    """The line of a figure of swift."""
    own = done.output[done.output.index("demo/main/swift") :].splitlines()
    return next(line for line in own if line.strip().startswith(metric))


def test_a_slow_hour_makes_nobody_worse(compare) -> None:
    done = compare(measured("old"), measured("new", hour=SLOW_HOUR, seed=8), "--all")
    assert "demo/main/swift: no difference shown" in done.output
    assert ratio_of(done, "read.latency.p50") == pytest.approx(1.0, abs=0.04)
    assert done.exit_code == 0
    assert "by how much their ratio to steady, swift (unchanged)" in done.output


def test_who_did_become_slower_is_found_in_a_slow_hour(compare) -> None:
    new = measured("new", hour=SLOW_HOUR, swift=2.4, seed=8)
    done = compare(measured("old"), changed_library(new, "swift"), "--all")
    assert done.exit_code == 1
    assert "demo/main/swift: worse" in done.output
    assert ratio_of(done, "read.latency.p50") == pytest.approx(1.2, abs=0.04)
    # Who changed is nobody's baseline, so that the hour stays in the other's figures.
    assert "their ratio to steady (unchanged) within blocks has changed" in done.output


def test_without_an_unchanged_contender_the_figures_are_compared_as_they_are(compare) -> None:
    new = measured("new", hour=SLOW_HOUR, seed=8)
    for name in ("swift", "steady"):
        new = changed_library(new, name)
    done = compare(measured("old"), new)
    assert done.exit_code == 1
    assert ratio_of(done, "read.latency.p50") == pytest.approx(SLOW_HOUR, abs=0.03)
    assert "ratios: new / old; none could be taken beside" in done.output


def test_what_no_busy_host_disturbs_is_compared_as_it_is(compare) -> None:
    old, new = measured("old"), measured("new", seed=8)
    for trial in new.of("steady"):
        for role in trial.probe.values():
            role["rss_bytes"] = (role["rss_bytes"] * 1.5).astype(np.int64)
    done = compare(old, new, "--all")
    memory = line_of(done, "rss.max")
    assert "steady" in line_of(done, "read.latency.p50")
    assert "steady" not in memory
    assert "no difference shown" in memory


def test_runs_without_blocks_keep_their_rule(compare) -> None:
    # One block that counts gives no interval of a ratio.
    done = compare(measured("old", trials=2), measured("new", hour=SLOW_HOUR, trials=2, seed=8))
    assert "ratios: new / old; none could be taken beside" in done.output


def test_a_run_against_itself_met_the_same_hours(compare) -> None:
    done = compare(measured("same"), measured("same"), "--all")
    assert done.exit_code == 0
    assert "ratios: new / old; none could be taken beside" in done.output


def test_who_did_not_change_is_not_better_where_the_slowest_are_cut_off(compare) -> None:
    old, new = measured("old", swift=400.0), measured("new", swift=400.0, seed=8)
    for trial in new.of("swift"):
        record_host(trial, every(trial, 7))
    assert "better" not in line_of(compare(old, new, "--all"), "read.latency.mean")

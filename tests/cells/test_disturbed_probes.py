"""Probes of a capacity beside other programs: what held, what failed, and what nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.command_lines import said
from synthetic import MS, Client, SyntheticRun, Trial, load_run, load_scenario
from synthetic.neighbour import disturb, quiet_host
from wirelab.model.capacity import CapacityFound, PlannedProbe, Probe
from wirelab.model.run import Run
from wirelab.samples.run_folder import read_result

Judged = Callable[..., Probe]

LOAD = {"type": "open", "period": "100ms"}
WELL: dict[str, Any] = {}
"""Nothing made the trial fail."""


def probed(run: SyntheticRun, bound_ms: float) -> SyntheticRun:
    """The run as a search of which one probe has been made, with a bound on a percentile."""
    capacity = {
        "load": LOAD,
        "parameter": "users",
        "lowest": 10,
        "highest": 400,
        "bounds": [{"metric": "read.response.p95", "at_most": bound_ms}],
    }
    scenario = load_scenario(
        load=None,
        capacity=capacity,
        rankings=[],
        steps={"all": {"title": {"en": "all users"}, "users": "users"}},
        parameters={"users": 400},
        profiles={"quick": {"trials": 1, "count": 600, "probes": 16, "repeats": 1}},
    )
    (trial,) = run.trials
    probe = PlannedProbe(search=0, number=0, load=400, most=16)
    trial.planned = trial.planned.model_copy(update={"probe": probe})
    update = {"scenarios": {"main": scenario}, "plan": [trial.planned]}
    run.run = Run.model_validate(run.run.model_copy(update=update).model_dump())
    return run


def fall_behind(trial: Trial, most_ms: int) -> None:
    """Let a lane be later and later, halfway by so much, and make up for it until the end."""
    place = np.linspace(-1, 1, len(trial.samples["end_ns"]))
    later = (most_ms * MS * (1 - np.abs(place))).astype(np.int64)
    start, end = (trial.samples[name] + later for name in ("start_ns", "end_ns"))
    trial.columns(start_ns=start, end_ns=end)


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """The probe of a run, judged from the command line."""
    numbers = iter(range(100))

    def of(
        bound_ms: float,
        *,
        busy: float = 0.0,
        behind_ms: int = 0,
        lost: bool = False,
        failed: dict[str, Any] = WELL,
    ) -> Probe:
        client = Client(median_ms=40.0, spread=0.1, trial_spread=0.001)
        scenario = load_scenario(load=LOAD)
        run = load_run(
            {"swift": client}, scenario=scenario, trials=1, discard=0, count=1200, warmup=30
        )
        if busy:
            disturb(run.trials, busy, slower=5.0)
        else:
            quiet_host(run)
        fall_behind(run.trials[0], behind_ms)
        run.trials[0].record |= {"lost": lost, **failed}
        folder = probed(run, bound_ms).write(tmp_path / f"run-{next(numbers)}")
        ended = said("analyse", str(folder), cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr
        (cell,) = read_result(folder).cells
        found = CapacityFound.model_validate(cell.remarks["capacity"])
        (probe,) = found.searches[0].probes
        return probe

    return of


def test_what_holds_with_all_that_was_disturbed_holds(judged: Judged) -> None:
    assert judged(60.0).outcome == "held"
    assert judged(400.0, busy=0.2).outcome == "held"
    assert judged(400.0, busy=0.2, lost=True).outcome == "held"


def test_what_is_broken_in_quiet_time_is_broken_by_the_contender(judged: Judged) -> None:
    assert judged(35.0).outcome == "failed"
    assert judged(35.0, busy=0.2).outcome == "failed"


def test_what_is_broken_in_disturbed_time_alone_is_nobodys(judged: Judged) -> None:
    probe = judged(60.0, busy=0.2)
    assert (probe.outcome, probe.reason) == ("host", "read.response.p95")
    # What is shown is the figure that did not hold.
    assert probe.broken is not None
    assert probe.broken.value is not None
    assert probe.broken.value > 60.0


def test_who_falls_behind_by_more_than_others_took_has_failed(
    judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others run for 6 ms of each tenth of a second: 7 s of 120, and none of them is quiet."""
    monkeypatch.setattr("synthetic.neighbour.BUSY_NS", 6 * MS)
    assert judged(60.0, busy=1.0).outcome == "host"
    assert judged(60.0, busy=1.0, behind_ms=20_000).outcome == "failed"


def test_a_probe_that_was_lost_to_the_host_accuses_nobody(judged: Judged) -> None:
    assert judged(35.0, lost=True).outcome == "host"


@pytest.mark.parametrize(
    ("reason", "role", "started", "outcome"),
    [
        ("not-started", "client", ("server", "client"), "host"),
        ("disk-full", "client", ("server", "client"), "host"),
        ("exited", "server", ("server",), "host"),
        ("exited", "server", ("server", "client"), "failed"),
        ("exited", "client", ("server", "client"), "failed"),
    ],
)
def test_a_contender_is_blamed_for_its_own_failures_alone(
    judged: Judged, reason: str, role: str, started: tuple[str, ...], outcome: str
) -> None:
    roles = {name: {"role": name, "command": [], "cpus": []} for name in started}
    failed = {"status": "failed", "reason": reason, "role": role, "roles": roles}
    probe = judged(60.0, failed=failed | {"tick0_ns": None, "environment": None})
    assert (probe.outcome, probe.reason) == (outcome, reason)

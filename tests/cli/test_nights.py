"""A run that takes longer than a night says so before it begins, and what of it fits one."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from synthetic import Client, SyntheticRun, closed_run, closed_scenario
from tree import suites_of_the_tree
from wirelab.cli.nights import NIGHT_S, announce_nights, told
from wirelab.model.planned import PlannedTrial
from wirelab.plan.load import seconds_with_starts
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.run.progress import PlainProgress
from wirelab.samples.run_folder import RunFolder
from wirelab.words.numbers import about

REPOSITORY = Path(__file__).parents[2]
HOUR = 3600
SOCKETS_S, JMS_S = 1729, 6318
"""A trial of the whole grid of the messaging study, by what they took for a delivery."""
PAGES = ("suites/messaging/README.md", "docs/studies/messaging.md")


def run_of_hours(hours: float) -> SyntheticRun:
    """Two trials that take so long together, of which another profile has steps for a minute."""
    short = {"trials": 1, "count": 1, "steps": ["few"]}
    scenario = closed_scenario()
    profiles = {**scenario.model_dump()["profiles"], "short": short, "check": short}
    scenario = closed_scenario(profiles=profiles)
    run = closed_run({"swift": Client()}, scenario=scenario, trials=2, ticks=20)
    load = {"about_ns": round(hours * HOUR / 2 * 1e9)}
    for trial in run.trials:
        planned = trial.planned
        trial.planned = planned.model_copy(update={"load": planned.load.model_copy(update=load)})
    plan = [trial.planned for trial in run.trials]
    run.run = run.run.model_copy(update={"plan": plan})
    return run


def announced(folder: Path) -> list[str]:
    said: list[str] = []
    announce_nights(RunFolder(folder), said.append)
    return said


def of_messaging(profile: str, *scenarios: str) -> list[PlannedTrial]:
    suite = suites_of_the_tree().suite("messaging")
    assert len(suite.runnable) > 25
    return plan(suite.manifest, suite.runnable, Selection(list(scenarios), profile, seed=0))


def test_a_night_needs_no_words(tmp_path: Path) -> None:
    folder = run_of_hours(9).write(tmp_path / "run")
    for record in folder.glob("trials/*/trial.json"):
        record.unlink()
    assert announced(folder) == []


def test_what_is_longer_is_told_by_scenario_with_what_fits(tmp_path: Path) -> None:
    folder = run_of_hours(20).write(tmp_path / "run")
    for record in folder.glob("trials/*/trial.json"):
        record.unlink()
    first, second, last = announced(folder)
    assert first == "about 20 h 00 min, longer than a night: closed 20 h 00 min"
    assert second == "of closed a night has time for: --profile short, 4 s"
    assert last.startswith("Ctrl-C keeps every finished trial")


def test_the_progress_of_a_run_of_hours_is_told_in_hours() -> None:
    trials = [trial.planned for trial in run_of_hours(20).trials]
    shown = io.StringIO()
    PlainProgress(Console(file=shown), lambda _: ()).planned(trials, 0)
    assert shown.getvalue().splitlines() == ["2 trials, about 20 h 00 min"]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(3.2, "4 s"), (60, "1 min"), (61, "2 min"), (3599, "1 h 00 min"), (11_100, "3 h 05 min")],
)
def test_a_time_is_told_as_roughly_as_it_is_known(seconds: float, shown: str) -> None:
    assert about(seconds) == shown


def test_of_a_run_that_is_resumed_the_rest_is_told(tmp_path: Path) -> None:
    folder = run_of_hours(20).write(tmp_path / "run")
    records = sorted(folder.glob("trials/*/trial.json"))
    assert len(records) == 2
    records[0].unlink()
    # Ten hours and the start of a trial are left.
    assert announced(folder)[0].startswith("about 10 h 00 min, longer than a night")


def test_the_whole_grid_of_the_messaging_study_is_no_work_of_a_night() -> None:
    trials = of_messaging("publish", "broadcast")
    contenders = {trial.contender for trial in trials}
    assert len(trials) == 3 * len(contenders)
    sockets, jms = (round(len(trials) * each / HOUR) for each in (SOCKETS_S, JMS_S))
    assert sockets < seconds_with_starts(trials) / HOUR < jms
    suite, study = (" ".join((REPOSITORY / page).read_text("utf-8").split()) for page in PAGES)
    paces = f"{sockets} hours at the pace of sockets and {jms} at that of JMS"
    assert f"With three trials of {len(contenders)} contenders that is {paces}" in suite
    assert f"takes {sockets} to {jms} hours" in study
    scenarios = suites_of_the_tree().suite("messaging").manifest.scenarios
    _, fits, _ = told(of_messaging("publish", "broadcast"), scenarios, "publish")
    assert "--profile night, " in fits
    assert "--profile quick, " in fits
    assert "check" not in fits


@pytest.mark.parametrize("profile", ["night", "quick"])
def test_what_is_offered_fits(profile: str) -> None:
    assert seconds_with_starts(of_messaging(profile, "broadcast")) < NIGHT_S

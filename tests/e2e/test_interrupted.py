"""A run that is interrupted loses nothing that was finished, and leaves nothing running."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.conftest import House
from wirelab.trial import leftovers

pytestmark = pytest.mark.e2e

ARGUMENTS = ("run", "loopback", "--scenario", "s1", "--contender", "honest", "--seed", "3")
Eventually = Callable[..., None]


def second_trial_runs(house: House) -> bool:
    """The first trial is kept, and a client of the second one is at work."""
    return (
        len(list(house.root.glob("results/*/trials/0000-*/trial.json"))) == 1
        and len(list(house.root.glob("results/*/trials/0001-*/client.samples"))) == 1
    )


def nothing_runs(run: str) -> bool:
    return leftovers.marked(lambda mark: mark.startswith(f"{run}/")) == set()


def finished(folder: Path) -> dict[str, str]:
    """Trial: what its samples are, to see that a resumed run does not measure it again."""
    return {
        path.parent.name: path.read_text()
        for path in folder.glob("trials/*/trial.json")
        if json.loads(path.read_text())["status"] == "ok"
    }


def resumed(house: House, folder: Path, before: dict[str, str]) -> None:
    ended = house.wl("run", "--resume", str(folder))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    after = finished(folder)
    assert before.items() <= after.items()
    assert len(after) == 3
    assert json.loads((folder / "result.json").read_text())["complete"] is True


def test_ctrl_c_keeps_finished_trials_and_resume_finishes(
    house: House, eventually: Eventually
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: second_trial_runs(house))
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130, output
    assert "--resume" in output
    folder = house.only_run()
    assert nothing_runs(folder.name)
    result = json.loads((folder / "result.json").read_text())
    assert result["complete"] is False
    before = finished(folder)
    assert len(before) == 1
    resumed(house, folder, before)


def test_kill_9_of_the_core_ends_its_children_and_resume_finishes(
    house: House, eventually: Eventually
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: second_trial_runs(house))
    folder = house.only_run()
    assert not nothing_runs(folder.name)
    process.kill()
    process.communicate(timeout=60)
    eventually(lambda: nothing_runs(folder.name))
    before = finished(folder)
    assert len(before) == 1
    resumed(house, folder, before)


def test_resuming_a_contender_that_has_changed_is_refused(house: House) -> None:
    ended = house.wl(*ARGUMENTS, "--profile", "once")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    path = house.only_run() / "run.json"
    path.write_text(
        path.read_text()
        .replace('"folder_hash":"', '"folder_hash":"0')
        .replace('"folder_hash": "', '"folder_hash": "0')
    )
    refused = house.wl("run", "--resume", str(house.only_run()))
    assert refused.returncode == 2
    assert "has changed since this run began" in refused.stderr

"""A run that is interrupted loses nothing that was finished, and leaves nothing running."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.command_lines import WL, environment
from e2e.conftest import MEASURED, SUITES, SuiteRepository, repository_of_two
from wirelab.processes import leftovers

pytestmark = pytest.mark.e2e

ARGUMENTS = ("run", "loopback", "--scenario", "s1", "--contender", "honest", "--seed", "3")
Eventually = Callable[..., None]


@pytest.fixture(scope="module")
def made(shared_house: SuiteRepository) -> Path:
    """A run of one trial, which nobody changes."""
    ended = shared_house.here(*ARGUMENTS, "--profile", "once")
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    return shared_house.only_run()


@pytest.fixture
def folder(made: Path, house: SuiteRepository) -> Path:
    """A copy of it among the results of the house."""
    return Path(shutil.copytree(made, house.root / "results" / made.name))


def second_trial_runs(house: SuiteRepository) -> bool:
    """The first trial is kept, and a client of the second one is at work."""
    return (
        len(list(house.root.glob("results/*/trials/0000-*/trial.json"))) == 1
        and len(list(house.root.glob("results/*/trials/0001-*/**/client.samples"))) == 1
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


def resumed(house: SuiteRepository, folder: Path, before: dict[str, str]) -> None:
    ended = house.here("run", "--resume", str(folder))
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    after = finished(folder)
    assert before.items() <= after.items()
    assert len(after) == 3
    assert json.loads((folder / "result.json").read_text())["complete"] is True


def test_ctrl_c_keeps_finished_trials_and_resume_finishes(
    house: SuiteRepository, eventually: Eventually
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: second_trial_runs(house))
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    assert "interrupted: analysing the trials that have ended" in output
    assert "--resume" in output
    folder = house.only_run()
    assert nothing_runs(folder.name)
    result = json.loads((folder / "result.json").read_text())
    assert result["complete"] is False
    before = finished(folder)
    assert len(before) == 1
    resumed(house, folder, before)


def test_ctrl_c_ends_the_run_of_every_suite(tmp_path: Path, eventually: Eventually) -> None:
    house = repository_of_two(tmp_path)
    process = house.start("run", "--all", *ARGUMENTS[2:])
    eventually(lambda: len(list(tmp_path.glob("results/*/trials/0000-*/**/client.samples"))) == 1)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    folder = house.only_run()
    assert folder.name.split("-", 2)[2] == "again-quick"
    assert nothing_runs(folder.name)


def test_a_record_that_cannot_be_read_stops_resume_and_is_kept(
    house: SuiteRepository, folder: Path
) -> None:
    """A record of another version is a trial that happened: nothing of it may be deleted."""
    record = next(iter(sorted(folder.glob("trials/*/trial.json"))))
    record.write_text(json.dumps(json.loads(record.read_text()) | {"weather": "fair"}))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for command in (("run", "--resume"), ("analyse",)):
        ended = house.here(*command, str(folder))
        assert ended.returncode == 2, ended.stdout + ended.stderr
        assert f"{record}: weather: " in ended.stderr
        assert "Traceback" not in ended.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_kill_9_of_the_core_ends_its_children_and_resume_finishes(
    house: SuiteRepository, eventually: Eventually
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


def test_resuming_a_contender_that_has_changed_is_refused(
    house: SuiteRepository, folder: Path
) -> None:
    path = folder / "run.json"
    path.write_text(
        path.read_text()
        .replace('"folder_hash":"', '"folder_hash":"0')
        .replace('"folder_hash": "', '"folder_hash": "0')
    )
    refused = house.here("run", "--resume", str(house.only_run()))
    assert refused.returncode == 2
    assert "has changed since this run began" in refused.stderr


@pytest.mark.parametrize("title", ["verify.py of loopback", "contender honest of loopback"])
def test_resuming_with_code_that_has_changed_is_refused(
    house: SuiteRepository, folder: Path, title: str
) -> None:
    path = folder / "run.json"
    stored = json.loads(path.read_text())
    assert stored["code"][title]
    stored["code"][title] = "0"
    path.write_text(json.dumps(stored))
    refused = house.here("run", "--resume", str(house.only_run()))
    assert refused.returncode == 2
    assert f"{title}, or a library, an SDK or a tool of it, has changed" in refused.stderr


@pytest.mark.parametrize(
    ("key", "was", "is_refused"),
    [("operation_limit", 1_500_000_000, True), ("drift_target", 700_000, False)],
)
def test_resuming_a_scenario_that_has_changed_is_refused(
    house: SuiteRepository, folder: Path, *, key: str, was: int, is_refused: bool
) -> None:
    path = folder / "run.json"
    stored = json.loads(path.read_text())
    stored["scenarios"]["s1"][key] = was
    path.write_text(json.dumps(stored))
    ended = house.here("run", "--resume", str(house.only_run()))
    refusal = "scenario s1 of loopback has changed since this run began"
    assert (ended.returncode == 2, refusal in ended.stderr) == (is_refused, is_refused)


def test_resuming_a_contender_that_cannot_run_any_more_says_why(
    house: SuiteRepository, folder: Path
) -> None:
    path = folder / "run.json"
    reason = "it needs 999 processors"
    stored = json.loads(path.read_text())
    suite = house.root / "mine" / "loopback"
    shutil.copytree(SUITES["loopback"], suite)
    (house.root / "mine" / "workers").symlink_to(SUITES["loopback"].parent / "workers")
    stored["suite_folder"] = str(suite)
    path.write_text(json.dumps(stored))
    its = suite / "contenders/honest/contender.toml"
    its.write_text(f"processors = 999\n{its.read_text()}")
    refused = house.here("run", "--resume", str(house.only_run()))
    assert refused.returncode == 2
    assert f"honest is in this run and cannot run here now: {reason}" in refused.stderr


def undone(folder: Path, **changes: str) -> None:
    """Let the only trial of a run have failed."""
    (path,) = folder.glob("trials/*/trial.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "status": "failed", **changes}))


def record_of(folder: Path) -> dict[str, Any]:
    """The record of the only trial of a run."""
    (path,) = folder.glob("trials/*/trial.json")
    record: dict[str, Any] = json.loads(path.read_text())
    return record


def test_a_failure_of_the_host_is_tried_again_from_a_relative_path(
    house: SuiteRepository, folder: Path
) -> None:
    undone(folder, reason="disk-full", detail="no space left")
    ended = house.here("run", "--resume", str(folder.relative_to(house.root)))
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert "trying 1 failed trials again" in ended.stdout
    record = record_of(folder)
    assert (record["status"], record["earlier"]) == ("ok", ["disk-full: no space left"])


def test_a_failure_of_the_contender_stays(house: SuiteRepository, folder: Path) -> None:
    undone(folder, reason="exited", detail="client ended with exit code 1", role="client")
    ended = house.here("run", "--resume", str(folder))
    assert ended.returncode in (4, 5), ended.stdout + ended.stderr
    assert "failed trials again" not in ended.stdout
    assert "1 of 1 trials failed: exited (1)." in ended.stdout
    assert record_of(folder)["status"] == "failed"


def test_resume_remembers_a_contender_outside_of_the_tree(house: SuiteRepository) -> None:
    sabotage = Path(__file__).parents[1] / "sabotage"
    mine, moved = house.root / "mine", house.root / "moved"
    mine.mkdir()
    manifest = (sabotage / "suite/contenders/honest/contender.toml").read_text()
    manifest = manifest.replace('contender = "honest"', 'contender = "mine"')
    workers = str(sabotage / "workers")
    (mine / "contender.toml").write_text(manifest.replace("{source}/../../../workers", workers))
    chosen = ("--scenario", "s1", "--profile", "once", "--contender", "./mine")
    began = house.here("run", "loopback", *chosen)
    assert began.returncode in MEASURED, began.stdout + began.stderr
    folder = house.only_run()
    undone(folder, reason="host", detail="refused")
    ended = house.here("run", "--resume", str(folder))
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert record_of(folder)["status"] == "ok"
    for stranger in ("honest", str(sabotage / "suite/contenders/honest")):
        refused = house.here("run", "--resume", str(folder), "--contender", stranger)
        assert refused.returncode == 2
        assert f"--contender {stranger}: a run that is resumed goes on with" in refused.stderr
    mine.rename(moved)
    gone = house.here("run", "--resume", str(folder))
    assert gone.returncode == 2
    assert f"mine was in {mine}, which is gone" in gone.stderr
    again = house.here("run", "--resume", str(folder), "--contender", str(moved))
    assert again.returncode in MEASURED, again.stdout + again.stderr


@pytest.mark.needs("cargo")
def test_whoever_ends_a_measurement_of_the_truth_ends_its_run(
    tmp_path: Path, eventually: Eventually
) -> None:
    words = ("bench", "truth", "known", "--profile", "smoke", "--out", str(tmp_path / "page"))
    process = subprocess.Popen(
        [*WL, *words],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    samples = "results/truth-known/*/*/trials/*/**/generator.samples"
    eventually(lambda: list(tmp_path.glob(samples)) != [])
    (folder,) = {path.parents[3] for path in tmp_path.glob(samples)}
    assert not nothing_runs(folder.name)
    # A signal to this process alone, and to none that it has started.
    process.terminate()
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert nothing_runs(folder.name)
    assert "interrupted" in (folder.parent / "run.log").read_text()
    assert not (tmp_path / "page" / "truth" / "known.json").exists()

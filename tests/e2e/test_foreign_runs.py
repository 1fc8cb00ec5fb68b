"""A run's folder that somebody else has made is resumed without harm to anything else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from e2e.conftest import MEASURED, SuiteRepository

pytestmark = pytest.mark.e2e

ARGUMENTS = ("run", "loopback", "--scenario", "s1", "--contender", "honest", "--profile", "once")


def refused(house: SuiteRepository, folder: Path, saying: str) -> None:
    ended = house.here("run", "--resume", str(folder))
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert saying in ended.stderr
    assert "Traceback" not in ended.stderr


def test_resuming_removes_nothing_outside_and_executes_nothing_inside(
    house: SuiteRepository,
) -> None:
    assert house.here(*ARGUMENTS).returncode in MEASURED
    folder = house.only_run()
    (trial,) = (folder / "trials").iterdir()
    record = trial / "trial.json"
    record.write_text(
        json.dumps({**json.loads(record.read_text()), "status": "failed", "reason": "host"})
    )

    mine = house.root / "mine"
    trial.rename(mine)
    trial.symlink_to(mine)
    refused(house, folder, f"{trial} is no folder of the run")
    assert (mine / "trial.json").is_file()
    trial.unlink()
    shutil.copytree(mine, trial)

    run = folder / "run.json"
    honest = run.read_text()
    evil = folder / "evil"
    evil.mkdir()
    run.write_text(json.dumps({**json.loads(honest), "elsewhere": {"honest": str(evil)}}))
    refused(house, folder, f"lies in {folder.parent}, as the run does")
    hostile = json.loads(honest)
    hostile["disclosure"]["own"]["python"] = str(evil / "python")
    run.write_text(json.dumps(hostile))
    refused(house, folder, f"lies in {folder.parent}, as the run does")
    run.write_text(honest)

    for name in ("run.partial", "result.partial", "report-en.md.partial"):
        (folder / name).symlink_to(mine / "trial.json")
    before = (mine / "trial.json").read_text()
    ended = house.here("run", "--resume", str(folder))
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert json.loads(record.read_text())["status"] == "ok"
    assert (mine / "trial.json").read_text() == before

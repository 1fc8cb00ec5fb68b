"""A run under way, and what else is asked of its folder meanwhile."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable

import pytest

from e2e.conftest import MEASURED, SuiteRepository

pytestmark = pytest.mark.e2e

ARGUMENTS = ("run", "loopback", "--scenario", "s1", "--contender", "honest", "--seed", "3")


def a_client_works(house: SuiteRepository, trial: str) -> bool:
    return list(house.root.glob(f"results/*/trials/{trial}-*/**/client.samples")) != []


def test_a_run_under_way_is_not_resumed_and_goes_on(
    house: SuiteRepository, eventually: Callable[..., None]
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: a_client_works(house, "0001"), 120.0)
    folder = house.only_run()
    holder = json.loads((folder / "run.lock").read_text())
    refused = house.here("run", "--resume", str(folder))
    assert refused.returncode == 2
    said = f"process {holder['pid']} on {holder['host']} since {holder['since']}"
    assert said in refused.stderr
    analysed = house.here("analyse", str(folder))
    assert analysed.returncode == 0, analysed.stderr
    assert said in analysed.stderr
    output, _ = process.communicate(timeout=120)
    assert process.returncode in MEASURED, output
    records = [json.loads(p.read_text()) for p in folder.glob("trials/*/trial.json")]
    assert [record["status"] for record in records] == ["ok"] * 3
    assert (folder / "run.lock").read_text() == ""


def test_a_run_that_was_killed_is_resumed(
    house: SuiteRepository, eventually: Callable[..., None]
) -> None:
    process = house.start(*ARGUMENTS, "--profile", "once")
    eventually(lambda: a_client_works(house, "0000"), 120.0)
    folder = house.only_run()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert json.loads((folder / "run.lock").read_text())["pid"] == process.pid
    resumed = house.here("run", "--resume", str(folder))
    assert resumed.returncode in MEASURED, resumed.stdout + resumed.stderr

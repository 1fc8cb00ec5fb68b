"""Trials that a neighbour takes, and those that make up for them, in a run of real processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import MEASURED, SuiteRepository
from wirelab.processes.neighbour import Bursts, BusyNeighbour

pytestmark = pytest.mark.e2e

Eventually = Callable[..., None]


def record_of(folder: Path, trial: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / f"trials/{trial}/trial.json").read_text("utf-8"))
    return loaded


def test_trials_that_a_neighbour_took_are_run_again(tmp_path: Path, eventually: Eventually) -> None:
    house = SuiteRepository(tmp_path, "metronome")
    # Here all others count, those that are tests as well.
    house.environment.pop("WIRELAB_BESIDE", None)
    contenders = ("--contender", "steady", "--contender", "slower")
    always = Bursts(duty=1.0, seed=4711, seconds=120)
    with BusyNeighbour(always, tmp_path / "neighbour.jsonl", processes=1):
        process = house.start(
            *("run", "metronome", "--profile", "once", "--make-up", "40s", "--seed", "3"),
            *contenders,
        )
        eventually(lambda: len(list(house.root.glob("results/*/trials/*/trial.json"))) == 2, 120.0)
    said, _ = process.communicate(timeout=120)
    assert process.returncode in MEASURED, said
    assert "up to 40 s more for trials that are run again" in said
    assert said.count("lost to the host, disturbed") >= 2
    assert "lost to the host, run again: s1 / s" in said
    folder = house.only_run()
    plan = json.loads((folder / "run.json").read_text("utf-8"))["plan"]
    first = {trial["id"]: trial for trial in plan if not trial["make_up"]}
    assert len(first) == 2
    for trial in first:
        record = record_of(folder, trial)
        assert (record["lost"], record["status"]) == (True, "ok")
        assert record["disturbed"] > 0.5
    again = [trial for trial in plan if trial["make_up"]]
    # Both were lost, so that one block makes up for both, unless others take it as well.
    assert {trial["repeats"] for trial in again if trial["block"] == 1} == set(first)
    result = json.loads((folder / "result.json").read_text("utf-8"))
    assert result["complete"] is True
    for cell in result["cells"]:
        own = [t for t in plan if t["contender"] == cell["contender"]]
        kept = [t["id"] for t in own if not record_of(folder, t["id"])["lost"]]
        assert cell["trials"] == (kept or [trial["id"] for trial in own])
        gone = {t for t, why in cell["other_trials"].items() if why == "lost-to-the-host"}
        assert gone == {trial["id"] for trial in own} - set(cell["trials"])
        assert "lost-trials" in {finding["gate"] for finding in cell["findings"]}
    assert "(lost trials)" in (folder / "report-en.md").read_text("utf-8")
    assert "잃은 회차" in (folder / "report-ko.md").read_text("utf-8")

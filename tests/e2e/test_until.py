"""Runs that add blocks until their ratios are known: workers whose times are made up."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import MEASURED, SuiteRepository
from wirelab.stats.stopping import LOOKS

pytestmark = pytest.mark.e2e

Json = dict[str, Any]
Eventually = Callable[..., None]


def arguments(*contenders: str, until: str = "5%", **more: str) -> list[str]:
    named = [word for name in contenders for word in ("--contender", name)]
    options = [
        word for key, value in more.items() for word in (f"--{key.replace('_', '-')}", value)
    ]
    return [
        "run",
        "metronome",
        "--profile",
        "once",
        "--until",
        until,
        "--seed",
        "3",
        *named,
        *options,
    ]


def read(folder: Path, name: str) -> Json:
    loaded: Json = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return loaded


@pytest.fixture
def metronome(tmp_path: Path) -> SuiteRepository:
    return SuiteRepository(tmp_path, "metronome")


def test_a_run_goes_on_by_its_rule_after_an_interruption_and_says_what_stopped_it(
    metronome: SuiteRepository, eventually: Eventually
) -> None:
    process = metronome.start(*arguments("steady", "slower"))
    eventually(lambda: len(list(metronome.root.glob("results/*/trials/0004-*"))) == 1, 120.0)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "known within 5.0 %" in said
    folder = metronome.only_run()
    before = read(folder, "run")
    assert before["until"]["baselines"] == ["steady", "slower"]
    assert before["until"]["stopped_by"] is None
    # Blocks are as short as the scenario says, whatever the profile asks for.
    assert {trial["load"]["count"] for trial in before["plan"]} == {20}
    assert read(folder, "result")["complete"] is False

    ended = metronome.here("run", "--resume", str(folder))
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    run, result = read(folder, "run"), read(folder, "result")
    assert run["plan"][: len(before["plan"])] == before["plan"]
    assert run["until"] == before["until"] | {"stopped_by": "narrow"}
    # Nothing differs from block to block, so that the first look is the last one.
    assert len(run["plan"]) == 2 * LOOKS[0]
    blocks = [{t["contender"] for t in run["plan"] if t["block"] == n} for n in range(LOOKS[0])]
    assert all(block == {"steady", "slower"} for block in blocks)
    assert result["complete"] is True
    (width,) = result["widths"]
    assert (width["blocks"], width["baseline"], width["contender"]) == (8, "steady", "slower")
    assert "8 blocks: slower / steady is known within" in ended.stdout
    assert "after 8 blocks" in (folder / "report-en.md").read_text("utf-8")
    assert "블록 8개" in (folder / "report-ko.md").read_text("utf-8")
    # What the run before has seen tells what a difference takes, before anything is measured.
    again = metronome.here(*arguments("steady", "slower", at_most="1s"))
    assert again.returncode in MEASURED, again.stdout + again.stderr
    before_it, _ = again.stdout.split("2 trials, about")
    assert "blocks do not differ: any difference shows" in before_it


def test_a_run_stops_when_its_time_is_up_and_says_how_much_is_known(
    metronome: SuiteRepository,
) -> None:
    ended = metronome.here(*arguments("wavering", "steady", at_most="1s", baseline="steady"))
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    folder = metronome.only_run()
    run, result = read(folder, "run"), read(folder, "result")
    assert run["until"]["stopped_by"] == "time"
    # A block is not begun that would not end in time, but one is measured in any case.
    assert {trial["block"] for trial in run["plan"]} == {0}
    assert result["complete"] is True
    assert "when its time of 1 s was up (blocks: 1)" in " ".join(
        ended.stdout.replace("\u00a0", " ").split()
    )

"""Callers of a client in C# that await, and that hold a thread until they have an answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs

pytestmark = [pytest.mark.e2e, pytest.mark.needs("dotnet"), pytest.mark.left_to_all]

CLIENT = "csharp-npgsql"
WAITS = {"callers": (False, 0), "callers-blocking": (True, 0), "callers-threads": (True, 64)}
"""By scenario: whether callers block, and with how many threads the pool begins; 0: its own."""

CALLERS, TICKS = 50, 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = (*whole_runs.only("--scenario", WAITS), "--contender", CLIENT)
    here = tmp_path_factory.mktemp("callers")
    options = ("--profile", "check", "--seed", "7")
    return whole_runs.run_suite(here, "kv", *chosen, *options)


@pytest.mark.parametrize("scenario", WAITS)
def test_fifty_callers_are_answered_however_they_wait(folder: Path, scenario: str) -> None:
    whole_runs.no_trial_failed(folder)
    cells: list[dict[str, Any]] = whole_runs.cells_of(whole_runs.result_of(folder), scenario, "c50")
    (cell,) = cells
    # One that the host disturbed is run again, and counts beside it.
    assert set(cell["statuses"]["read"]) == {"ok"}
    assert cell["statuses"]["read"]["ok"] % (CALLERS * TICKS) == 0


@pytest.mark.parametrize("scenario", WAITS)
def test_the_client_was_told_how_to_wait(folder: Path, scenario: str) -> None:
    spec = json.loads(
        next(folder.glob(f"trials/*-{scenario}-{CLIENT}/client.spec.json")).read_text()
    )
    told = spec["parameters"]
    assert (told.get("blocking", False), told.get("threads_min", 0)) == WAITS[scenario]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_report_has_the_three_side_by_side(folder: Path, language: str) -> None:
    page = (folder / f"report-{language}.md").read_text("utf-8")
    assert 'id="callers"' in page

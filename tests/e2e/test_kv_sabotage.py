"""Key-value clients that answer wrongly in one way each, through the real core and harness.

Each is accused by the gates of answers, or by that of time between operations, and no figure of it
is left. Gates that may speak of the
machine the tests run on are not asked to be silent.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import SABOTAGED, SuiteRepository
from e2e.whole_runs import left_of

pytestmark = [pytest.mark.e2e]

OF_ANSWERS = {"wrong-answer", "loss-or-error", "trial-failed", "fast-not-found"}
BETWEEN = "between-operations"
ACCUSED_OF = {
    "honest": set[str](),
    # Always like before: only who knows what is right can tell.
    "answers-from-a-cache": {"wrong-answer", "fast-not-found"},
    # What is missing the first time is what the worker holds later answers against.
    "drops-keys": {"wrong-answer", "loss-or-error", "fast-not-found"},
    # What the worker itself sees before the start ends the trial there.
    "collapses-duplicates": {"trial-failed"},
    "swallows-errors": {"wrong-answer", "loss-or-error"},
    "forgets-the-order": {"trial-failed", "wrong-answer"},
    "unpacks-later": {BETWEEN},
    "unpacks": set[str](),
    "claims-pauses": {"trial-failed"},
}
"""Contender: all gates that speak of its answers and of when it reads them."""


class Results:
    """Files of the run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        result = json.loads((folder / "result.json").read_text())
        self.cells: dict[str, dict[str, Any]] = {
            cell["contender"]: cell for cell in result["cells"] if cell["step"]
        }
        self.details = {
            path.parent.name: json.loads(path.read_text()).get("detail", "")
            for path in folder.glob("trials/*/trial.json")
        }
        self.report = (folder / "report-en.md").read_text()

    def spoken(self, contender: str) -> set[str]:
        """Gates that found something."""
        findings = self.cells[contender]["findings"]
        return {finding["gate"] for finding in findings if finding["verdict"] != "valid"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    house = SuiteRepository(tmp_path_factory.mktemp("record-table"), "record-table")
    ended = house.here("run", "record-table", "--profile", "once", "--seed", "1")
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return Results(house.only_run())


def test_every_contender_is_expected_here(run: Results) -> None:
    assert set(run.cells) == set(ACCUSED_OF)


@pytest.mark.parametrize("contender", ACCUSED_OF)
def test_it_is_accused_of_what_it_does(run: Results, contender: str) -> None:
    assert run.spoken(contender) & (OF_ANSWERS | {BETWEEN}) == ACCUSED_OF[contender], run.details


def test_a_pause_that_its_lane_did_not_make_is_named(run: Results) -> None:
    (detail,) = [said for name, said in run.details.items() if "claims-pauses" in name]
    assert "being put into words" in detail


@pytest.mark.parametrize("contender", [name for name, gates in ACCUSED_OF.items() if gates])
def test_what_is_wrong_has_no_figures(run: Results, contender: str) -> None:
    metrics = run.cells[contender]["metrics"].items()
    usable = [name for name, metric in metrics if "latency" in name and metric["value"] is not None]
    assert usable == [] or run.cells[contender]["verdict"] == "invalid"


def test_the_honest_one_has(run: Results) -> None:
    # How many percentiles there are depends on the machine: what is withheld is all of them.
    assert run.cells["honest"]["metrics"]["read.latency.max"]["value"] > 0


def test_nothing_is_left(run: Results) -> None:
    assert left_of(run.folder) == set()

"""Messaging that goes wrong in one way each, through the real core and the Python harness.

Each is named by the gate it is a matter of, and counted exactly. Gates that may speak of the
machine the tests run on are not asked to be silent.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import SABOTAGED, SuiteRepository
from wirelab.processes import leftovers

pytestmark = [pytest.mark.e2e]

DELIVERIES = 20 * 20 * 20

ACCUSED_OF = {
    ("telling", "honest"): set[str](),
    ("telling", "drops"): {"loss-or-error"},
    ("telling", "duplicates"): {"duplicated"},
    ("telling", "reorders"): {"reordered"},
    ("telling", "changes-a-byte"): {"wrong-answer", "loss-or-error"},
    ("telling", "forgets-a-user"): {"loss-or-error"},
    ("telling", "tells-at-home"): {"less-traffic"},
    ("asking", "honest"): set[str](),
    ("asking", "answers-the-previous"): {"wrong-answer", "loss-or-error"},
    ("asking", "answers-itself"): {"wrong-answer", "loss-or-error"},
    # It waits for nobody, so it never hears what is asked of it while it works.
    ("asking", "forges-answers"): {"less-traffic", "wrong-answer"},
}
"""Scenario and contender: all gates that speak of its messages."""

OF_MESSAGES = set[str]().union(*ACCUSED_OF.values()) | {"trial-failed", "clock"}

COUNTED = {
    "drops": ("delivery.loss.count", "lost", 8),
    "forgets-a-user": ("delivery.loss.count", "lost", 400),
    "duplicates": ("delivery.duplicate.count", "duplicates", 20),
    "reorders": ("delivery.reorder.count", "reordered", 10),
}
"""Contender: the metric that must be what the server did, its word for it, and how often."""


class Results:
    """Files of the run."""

    def __init__(self, folder: Path) -> None:
        self.id = folder.name
        result = json.loads((folder / "result.json").read_text())
        self.cells = {
            (cell["scenario"], cell["contender"]): cell for cell in result["cells"] if cell["step"]
        }
        self.records: dict[tuple[str, str], Any] = {}
        self.done: dict[tuple[str, str], dict[str, int]] = {}
        for path in folder.glob("trials/*/trial.json"):
            record = json.loads(path.read_text())
            key = record["planned"]["scenario"], record["planned"]["contender"]
            self.records[key] = record
            said = path.parent / "server/sabotage.json"
            self.done[key] = json.loads(said.read_text()) if said.exists() else {}
        self.report = (folder / "report-en.md").read_text()

    def spoken(self, key: tuple[str, str]) -> set[str]:
        """Gates that found something."""
        return {f["gate"] for f in self.cells[key]["findings"] if f["verdict"] != "valid"}

    def metric(self, contender: str, name: str) -> float | None:
        """Value of a metric of the broadcasts."""
        value: float | None = self.cells["telling", contender]["metrics"][name]["value"]
        return value


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    house = SuiteRepository(tmp_path_factory.mktemp("mailbox"), "mailbox")
    arguments = ("run", "mailbox", "--profile", "once", "--seed", "1")
    ended = house.here(*arguments)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return Results(house.only_run())


def test_every_contender_is_expected_here(run: Results) -> None:
    assert set(run.cells) == set(ACCUSED_OF)


@pytest.mark.parametrize("key", ACCUSED_OF, ids="-".join)
def test_it_is_accused_of_what_it_does_and_of_nothing_else(
    run: Results, key: tuple[str, str]
) -> None:
    assert run.spoken(key) & OF_MESSAGES == ACCUSED_OF[key], run.records[key]["detail"]


@pytest.mark.parametrize("contender", COUNTED)
def test_the_metric_is_exactly_what_the_server_did(run: Results, contender: str) -> None:
    metric, word, times = COUNTED[contender]
    assert run.done["telling", contender][word] == times
    assert run.metric(contender, metric) == times


def test_nobody_else_loses_anything(run: Results) -> None:
    assert run.metric("honest", "delivery.expected.count") == DELIVERIES
    assert run.metric("honest", "delivery.received.count") == DELIVERIES
    for name in ("loss", "duplicate", "reorder", "wrong"):
        assert run.metric("honest", f"delivery.{name}.count") == 0


def test_a_user_that_never_completes_is_counted(run: Results) -> None:
    findings = {f["gate"]: f for f in run.cells["telling", "forgets-a-user"]["findings"]}
    complete = findings["loss-or-error"]["evidence"]["operations"]["complete"]
    assert complete["statuses"] == {"timeout": 1}


def test_what_came_changed_has_no_figures(run: Results) -> None:
    metrics = run.cells["telling", "changes-a-byte"]["metrics"]
    assert {"delivery.latency.p50", "delivery.loss.count"} <= set(metrics)
    assert all(metric["value"] is None for metric in metrics.values())


def test_the_report_names_them(run: Results) -> None:
    assert "less traffic than answers" in run.report
    assert f"8 of {DELIVERIES:,} never came" in run.report


def test_nothing_is_left(run: Results) -> None:
    assert not leftovers.marked(lambda mark: mark.startswith(f"{run.id}/"))

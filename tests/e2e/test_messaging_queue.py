"""A queue that clients share, of real brokers, as a user runs it: who gets what, and after a death.

One broker that waits for acknowledgements and one that does not: the same death, told apart by what
is lost.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from wirelab.samples import intervals

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.left_to_all]

ACKNOWLEDGED, FORGOTTEN = "jms-artemis", "rabbitmq"
SENT = {"queue": 20 * 8, "queue-death": 30 * 8}
"""Eight messages at each tick after those in which clients connect."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("messaging", ACKNOWLEDGED, FORGOTTEN)
    asked = (
        *whole_runs.only("--scenario", SENT),
        *whole_runs.only("--contender", (ACKNOWLEDGED, FORGOTTEN)),
    )
    here = tmp_path_factory.mktemp("queue")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def counted(run: Path) -> dict[tuple[str, str], dict[str, int]]:
    """Counts of each trial, by scenario and contender."""
    whole_runs.no_trial_failed(run)
    found: dict[tuple[str, str], dict[str, int]] = {}
    for name, record in whole_runs.records_of(run).items():
        planned: dict[str, Any] = record["planned"]
        sums: dict[str, int] = {}
        for line in intervals.read(run / "trials" / name / "client.intervals.jsonl"):
            for key, count in line.counts.items():
                sums[key] = sums.get(key, 0) + count
        found[planned["scenario"], planned["contender"]] = sums
    both = (ACKNOWLEDGED, FORGOTTEN)
    assert set(found) == {(scenario, contender) for scenario in SENT for contender in both}
    for (scenario, _contender), sums in found.items():
        assert sums["expected"] == SENT[scenario]
    return found


@pytest.mark.parametrize("contender", [ACKNOWLEDGED, FORGOTTEN])
def test_each_message_is_for_one_and_everybody_gets_some(
    counted: dict[tuple[str, str], dict[str, int]], contender: str
) -> None:
    sums = counted["queue", contender]
    assert (sums["received"], sums["duplicates"], sums["wrong"]) == (SENT["queue"], 0, 0)
    by_user = [sums[f"user.{user}"] for user in range(4)]
    assert sum(by_user) == SENT["queue"]
    assert all(by_user), by_user


def test_who_acknowledges_loses_nothing_and_gets_again_what_the_dead_one_had(
    counted: dict[tuple[str, str], dict[str, int]],
) -> None:
    sums = counted["queue-death", ACKNOWLEDGED]
    assert (sums["received"], sums["duplicates"]) == (SENT["queue-death"], 0)
    assert sums["redelivered"] > 0
    # The dead one stopped while others went on.
    assert sums["user.1"] < min(sums[f"user.{user}"] for user in (0, 2, 3))


def test_who_does_not_loses_what_the_dead_one_had(
    counted: dict[tuple[str, str], dict[str, int]],
) -> None:
    sums = counted["queue-death", FORGOTTEN]
    assert sums["redelivered"] == 0
    assert 0 < sums["expected"] - sums["received"] < SENT["queue-death"] / 4


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "Queues: clients who compete for messages"),
        ("ko", "큐: 메시지를 나눠 받는 클라이언트"),
    ],
)
def test_the_report_tells_of_it(run: Path, language: str, heading: str) -> None:
    assert heading in (run / f"report-{language}.md").read_text("utf-8")
    metrics = {
        cell["contender"]: cell["metrics"]
        for cell in whole_runs.cells_of(whole_runs.result_of(run), "queue", "shared")
    }
    assert {"delivery.evenness", "delivery.redelivered.count"} <= set(metrics[ACKNOWLEDGED])

"""A mesh of applications and a hub, as a user runs them: everybody is reached by everybody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others

pytestmark = [pytest.mark.e2e, pytest.mark.long(1), pytest.mark.left_to_all]

MODES = {"socket": "direct", "socket-mesh": "mesh"}
DELIVERIES = {
    "a2": 2 * 5 * 2,
    "a8": 8 * 5 * 8,
    # As a whole with what two of them send while the others join, which is owed to the two alone.
    "": 2 * 5 * 2 + 2 * 10 * 2 + 8 * 5 * 8,
}
"""Ticks that count are 5 of 15 in each step; in the first one nobody sends while it settles."""

ACCUSED = {"less-traffic", "loss-or-error", "duplicated", "wrong-answer", "reordered"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("messaging", *MODES)
    # So large that more than other programs' traffic would be missing if the gate expected a hub's.
    large = ("--set", "message_bytes=10000")
    asked = ("--scenario", "applications", *whole_runs.only("--contender", MODES), *large)
    here = tmp_path_factory.mktemp("applications")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


def test_everybody_is_reached_by_everybody_with_a_hub_and_without(run: Path) -> None:
    whole_runs.no_trial_failed(run)
    cells = whole_runs.cells_of(whole_runs.result_of(run), "applications")
    # Besides its steps a trial has a cell as a whole.
    found = {(cell["contender"], cell["step"]): cell for cell in cells}
    assert set(found) == {(name, step) for name in MODES for step in DELIVERIES}
    for (name, step), cell in found.items():
        assert cell["mode"] == MODES[name]
        metrics = cell["metrics"]
        counts = [metrics[f"delivery.{of}.count"]["value"] for of in ("expected", "received")]
        assert counts == [DELIVERIES[step]] * 2, (name, step)
        assert metrics["delivery.duplicate.count"]["value"] == 0
        # Those of the step before stay: two, then six more.
        assert sum(cell["statuses"]["connect"].values()) == {"a2": 2, "a8": 6, "": 8}[step]
        assert {finding["gate"] for finding in cell["findings"]} & ACCUSED == set()
    # Steps are long enough to be looked at.
    memory = [
        cell["metrics"][of]["value"]
        for (_, step), cell in found.items()
        for of in ("rss.max", "server.rss.max")
        if step
    ]
    assert len(memory) == 2 * 2 * len(MODES)
    assert min(memory) > 0


@pytest.mark.parametrize(
    ("language", "heading", "row", "costs"),
    [
        (
            "en",
            "A mesh against a hub: the study's figures 1 and 2",
            "| mesh: connections | 1 | 28 |",
            "one more application, MB",
        ),
        (
            "ko",
            "메시와 허브: 원문의 그림 1과 2",
            "| 메시: 연결 수 | 1 | 28 |",
            "애플리케이션 하나를 추가할 때 늘어나는 메모리(MB)",
        ),
    ],
)
def test_the_report_tells_of_both(
    run: Path, language: str, heading: str, row: str, costs: str
) -> None:
    text = (run / f"report-{language}.md").read_text("utf-8")
    assert heading in text
    assert row in text
    # Of the first step nobody knows what one more costs, of the second one it is a number.
    found = re.findall(rf"\| {re.escape(costs)} \| – \| ([−\d.]+) \|", text)
    assert len(found) == len(MODES)

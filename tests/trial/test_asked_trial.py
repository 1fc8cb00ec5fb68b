"""Trials in which answers are asked for afterwards: what becomes of those who cheat."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from wirelab.manifest import load_contender, load_suite
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.processes import leftovers
from wirelab.trial.launch import Launch
from wirelab.trial.rules import rules_of
from wirelab.trial.setup import TrialSetup
from wirelab.trial.trial import Trial

SABOTAGE = Path(__file__).parents[1] / "sabotage"
WORKERS = SABOTAGE / "workers"
SUITE = load_suite(SABOTAGE / "suite/suite.toml")
SCENARIO = SUITE.scenarios["s1"]
HONEST = load_contender(SABOTAGE / "suite/contenders/honest/contender.toml", SUITE)


@pytest.fixture
def planned() -> PlannedTrial:
    [trial] = plan(SUITE, [HONEST], Selection(["s1"], "once", 1))
    return trial


def carried_out(folder: Path, planned: PlannedTrial, way: str) -> TrialRecord:
    """The trial of a client that answers in this way."""
    client = [sys.executable, str(WORKERS / "asked.py"), way]
    launches = {
        "server": Launch("server", [sys.executable, str(WORKERS / "reference.py")], {}, []),
        "client": Launch("client", client, {}, []),
    }
    return Trial(
        planned, TrialSetup(folder.name, SCENARIO, launches, rules_of(SABOTAGE / "suite")), folder
    ).run()


def test_an_honest_client_is_asked_at_random_and_accused_of_nothing(
    tmp_path: Path, planned: PlannedTrial
) -> None:
    record = carried_out(tmp_path, planned, "Reference")
    assert (record.status, record.detail, record.wrong_answers) == (TrialStatus.OK, "", [])
    spec = json.loads((tmp_path / "client.spec.json").read_text())
    assert (spec["contract"], spec["verify"]) == (2, {"preflight": {"read": 2, "write": 1}})
    lines = [
        json.loads(line) for line in (tmp_path / "client.answers.jsonl").read_text().splitlines()
    ]
    given = [line for line in lines if "asked" in line and "answer" in line]
    assert record.asked is not None
    assert record.asked >= 20
    assert len(given) >= record.asked // 2
    assert record.verified == len(given) + 3


def test_an_exception_while_roles_are_at_work_ends_their_trial_alone(
    tmp_path: Path, planned: PlannedTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unexpected(*_: object) -> None:
        raise LookupError("nobody expected this")

    monkeypatch.setattr("wirelab.trial.trial.grace_ns", unexpected)
    record = carried_out(tmp_path, planned, "Reference")
    assert (record.status, record.reason) == (TrialStatus.FAILED, "harness-failed")
    assert record.detail.startswith("LookupError: nobody expected this (test_asked_trial.py:")
    ended = [json.loads(line) for line in (tmp_path / "server.events.jsonl").open()]
    assert ended
    assert not leftovers.marked(lambda mark: mark.startswith(f"{tmp_path.name}/"))


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("Caches", "values are not those of generation"),
        ("Fetches", "values are not those of generation"),
        ("HoldsOpen", "fetched when asked for"),
        ("Invents", "no record has the stamps of this answer"),
        ("Declines", "answers asked for were not given, without a reason"),
        ("Remembers", "of the lane since: an old answer"),
    ],
)
def test_a_client_that_cheats_is_accused_of_that(
    tmp_path: Path, planned: PlannedTrial, way: str, words: str
) -> None:
    record = carried_out(tmp_path, planned, way)
    assert (record.status, record.detail) == (TrialStatus.OK, "")
    assert any(words in one for one in record.wrong_answers), record.wrong_answers

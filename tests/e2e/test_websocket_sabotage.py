"""Every way a WebSocket server can misbehave, through the real core and the real engine.

Each is named by the gate it is a matter of, and counted exactly. Gates that may speak of the
machine the tests run on (such as ``stood-still`` and ``generator-saturated``) are asked for where
they must speak; that they are silent elsewhere cannot be asked of a machine that others use.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from e2e.whiteboards import Results, a_house, a_tenth_of_a_core, cheating, measured
from e2e.whole_runs import REPOSITORY, left_of, only

pytestmark = [pytest.mark.e2e, pytest.mark.long(3), pytest.mark.needs("cargo")]

USERS = 40
MESSAGES = 8
"""Messages of each user in the seconds that count."""
OTHERS = 19
"""Members of a board who are not the sender."""

ACCUSED_OF = {
    "honest": set[str](),
    "drops": {"loss-or-error"},
    "duplicates": {"duplicated"},
    "reorders": {"reordered"},
    "wrong-board": {"wrong-answer", "loss-or-error"},
    "changes-content": {"wrong-answer", "loss-or-error"},
    "speaks-nonsense": {"wrong-answer"},
    "answers-the-sender-only": {"loss-or-error"},
    "stalls": set[str](),  # see below: not a matter of the messages
    "refuses-connections": {"loss-or-error"},
    "drops-connections": {"loss-or-error"},
    "breaks-frames": {"wrong-answer", "loss-or-error"},
    "stops-reading": {"loss-or-error"},
    "never-joins": {"loss-or-error"},
    "closes-at-handshake": {"trial-failed"},
}
"""Contender: all gates that speak of its messages."""

CHEATS = {
    "reads-by-place": {"loss-or-error"},
    "passes-anything-on": {"wrong-answer"},
    "foretells": {"wrong-answer", "loss-or-error"},
    "joins-late": {"wrong-answer"},
    "answers-the-sender-first": set[str](),  # see below: nothing is wrong with it
    "holds-back": set[str](),  # see below: not a matter of the messages
    "invents-strokes": {"wrong-answer"},
    "sends-the-first-again": {"duplicated", "loss-or-error"},
    "leaves-its-processors": set[str](),  # see below: not a matter of the messages
}
"""The same of those that try to get the better of a gate; their manifests are made."""

ACCUSED_OF |= CHEATS

OF_MESSAGES = set[str]().union(*ACCUSED_OF.values()) | {"rate-missed", "clock"}

RANKED = {"honest", "stalls", "reorders", "answers-the-sender-first", "holds-back"}
"""Their figures are what they are."""

COUNTED = {
    "drops": ("delivery.loss.count", "lost"),
    "answers-the-sender-only": ("delivery.loss.count", "lost"),
    "duplicates": ("delivery.duplicate.count", "duplicates"),
    "reorders": ("delivery.reorder.count", "reordered"),
    "drops-connections": ("connect.drop.count", "dropped"),
}
"""Contender: the metric that must be what the server says it did, and its word for it."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    here = tmp_path_factory.mktemp("whiteboard")
    named = [name for name in ACCUSED_OF if name not in CHEATS]
    made = [str(cheating(here, name)) for name in CHEATS]
    chosen = only("--contender", [*named, *made])
    return measured(a_house(here), "--scenario", "board", "--seed", "1", *chosen)


def test_who_takes_other_processors_is_told_of(run: Results) -> None:
    found = run.findings("leaves-its-processors")["own-scheduling"]
    assert found["verdict"] == "invalid"
    (roles,) = found["evidence"]["trials"].values()
    assert {role: list(ways) for role, ways in roles.items()} == {"server": ["elsewhere"]}
    told = [name for name in ACCUSED_OF if "own-scheduling" in run.findings(name)]
    assert told == ["leaves-its-processors"]


def test_every_contender_is_expected_here(run: Results) -> None:
    assert set(run.cells) == set(ACCUSED_OF)


@pytest.mark.parametrize("contender", ACCUSED_OF)
def test_a_server_is_accused_of_what_it_does_and_of_nothing_else(
    run: Results, contender: str
) -> None:
    spoken = {
        gate for gate, found in run.findings(contender).items() if found["verdict"] != "valid"
    }
    assert spoken & OF_MESSAGES == ACCUSED_OF[contender], run.records[contender]["detail"]


@pytest.mark.parametrize("contender", sorted(set(ACCUSED_OF) - RANKED))
def test_it_is_invalid_and_ranked_nowhere(run: Results, contender: str) -> None:
    cell = run.cells[contender]
    assert cell["verdict"] == "invalid"
    assert cell["ranks"] == {}


@pytest.mark.parametrize("contender", COUNTED)
def test_the_metric_is_exactly_what_the_server_did(run: Results, contender: str) -> None:
    metric, word = COUNTED[contender]
    assert run.done[contender][word] > 0
    assert run.metric(contender, metric) == run.done[contender][word]


def test_a_loss_is_a_share_of_what_was_due(run: Results) -> None:
    due = USERS * MESSAGES * OTHERS
    assert run.metric("drops", "delivery.expected.count") == due
    lost = run.done["drops"]["lost"]
    assert run.metric("drops", "delivery.loss.ratio") == pytest.approx(100 * lost / due)
    assert run.metric("answers-the-sender-only", "delivery.loss.ratio") == 100
    assert run.failed("drops", "delivery") == {"lost": lost}


def test_the_honest_server_loses_nothing(run: Results) -> None:
    assert run.metric("honest", "delivery.received.count") == USERS * MESSAGES * OTHERS
    for name in ("loss", "duplicate", "reorder", "wrong"):
        assert run.metric("honest", f"delivery.{name}.count") == 0
    assert run.records["honest"]["verified"] > 2


@pytest.mark.parametrize("contender", ["wrong-board", "changes-content"])
def test_what_came_wrong_did_not_come(run: Results, contender: str) -> None:
    done = run.done[contender]
    # What the machine delivers too late is lost as well.
    assert done["lost"] >= done["wrong"] > 0
    evidence = run.findings(contender)["wrong-answer"]["evidence"]
    assert evidence["own_checks"] == done["wrong"]
    assert run.failed(contender, "delivery") == {
        "lost": done["lost"],
        "wrong-answer": done["wrong"],
    }


def test_a_message_that_is_none_is_wrong_and_takes_none_away(run: Results) -> None:
    evidence = run.findings("speaks-nonsense")["wrong-answer"]["evidence"]
    assert evidence["own_checks"] == run.done["speaks-nonsense"]["wrong"] > 0


@pytest.mark.parametrize("contender", ["wrong-board", "changes-content", "speaks-nonsense"])
def test_wrong_deliveries_have_no_figures(run: Results, contender: str) -> None:
    metrics = run.cells[contender]["metrics"]
    assert {"rtt.latency.p50", "delivery.loss.count"} <= set(metrics)
    assert all(metric["value"] is None for metric in metrics.values())


def test_a_wrong_delivery_is_named(run: Results) -> None:
    said = {
        contender: {error["class"] for error in record["roles"]["generator"]["errors"]}
        for contender, record in run.records.items()
    }
    assert said["wrong-board"] == {"WrongBoard"}
    assert said["changes-content"] == {"ChangedContent"}
    assert said["speaks-nonsense"] == {"Garbage"}
    assert said["refuses-connections"] <= {"ConnectRefused", "ConnectFailed"}
    assert said["never-joins"] == {"ConnectTimeout"}
    assert said["honest"] == set()


def test_a_server_that_stands_still_is_caught(run: Results) -> None:
    found = run.findings("stalls")
    # Where others disturb the host or hold the generator up while it stands still, nobody can tell
    # whose pause it was.
    unsure = {"host-disturbed", "disturbed-seconds", "generator-saturated"}
    assert found.keys() & {"stood-still", *unsure}
    assert run.metric("stalls", "delivery.loss.count") == 0


def test_refused_connections_are_counted(run: Results) -> None:
    statuses = run.failed("refuses-connections", "connect")
    assert sum(statuses.values()) == USERS - 30
    # A connection that was waiting to be accepted when the server gave up is cut off instead.
    assert statuses.keys() <= {"refused", "disconnected"}
    assert run.failed("refuses-connections", "rtt") == {"disconnected": (USERS - 30) * MESSAGES}


@pytest.mark.parametrize(("contender", "users"), [("drops-connections", 10), ("breaks-frames", 3)])
def test_users_without_a_connection_are_not_forgotten(
    run: Results, contender: str, users: int
) -> None:
    assert run.done[contender] == {"dropped": users}
    # Their fifth message and those after it.
    assert run.failed(contender, "rtt") == {"disconnected": users * (MESSAGES - 4)}


def test_broken_frames_are_told_apart(run: Results) -> None:
    errors = run.records["breaks-frames"]["roles"]["generator"]["errors"]
    lost = [error["message"] for error in errors if error["class"] == "ConnectionLost"]
    assert sorted(message.partition(":")[0] for message in lost) == ["user 0", "user 1", "user 2"]
    assert len({message.partition(": ")[2] for message in lost}) == 3


def test_what_is_not_read_times_out(run: Results) -> None:
    unread = 10 * (MESSAGES - 5)
    assert run.failed("stops-reading", "rtt") == {"timeout": unread}
    assert run.metric("stops-reading", "delivery.loss.count") == unread * OTHERS


def test_joins_that_are_not_answered_time_out(run: Results) -> None:
    assert run.failed("never-joins", "connect") == {"timeout": USERS}
    assert run.done["never-joins"] == {"ignored": USERS}


def test_a_handshake_that_is_never_completed_ends_the_trial(run: Results) -> None:
    record = run.records["closes-at-handshake"]
    assert (record["status"], record["reason"]) == ("failed", "exited")
    assert "PreflightFailed" in record["detail"]


def test_only_the_server_that_cannot_be_joined_fails_its_trial(run: Results) -> None:
    failed = {name for name, record in run.records.items() if record["status"] != "ok"}
    assert failed == {"closes-at-handshake"}
    assert left_of(run.folder) == set()


def test_what_is_looked_at_last_is_named(run: Results) -> None:
    def said(contender: str) -> set[str]:
        errors = run.records[contender]["roles"]["generator"]["errors"]
        return {error["class"] for error in errors}

    assert said("joins-late") == {"JoinedTooEarly"}
    assert run.done["joins-late"]["early"] >= USERS
    assert said("passes-anything-on") == {"InvalidPassedOn"}
    assert said("invents-strokes") == {"UnknownMessage"}
    assert "ChangedContent" in said("foretells")
    assert run.done["foretells"]["foretold"] >= USERS * MESSAGES


def test_who_reads_by_place_loses_what_is_written_otherwise(run: Results) -> None:
    unread = run.done["reads-by-place"]["unread"]
    assert unread > USERS * MESSAGES * 0.8
    lost, expected = (
        run.metric("reads-by-place", f"delivery.{name}.count") for name in ("loss", "expected")
    )
    assert lost is not None
    assert expected == USERS * MESSAGES * OTHERS
    assert lost > expected / 2


def test_messages_that_leave_together_are_told_from_those_that_leave_as_they_come(
    run: Results,
) -> None:
    held = run.findings("holds-back")["held-back"]
    assert held["verdict"] == "warn"
    of = held["evidence"]["operations"]["delivery"]
    assert of["received"] == USERS * MESSAGES * OTHERS
    assert of["count"] > of["received"] / 2
    assert run.done["holds-back"]["together"] > of["received"] / 4


def test_who_answers_the_sender_first_gains_nothing_by_it(run: Results) -> None:
    own = run.metric("answers-the-sender-first", "rtt.response.mean")
    others = run.metric("answers-the-sender-first", "delivery.response.mean")
    assert own is not None
    assert others is not None
    assert others >= own + 10
    for suite in ("suites/websocket", "tests/sabotage/websocket"):
        manifest = tomllib.loads((REPOSITORY / suite / "suite.toml").read_text("utf-8"))
        ranked = {
            name: scenario["rankings"]
            for name, scenario in manifest["scenarios"].items()
            # Who is alone on its board is nobody's neighbour: nobody can be served before it.
            if "rankings" in scenario and scenario["parameters"]["board_size"] > 1
        }
        assert ranked
        assert not [by for each in ranked.values() for by in each if by.startswith("rtt.")]


def test_the_report_names_them(run: Results) -> None:
    lost = run.done["drops"]["lost"]
    assert f"{lost} of {USERS * MESSAGES * OTHERS:,} never came" in run.report


def test_a_throttled_generator_is_the_one_accused(tmp_path: Path) -> None:
    house = a_house(tmp_path)
    with a_tenth_of_a_core(house):
        run = measured(house, "--scenario", "board", "--contender", "honest")
    cell, findings = run.cells["honest"], run.findings("honest")
    assert run.records["honest"]["status"] == "ok", run.records["honest"]["detail"]
    assert cell["verdict"] == "invalid"
    assert findings["generator-saturated"]["verdict"] == "invalid"
    (signs,) = findings["generator-saturated"]["evidence"]["trials"].values()
    # What a busy machine does to an engine is another sign; lateness is that of the throttle.
    assert "lag_p99_ms" in signs
    assert cell["ranks"] == {}
    assert not {"duplicated", "wrong-answer"} & findings.keys()

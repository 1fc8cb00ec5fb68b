"""Streams of real stacks in five languages, as a user runs them.

How many messages a second come in time is for a quiet machine. Here every message of every probe
has to come, once and unchanged, and the report has to tell of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from wirelab.build import tools
from wirelab.samples import intervals

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.left_to_all]

STREAMED = {
    **{"socket": "Java", "jms-artemis-persistent": "Java"},
    **{"go-redis-pubsub": "Go", "python-redis-pubsub": "Python", "rust-zeromq": "Rust"},
}
"""Two servers of ours, three brokers; what waits for an answer elsewhere does not wait here."""
if tools.DOTNET.find():
    STREAMED["csharp-rabbitmq-confirmed"] = "C#"

TOPICS = ("jms-artemis", "go-redis-pubsub", "python-redis-pubsub", "rust-zeromq")
"""Users of these say what they want to be told; one in each language."""

MUTUAL = ("stream-all", "stream-1mb")
"""Everybody who sends receives as well."""

OTHERS = (
    *("stream-10ms", "stream-100ms", "stream-100kb"),
    *("stream-fan-out", "stream-fan-out-16", "stream-fan-in-16", "stream-all-16"),
)
"""Rows that one contender goes through, the lightest one."""

LIGHTEST = "rust-zeromq"

TICKS = {
    **{"stream-all": 200, "stream-1mb": 40, "stream-fan-in": 200},
    **{"stream-10ms": 1000, "stream-100ms": 200, "stream-100kb": 200},
    **{"stream-fan-out": 200, "stream-fan-out-16": 200, "stream-fan-in-16": 200},
    **{"stream-all-16": 40},
}
"""Ticks at which each sender of a probe sends: those that warm up, and those that count."""

SENDERS = {
    **dict.fromkeys(TICKS, 1),
    **{"stream-all": 4, "stream-fan-in": 4, "stream-fan-in-16": 16, "stream-all-16": 16},
}

RECEIVERS = {
    **dict.fromkeys(TICKS, 1),
    **{"stream-all": 4, "stream-all-16": 16, "stream-fan-out": 4, "stream-fan-out-16": 16},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("messaging", *STREAMED)
    asked = (*whole_runs.only("--scenario", MUTUAL), *whole_runs.only("--contender", STREAMED))
    here = tmp_path_factory.mktemp("stream")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def to_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    asked = ("--scenario", "stream-fan-in", *whole_runs.only("--contender", TOPICS))
    here = tmp_path_factory.mktemp("to-one")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    asked = (*whole_runs.only("--scenario", (*OTHERS, "echo-paced")), "--contender", LIGHTEST)
    here = tmp_path_factory.mktemp("others")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def datagrams(tmp_path_factory: pytest.TempPathFactory) -> Path:
    asked = ("--scenario", "stream-fan-out", "--contender", "socket-udp")
    here = tmp_path_factory.mktemp("datagrams")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def probes(run: Path) -> dict[str, dict[str, Any]]:
    whole_runs.no_trial_failed(run)
    found = whole_runs.records_of(run)
    assert {record["planned"]["contender"] for record in found.values()} == set(STREAMED)
    return found


def test_a_probe_differs_by_the_messages_of_a_tick_alone(probes: dict[str, dict[str, Any]]) -> None:
    assert len(probes) >= len(STREAMED) * len(MUTUAL)
    for record in probes.values():
        planned = record["planned"]
        assert planned["parameters"]["messages"] == planned["probe"]["load"]
        (step,) = planned["load"]["steps"]
        assert step["users"] == step["lanes"] == SENDERS[planned["scenario"]]
        # What users join in, and then a second of warming up.
        second = 1_000_000_000 // planned["load"]["period_ns"]
        assert planned["load"]["warmup"] == step["settle"] + second


def test_every_message_of_a_stream_comes_once(run: Path, probes: dict[str, dict[str, Any]]) -> None:
    assert len(probes) >= len(STREAMED) * len(MUTUAL)
    every_message_came_once(run, probes)


def test_what_four_send_to_one_comes_to_that_one_alone(to_one: Path) -> None:
    whole_runs.no_trial_failed(to_one)
    probes = whole_runs.records_of(to_one)
    assert {record["planned"]["contender"] for record in probes.values()} == set(TOPICS)
    every_message_came_once(to_one, probes)


def test_every_row_of_streams_runs_and_stands_in_the_report(others: Path) -> None:
    whole_runs.no_trial_failed(others)
    records = whole_runs.records_of(others)
    probes = {name: one for name, one in records.items() if one["planned"]["probe"]}
    assert {one["planned"]["scenario"] for one in probes.values()} == set(OTHERS)
    every_message_came_once(others, probes)
    headings = {
        "en": ("Streams: messages a second", "Echo at 200 messages/s"),
        "ko": ("스트림: 제때 도착하는 초당 메시지 수", "초당 200개 에코"),
    }
    for language, expected in headings.items():
        page = (others / f"report-{language}.md").read_text("utf-8")
        assert [heading for heading in expected if heading not in page] == []


def test_echoes_are_asked_for_at_their_times(others: Path) -> None:
    (cell,) = whole_runs.cells_of(whole_runs.result_of(others), "echo-paced", "size-1000")
    # All but those while it settles.
    assert cell["statuses"]["echo"] == {"ok": 200 - 50}


def test_what_udp_loses_is_counted_and_told(datagrams: Path) -> None:
    whole_runs.no_trial_failed(datagrams)
    probes = whole_runs.records_of(datagrams)
    assert {one["planned"]["contender"] for one in probes.values()} == {"socket-udp"}
    for name in probes:
        lines = list(intervals.read(datagrams / "trials" / name / "client.intervals.jsonl"))
        found = {key: sum(line.counts[key] for line in lines) for key in lines[0].counts}
        assert 0 < found["received"] <= found["expected"]
        wrong = {key: found[key] for key in ("duplicates", "reordered", "wrong")}
        assert wrong == {"duplicates": 0, "reordered": 0, "wrong": 0}, name
    assert "socket-udp" in {cell["contender"] for cell in whole_runs.result_of(datagrams)["cells"]}


def every_message_came_once(run: Path, probes: dict[str, dict[str, Any]]) -> None:
    # A machine on which a broker hardly runs ends a probe before all of its messages have come.
    ended = [name for name, record in probes.items() if not record["detail"]]
    assert len(ended) > len(probes) / 2
    for name, record in probes.items():
        planned = record["planned"]
        clients, ticks = SENDERS[planned["scenario"]], TICKS[planned["scenario"]]
        lines = list(intervals.read(run / "trials" / name / "client.intervals.jsonl"))
        assert {line.operation for line in lines} == {"delivery"}
        counted = {
            key: sum(line.counts[key] for line in lines)
            for key in ("expected", "received", "duplicates", "reordered", "wrong")
        }
        each = planned["probe"]["load"] * RECEIVERS[planned["scenario"]]
        # A starved machine gives up what it has not begun; nothing of the rest may be missing.
        assert 0 < counted["expected"] <= clients * ticks * each
        assert counted["expected"] % each == 0
        # What was given up may have come all the same, and to nobody else.
        least = counted["expected"] if name in ended else 0
        assert clients * ticks * each >= counted["received"] >= least, name
        wrong = {key: counted[key] for key in ("duplicates", "reordered", "wrong")}
        assert wrong == {"duplicates": 0, "reordered": 0, "wrong": 0}, name


def test_the_languages_are_those_that_are_named(run: Path) -> None:
    found = whole_runs.result_of(run)
    for name, language in STREAMED.items():
        assert whole_runs.languages_of(found, [name]) == {language}


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "Streams: messages a second that come in time"),
        ("ko", "스트림: 제때 도착하는 초당 메시지 수"),
    ],
)
def test_the_report_tells_of_it(run: Path, language: str, heading: str) -> None:
    text = (run / f"report-{language}.md").read_text("utf-8")
    assert heading in text
    # Not the name of the parameter alone: a figure a second.
    _before, _heading, after = text.partition(heading)
    assert "/s" in after
    assert "MB/s" in after

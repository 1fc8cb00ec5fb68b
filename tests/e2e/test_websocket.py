"""The suite of servers as a user runs it: real servers, the engine, and the second generator."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.drawn import drawn_of
from reports_of_runs import EVERY
from tree import suites_of_the_tree
from wirelab.build import tools

pytestmark = [pytest.mark.e2e, pytest.mark.long(6), pytest.mark.left_to_all]

EVERY_STEP = [
    *(f"rtt.response.{figure}" for figure in ("mean", "p50", "p95", "p99", "max")),
    *(f"rtt.latency.{figure}" for figure in ("mean", "p50", "p95", "p99", "max")),
    *(f"delivery.response.{figure}" for figure in ("mean", "p50", "p95", "p99", "max")),
    *("rtt.rate", "delivery.rate", "delivery.loss.count", "delivery.loss.ratio"),
    *("delivery.duplicate.count", "delivery.reorder.count", "delivery.per.cpu"),
    *("connect.latency.mean", "connect.error.count", "tick.drift.p95"),
    *("cpu.mean", "rss.max", "total.cpu.mean", "total.rss.max", "generator.cpu.mean"),
]
LOSES = "spring-websocket-naive"
"""Named for what it does: losing messages is its point."""
CHECKED, SETTLED = 8, 6
"""Seconds of the profile ``check``, and those of them that settle."""
SENT = 100 * (CHECKED - SETTLED)
"""Messages of 100 users in the two seconds that are left after settling."""
OF_EACH_LANGUAGE = {
    # No Debian package provides dotnet.
    **({"C#": "aspnet"} if tools.DOTNET.find() else {}),
    "Go": "gws",
    "Java": "netty",
    "JavaScript": "socketio",
    "Python": "fastapi",
    "Rust": "axum",
    "TypeScript": "nestjs",
}
"""One contender of each language, for what each need not be asked."""
OF_EACH_PROTOCOL = (
    *("axum", "spring-stomp", "socketio"),
    *(("signalr",) if tools.DOTNET.find() else ()),
)
WITH_BROKER = ("fastapi-workers-redis", "node-ws-cluster-redis")
DRAWN = drawn_of(
    "websocket",
    "ramp",
    (*OF_EACH_LANGUAGE.values(), *OF_EACH_PROTOCOL, *WITH_BROKER, "spring-websocket"),
)
"""Servers of each language and each protocol, with and without a broker, and of the others a part
in turn."""

NOWHERE = "phoenix"
"""The server that nobody can have yet, as its manifest says."""

TAKEN = ("ramp", "ceiling")
BRIEF = ("--profile", "brief", "--seed", "11")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("websocket", *DRAWN)
    here = tmp_path_factory.mktemp("websocket")
    who = whole_runs.only("--contender", (*DRAWN, NOWHERE))
    chosen = (*whole_runs.only("--scenario", TAKEN), *who)
    options = (*chosen, "--profile", "check", "--seed", "11")
    return whole_runs.run_suite(here, "websocket", *options, reports=EVERY)


@pytest.fixture(scope="module")
def strokes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = whole_runs.only("--contender", OF_EACH_LANGUAGE.values())
    here = tmp_path_factory.mktemp("strokes")
    return whole_runs.run_suite(here, "websocket", "--scenario", "stroke", *chosen, *BRIEF)


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def gates(cell: dict[str, Any]) -> set[str]:
    return {finding["gate"] for finding in cell["findings"]}


def ramp(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The cell of each contender that ran, of 100 users."""
    found = whole_runs.cells_of(result, "ramp", "users-100")
    assert {cell["contender"] for cell in found} == whole_runs.available(result, "ramp")
    return found


def test_the_result_is_of_its_schema(result: dict[str, Any]) -> None:
    whole_runs.keeps_its_schema(result)
    assert result["complete"] is True


def test_everybody_took_part_or_says_why_not(result: dict[str, Any]) -> None:
    whole_runs.everybody_took_part_or_says_why_not(result, (*DRAWN, NOWHERE))
    known = suites_of_the_tree().suite("websocket").contenders
    assert {n for n, one in known.items() if one.manifest.unavailable.en} == {NOWHERE}


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "these come from Hex, for which wirelab has no kind of build yet"),
        ("ko", "모두 Hex에서 받아야 하는데 wirelab에는 아직 Hex용 빌드 방식이 없습니다"),
    ],
)
def test_the_report_says_why_a_server_is_missing(
    folder: Path, result: dict[str, Any], language: str, why: str
) -> None:
    assert result["participants"][NOWHERE]["unavailable"]
    report = (folder / f"report-{language}.md").read_text("utf-8").replace("\\", "")
    told = [line for line in report.splitlines() if why in line]
    assert told
    assert "Phoenix" in told[0]


def test_the_table_has_one_contender_of_each_language(result: dict[str, Any]) -> None:
    for language, contender in OF_EACH_LANGUAGE.items():
        assert whole_runs.languages_of(result, [contender]) == {language}
    assert set(OF_EACH_LANGUAGE) == whole_runs.languages_of(result, whole_runs.available(result))


def test_no_trial_failed_and_no_answer_was_wrong(folder: Path, strokes: Path) -> None:
    whole_runs.no_trial_failed(folder)
    whole_runs.no_trial_failed(strokes)


def test_every_step_has_every_metric(result: dict[str, Any]) -> None:
    for cell in ramp(result):
        assert not set(EVERY_STEP) - set(cell["metrics"]), cell["id"]


def test_every_message_was_sent_and_every_delivery_is_accounted_for(
    result: dict[str, Any], strokes: Path
) -> None:
    drawn = whole_runs.cells_of(whole_runs.result_of(strokes), "stroke")
    assert {cell["contender"] for cell in drawn} == set(OF_EACH_LANGUAGE.values())
    for cell in [*whole_runs.cells_of(result, "ramp"), *drawn]:
        metrics = cell["metrics"]
        assert "rate-missed" not in gates(cell), cell["id"]
        expected, received, lost = (
            metrics[f"delivery.{what}.count"]["value"] for what in ("expected", "received", "loss")
        )
        assert expected == received + lost
        assert expected > 0
        if cell["contender"] != LOSES:
            assert lost == 0, cell["id"]
        assert metrics["delivery.duplicate.count"]["value"] == 0, cell["id"]
        assert metrics["delivery.wrong.count"]["value"] == 0, cell["id"]


def test_expected_deliveries_follow_from_the_schedule(result: dict[str, Any]) -> None:
    for cell in ramp(result):
        # Boards have 50 members.
        assert cell["metrics"]["delivery.expected.count"]["value"] == SENT * 49, cell["id"]
        assert cell["statuses"]["rtt"] == {"ok": SENT} or cell["contender"] == LOSES


def test_what_is_drawn_over_time_adds_up_to_the_counts(
    folder: Path, result: dict[str, Any]
) -> None:
    series = json.loads((folder / "series.json").read_text("utf-8"))["cells"]
    whole = whole_runs.cells_of(result, "ramp", "")
    assert {cell["contender"] for cell in whole} == {cell["contender"] for cell in ramp(result)}
    seen = set()
    for cell in whole:
        metrics, drawn = cell["metrics"], series[cell["id"]]
        seconds = of_the_window(drawn["operations"]["delivery"])
        for line, what in (("rate", "received"), ("lost", "loss")):
            assert sum(seconds(line)) == metrics[f"delivery.{what}.count"]["value"], cell["id"]
        sent = of_the_window(drawn["operations"]["rtt"])
        assert sum(sent("rate")) == cell["statuses"]["rtt"]["ok"], cell["id"]
        network = of_the_window(drawn["network"])
        # What was sent has a frame and a mask; what came has a copy for each of the board.
        assert sum(network("in")) > SENT * (130 + 4) / 1e6, cell["id"]
        assert sum(network("out")) > sum(network("in")), cell["id"]
        for way in ("in", "out"):
            mean = sum(network(way)) / (CHECKED - SETTLED)
            assert metrics[f"delivery.network.{way}"]["value"] == pytest.approx(mean, rel=2e-3)
        looped = network("loopback")
        # On a busy machine the monitor may have missed a second.
        if None not in looped:
            both = sum(network("in")) + sum(network("out"))
            assert sum(looped) > both, cell["id"]
            seen.add(cell["contender"])
    assert seen


def of_the_window(lines: list[dict[str, Any]]) -> Callable[[str], list[float]]:
    """Values of the one line of a cell, by name: of the seconds that count."""
    (line,) = lines
    assert line["seconds"] == list(range(CHECKED))
    return lambda name: line["values"][name][SETTLED:]


def test_all_who_came_were_let_in(tmp_path: Path) -> None:
    asked = ("node-ws", "axum")
    build_behind_others("websocket", *asked)
    chosen = whole_runs.only("--scenario", ("join-storm", "crowd"))
    who = whole_runs.only("--contender", asked)
    run = whole_runs.run_suite(tmp_path, "websocket", *chosen, *who, *BRIEF)
    loaded = whole_runs.result_of(run)
    came = {(c["contender"], c["step"]): c["statuses"]["connect"] for c in loaded["cells"]}
    for contender in asked:
        assert came[contender, "before"] == {"ok": 100}
        assert came[contender, "storm"] == {"ok": 900}
        assert came[contender, "crowd"] == {"ok": 2000}
    for cell in whole_runs.cells_of(loaded, "crowd"):
        metrics = cell["metrics"]
        assert metrics["delivery.loss.count"]["value"] == 0, cell["id"]
        assert metrics["delivery.received.count"]["value"] > 0, cell["id"]


def test_a_round_trip_is_divided_at_the_wire(tmp_path: Path) -> None:
    build_behind_others("websocket", *OF_EACH_PROTOCOL)
    who = whole_runs.only("--contender", OF_EACH_PROTOCOL)
    run = whole_runs.run_suite(tmp_path, "websocket", "--scenario", "divided", *who, *BRIEF)
    cells = whole_runs.cells_of(whole_runs.result_of(run), "divided")
    assert {cell["contender"] for cell in cells} == set(OF_EACH_PROTOCOL)
    for cell in cells:
        assert not gates(cell) & {"not-on-the-wire", "sent-before-start", "unwitnessed"}, cell["id"]
        metrics = cell["metrics"]
        assert metrics["rtt.wire.matched"]["value"] == 100, cell["id"]
        # The message and its copy, with the frames of both.
        assert metrics["rtt.wire.bytes"]["value"] > 2 * 130, cell["id"]
        # Forty trips on a busy host may support no percentile, and disturbed ones no figure.
        parts = [metrics[f"rtt.wire.{part}.mean"] for part in ("before", "server", "after")]
        assert sum(part["value"] is not None for part in parts) in (0, len(parts)), cell["id"]


def test_brokers_have_figures_of_their_own(result: dict[str, Any]) -> None:
    with_broker = set()
    for cell in ramp(result):
        uses = result["participants"][cell["contender"]]["manifest"]["uses"]
        assert ("redis.cpu.mean" in cell["metrics"]) is ("redis" in uses), cell["id"]
        if uses:
            parts = [cell["metrics"][f"{who}cpu.mean"]["value"] for who in ("", "redis.")]
            together = cell["metrics"]["total.cpu.mean"]["value"]
            assert together == pytest.approx(sum(parts)), cell["id"]
            with_broker.add(cell["contender"])
    assert with_broker == {name for name in DRAWN if "redis" in name} >= {*WITH_BROKER}


def test_yardsticks_are_not_ranked(result: dict[str, Any]) -> None:
    yardsticks = [cell for cell in result["cells"] if cell["contender"] == "null"]
    assert {cell["scenario"] for cell in yardsticks} == set(TAKEN)
    assert all(not cell["ranks"] for cell in yardsticks)
    assert {cell["contender"] for cell in whole_runs.cells_of(result, "ceiling")} == {"null"}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_reports_are_whole_and_need_no_network(folder: Path, language: str) -> None:
    page = (folder / f"report-{language}.html").read_text()
    for name in ("Spring", "FastAPI", "Socket.IO", "axum"):
        assert name in page
    assert "<svg" in page
    for outside in ('src="http', "@import", '<link rel="stylesheet" href="http', "<script src"):
        assert outside not in page


def test_a_server_that_was_gone_comes_back_to_its_users(tmp_path: Path) -> None:
    contender = "node-ws-cluster-redis"
    build_behind_others("websocket", contender)
    chosen = ("--scenario", "faults", "--contender", contender)
    loaded = whole_runs.result_of(whole_runs.run_suite(tmp_path, "websocket", *chosen, *BRIEF))
    faults = {cell["variant"]: cell for cell in whole_runs.cells_of(loaded, "faults")}
    assert {cell["contender"] for cell in faults.values()} == {contender}
    seen = {variant: cell["caller"][0] for variant, cell in faults.items()}
    assert {variant: view["outcome"] for variant, view in seen.items()} == {
        "server-stalled": "recovered",
        "server-restart": "recovered",
        "redis-restart": "recovered",
    }
    # One that is only stopped keeps its users; one that is killed loses what was under way.
    assert "disconnected" not in faults["server-stalled"]["statuses"]["rtt"]
    for variant in ("server-restart", "redis-restart"):
        assert seen[variant]["failed_operations"] > 0, variant


def test_k6_gives_a_second_opinion_with_its_own_cost(tmp_path: Path) -> None:
    build_behind_others("websocket", "node-ws")
    chosen = ("--scenario", "ramp", "--contender", "node-ws", "--profile", "check")
    run = whole_runs.run_suite(tmp_path, "websocket", *chosen, "--generator", "k6")
    ran = whole_runs.cells_of(whole_runs.result_of(run), "ramp", "users-100")
    both = {cell["generator"]: cell for cell in ran if cell["contender"] != "null"}
    assert set(both) == {"", "k6"}
    for cell in both.values():
        metrics = cell["metrics"]
        assert set(cell["statuses"]["rtt"]) == {"ok"}
        # k6 sends when it gets to it: the last of what was due may come after the window.
        answered = cell["statuses"]["rtt"]["ok"]
        assert SENT / 2 <= answered <= SENT
        # Others may have a message whose sender had not, when the window ended.
        assert answered * 49 <= metrics["delivery.received.count"]["value"] <= SENT * 49
        assert metrics["generator.cpu.mean"]["value"] > 0
        assert not cell["ranks"]
    assert both[""]["statuses"]["rtt"] == {"ok": SENT}
    assert both[""]["metrics"]["delivery.received.count"]["value"] == SENT * 49
    assert "k6" in (run / "report-en.md").read_text()


def test_nothing_is_left(folder: Path, strokes: Path) -> None:
    assert whole_runs.left_of(folder, strokes) == set()

"""The suite of servers as a user runs it: every contender, the engine, and the second generator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from e2e.whole_runs import result_of, run_suite

pytestmark = [pytest.mark.e2e, pytest.mark.alone]

REPOSITORY = Path(__file__).parents[2]
CONTENDERS = REPOSITORY / "suites" / "websocket" / "contenders"

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
SMOKE = ("--profile", "smoke", "--seed", "11")
OF_EACH_KIND = ("axum", "fastapi", "node-ws-cluster-redis", "socketio", "spring-stomp", LOSES)
"""For what each contender need not be asked: protocols, languages, a broker, and losses."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = ("--scenario", "ramp", "--scenario", "ceiling")
    return run_suite(tmp_path_factory.mktemp("websocket"), "websocket", *chosen, *SMOKE)


@pytest.fixture(scope="module")
def strokes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = (word for name in OF_EACH_KIND for word in ("--contender", name))
    here = tmp_path_factory.mktemp("strokes")
    return run_suite(here, "websocket", "--scenario", "stroke", *chosen, *SMOKE)


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return result_of(folder)


def cells(result: dict[str, Any], scenario: str, step: str | None = None) -> list[dict[str, Any]]:
    return [
        cell
        for cell in result["cells"]
        if cell["scenario"] == scenario and step in (None, cell["step"])
    ]


def available(result: dict[str, Any]) -> set[str]:
    return {n for n, p in result["participants"].items() if not p["unavailable"]}


def gates(cell: dict[str, Any]) -> set[str]:
    return {finding["gate"] for finding in cell["findings"]}


def test_the_result_is_of_its_schema(result: dict[str, Any]) -> None:
    jsonschema.validate(result, json.loads((REPOSITORY / "schema/result.schema.json").read_text()))
    assert result["complete"] is True


def test_every_contender_of_the_tree_took_part_or_says_why_not(result: dict[str, Any]) -> None:
    assert set(result["participants"]) == {path.name for path in CONTENDERS.iterdir()}
    missing = {n: p["unavailable"] for n, p in result["participants"].items() if p["unavailable"]}
    assert set(missing) == {"phoenix"}, missing
    assert {cell["contender"] for cell in cells(result, "ramp")} == available(result)


def test_no_trial_failed_and_no_answer_was_wrong(folder: Path, strokes: Path) -> None:
    for path in (path for run in (folder, strokes) for path in run.glob("trials/*/trial.json")):
        record = json.loads(path.read_text())
        assert record["status"] == "ok", (path.parent.name, record["detail"])
        assert record["wrong_answers"] == []


def test_every_step_has_every_metric(result: dict[str, Any]) -> None:
    for step in ("users-100", "users-300"):
        found = cells(result, "ramp", step)
        assert {cell["contender"] for cell in found} == available(result)
        for cell in found:
            assert not set(EVERY_STEP) - set(cell["metrics"]), cell["id"]


def test_every_message_was_sent_and_every_delivery_is_accounted_for(
    result: dict[str, Any], strokes: Path
) -> None:
    drawn = cells(result_of(strokes), "stroke")
    assert {cell["contender"] for cell in drawn} >= set(OF_EACH_KIND)
    for cell in [*cells(result, "ramp"), *drawn]:
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
    for step, users in (("users-100", 100), ("users-300", 300)):
        for cell in cells(result, "ramp", step):
            # Two seconds are left after settling; boards have 50 members.
            assert cell["metrics"]["delivery.expected.count"]["value"] == users * 2 * 49, cell["id"]
            assert cell["statuses"]["rtt"] == {"ok": users * 2} or cell["contender"] == LOSES


def test_all_who_came_were_let_in(tmp_path: Path) -> None:
    chosen = ("--scenario", "join-storm", "--scenario", "crowd", "--profile", "brief")
    who = ("--contender", "node-ws", "--contender", "axum")
    run = run_suite(tmp_path, "websocket", *chosen, *who)
    loaded = result_of(run)
    came = {(c["contender"], c["step"]): c["statuses"]["connect"] for c in loaded["cells"]}
    for contender in ("node-ws", "axum"):
        assert came[contender, "before"] == {"ok": 100}
        assert came[contender, "storm"] == {"ok": 900}
        assert came[contender, "crowd"] == {"ok": 2000}
    for cell in cells(loaded, "crowd"):
        metrics = cell["metrics"]
        assert metrics["delivery.loss.count"]["value"] == 0, cell["id"]
        assert metrics["delivery.received.count"]["value"] > 0, cell["id"]


def test_brokers_have_figures_of_their_own(result: dict[str, Any]) -> None:
    for cell in cells(result, "ramp", "users-300"):
        uses = result["participants"][cell["contender"]]["manifest"]["uses"]
        assert ("redis.cpu.mean" in cell["metrics"]) is ("redis" in uses), cell["id"]
        if uses:
            parts = [cell["metrics"][f"{who}cpu.mean"]["value"] for who in ("", "redis.")]
            together = cell["metrics"]["total.cpu.mean"]["value"]
            assert together == pytest.approx(sum(parts)), cell["id"]


def test_yardsticks_are_not_ranked(result: dict[str, Any]) -> None:
    assert all(not cell["ranks"] for cell in result["cells"] if cell["contender"] == "null")
    assert cells(result, "ceiling")
    assert {cell["contender"] for cell in cells(result, "ceiling")} == {"null"}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_reports_are_whole_and_need_no_network(folder: Path, language: str) -> None:
    page = (folder / f"report-{language}.html").read_text()
    for name in ("Spring", "FastAPI", "Socket.IO", "axum"):
        assert name in page
    assert "<svg" in page
    for outside in ('src="http', "@import", '<link rel="stylesheet" href="http', "<script src"):
        assert outside not in page


def test_a_server_that_was_gone_comes_back_to_its_users(tmp_path: Path) -> None:
    chosen = ("--scenario", "faults", "--profile", "quick")
    run = run_suite(tmp_path, "websocket", *chosen, "--contender", "node-ws-cluster-redis")
    loaded = result_of(run)
    seen = {(c["variant"], c["contender"]): c["caller"][0] for c in cells(loaded, "faults")}
    assert set(seen) == {
        ("server-stalled", "node-ws-cluster-redis"),
        ("server-restart", "node-ws-cluster-redis"),
        ("redis-restart", "node-ws-cluster-redis"),
    }
    for (variant, contender), view in seen.items():
        assert view["outcome"] == "recovered", (variant, contender, view)
        # One that is only stopped answers late; one that is killed loses what was under way.
        assert (view["failed_operations"] > 0) is (variant != "server-stalled"), (variant, view)


def test_k6_gives_a_second_opinion_with_its_own_cost(tmp_path: Path) -> None:
    chosen = ("--scenario", "ramp", "--contender", "node-ws", "--profile", "smoke")
    run = run_suite(tmp_path, "websocket", *chosen, "--generator", "k6")
    loaded = result_of(run)
    both = {
        c["generator"]: c for c in cells(loaded, "ramp", "users-300") if c["contender"] != "null"
    }
    assert set(both) == {"", "k6"}
    for cell in both.values():
        assert cell["metrics"]["delivery.rate"]["value"] == pytest.approx(300 * 49, rel=0.1)
        assert cell["metrics"]["generator.cpu.mean"]["value"] > 0
        assert not cell["ranks"]
    assert "k6" in (run / "report-en.md").read_text()

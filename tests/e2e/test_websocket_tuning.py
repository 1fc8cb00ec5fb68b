"""Tunings and sensors as a user has them measured: nginx before a server, also when both are gone,
who only sends, and what could be taken instead of WebSocket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.brief_boards import brief_run, delivered

pytestmark = [pytest.mark.e2e, pytest.mark.needs("nginx"), pytest.mark.left_to_all]

SERVERS = ("fastapi", "fastapi-nginx")
INSTEAD = {"fastapi-sse": "events", "node-sse": "events", "node-grpc": "calls"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("tuning")
    scenarios = ("tuning", "sensors", "faults", "streams")
    return brief_run(here, scenarios, (*SERVERS, *INSTEAD), built=("fastapi", *INSTEAD))


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def test_what_comes_through_nginx_is_right_and_complete(
    folder: Path, result: dict[str, Any]
) -> None:
    whole_runs.no_trial_failed(folder)
    cells = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "tuning", "busy")}
    assert {*cells} == {*SERVERS}
    for name, cell in cells.items():
        told = delivered(cell)
        assert told.expected == 3 * 100 * 49, name
        assert told.received > 0, name
        assert told.flaws == {}, name


def test_a_sensor_gets_its_acknowledgement_and_nothing_else(result: dict[str, Any]) -> None:
    (cell,) = whole_runs.cells_of(result, "sensors", "sending")
    assert cell["contender"] == "fastapi"
    assert set(cell["statuses"]) == {"rtt", "connect"}
    assert cell["statuses"]["connect"] == {"ok": 100}
    assert sum(cell["statuses"]["rtt"].values()) == 3 * 100
    assert cell["statuses"]["rtt"]["ok"] > 0


def test_users_come_back_through_nginx(folder: Path, result: dict[str, Any]) -> None:
    faults = whole_runs.cells_of(result, "faults")
    seen = {(cell["contender"], cell["variant"]): cell["caller"][0] for cell in faults}
    # The server has no Redis that could be killed.
    assert {*seen} == {(s, v) for s in SERVERS for v in ("server-stalled", "server-restart")}
    # Users of a restarted server are back in two seconds, or later where others take the machine.
    records = whole_runs.records_of(folder)
    away = [view["trial"] for view in seen.values() if view["outcome"] != "recovered"]
    assert [one for one in away if records[one]["environment"]["foreign_cpu"] < 1] == []
    assert {seen[name, "server-stalled"]["outcome"] for name in SERVERS} == {"recovered"}
    for name in SERVERS:
        # What was under way when both were killed is lost, and nothing after they are back.
        assert seen[name, "server-restart"]["failed_operations"] > 0, name


def test_events_and_requests_bring_every_stroke_and_are_ranked_apart(
    result: dict[str, Any],
) -> None:
    found = whole_runs.cells_of(result, "streams", "users-100")
    cells = {cell["contender"]: cell for cell in found}
    modes = {"fastapi": "", **INSTEAD}
    assert {name: cell["mode"] for name, cell in cells.items()} == modes
    for name, cell in cells.items():
        expected, received, loss, flaws = delivered(cell)
        assert received + loss == expected == 3 * 100 * 49, name
        assert flaws == {}, name
        assert cell["statuses"]["rtt"]["ok"] > 0, name
        assert cell["statuses"]["connect"] == {"ok": 100}, name
    # Nobody else speaks WebSocket here, or gRPC.
    assert cells["fastapi"]["ranks"] == cells["node-grpc"]["ranks"] == {}
    wire = {n: cell["metrics"]["delivery.wire.ratio"]["value"] for n, cell in cells.items()}
    # A chunk, a field and an answer for each stroke, or a frame of HTTP/2 and a head, in place of
    # a frame's four bytes.
    assert min(wire[name] for name in INSTEAD) > wire["fastapi"] > 1


@pytest.mark.parametrize(
    ("language", "title", "proof"),
    [
        ("en", "FastAPI: nginx in front", "Proof that it was active"),
        ("ko", "FastAPI: 앞단에 nginx", "적용되었다는 근거"),
        ("en", "What could be taken instead of WebSocket", "ratio to FastAPI"),
        ("ko", "WebSocket 대신 쓸 수 있는 방식", "FastAPI (Python) 대비 비율"),
    ],
)
def test_the_report_tells_mechanism_and_proof(
    folder: Path, language: str, title: str, proof: str
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    assert title in text
    assert proof in text

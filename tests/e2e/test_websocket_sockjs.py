"""SockJS by HTTP alone, from Spring's server, as a user has it measured beside its WebSocket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.brief_boards import by_contender, delivered
from e2e.building import build_behind_others

pytestmark = [pytest.mark.e2e, pytest.mark.needs("javac"), pytest.mark.left_to_all]

SOCKET = "spring-stomp-sockjs"
TRANSPORTS = ("eventsource", "xhr-streaming", "xhr")
BY_HTTP = tuple(f"{SOCKET}-{transport}" for transport in TRANSPORTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # All four are one build.
    build_behind_others("websocket", SOCKET)
    here = tmp_path_factory.mktemp("sockjs")
    who = whole_runs.only("--contender", (SOCKET, *BY_HTTP))
    return whole_runs.run_suite(
        here, "websocket", "--scenario", "streams", *who, "--profile", "check", "--seed", "11"
    )


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[str, dict[str, Any]]:
    return by_contender(folder, "streams", "users-100")


def test_every_transport_brings_strokes_once_in_order_and_as_they_were(
    folder: Path, cells: dict[str, dict[str, Any]]
) -> None:
    whole_runs.no_trial_failed(folder)
    assert {*cells} == {SOCKET, *BY_HTTP}
    for name, cell in cells.items():
        counts = delivered(cell)
        # Who is not on a board in time, on a machine that others use, is owed nothing.
        assert counts.expected > 0, name
        assert counts.received + counts.loss == counts.expected, name
        assert counts.flaws == {}, name
        assert cell["statuses"]["rtt"]["ok"] > 0, name
        assert sum(cell["statuses"]["connect"].values()) == 100, name
        # Responses end all the time, which nobody has lost a connection by.
        assert cell["metrics"]["connect.drop.count"]["value"] == 0, name


def test_they_speak_by_the_transport_they_are_named_for_and_in_a_mode_of_their_own(
    folder: Path, cells: dict[str, dict[str, Any]]
) -> None:
    modes = {SOCKET: "", **dict.fromkeys(BY_HTTP, "sockjs")}
    assert {name: cell["mode"] for name, cell in cells.items()} == modes
    spoken = {
        trial.partition("streams-")[2]: record["roles"]["server"]["ready"]["facts"]["protocol"]
        for trial, record in whole_runs.records_of(folder).items()
    }
    by_http = {f"{SOCKET}-{one}": f"stomp-sockjs-{one}" for one in TRANSPORTS}
    assert spoken == {SOCKET: "stomp-sockjs", **by_http}
    wire = {name: cell["metrics"]["delivery.wire.ratio"]["value"] for name, cell in cells.items()}
    # A chunk or a field around each frame, and an answer to each request, in place of a frame's
    # four bytes.
    assert min(wire[f"{SOCKET}-{one}"] for one in TRANSPORTS[:2]) > wire[SOCKET] > 1


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("What could be taken instead of WebSocket", "SockJS has three transports")),
        ("ko", ("WebSocket 대신 쓸 수 있는 방식", "HTTP/1.1 전송이 세 가지")),
    ],
)
def test_the_report_sets_them_beside_sockjs_by_websocket(
    folder: Path, language: str, said: tuple[str, str]
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    for words in said:
        assert words in text
    title = {
        "en": "ratio to Spring STOMP over SockJS",
        "ko": "Spring STOMP, SockJS 경유 (Java) 대비",
    }
    assert title[language] in text

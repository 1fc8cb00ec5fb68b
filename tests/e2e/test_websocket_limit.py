"""Limits of connections as a user has them measured: who is one too many is counted, not let in.

The servers that have one take turns.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.brief_boards import brief_run, by_contender, delivered
from e2e.drawn import one_in_turn

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("node", "javac", "nginx"),
    pytest.mark.left_to_all,
]

SCENARIO = "connection-limit"
LIMITS = {
    "node-ws-limit": ("node-ws", "error"),
    "spring-websocket-limit": ("spring-websocket", "timeout"),
    "fastapi-nginx-limit": ("fastapi-nginx", "error"),
}
"""The server without, and what becomes of connecting where 500 are: an answer in place of the
handshake, or none."""
TRIED = one_in_turn(LIMITS)
LET_IN = {**{LIMITS[name][0]: 600 for name in TRIED}, **dict.fromkeys(TRIED, 500)}
"""Users who get in, of 600 who want to."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return brief_run(tmp_path_factory.mktemp("limit"), [SCENARIO], LET_IN, built=LET_IN)


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[str, dict[str, Any]]:
    return by_contender(folder, SCENARIO, "users-600")


def test_whoever_is_one_too_many_is_not_let_in(
    folder: Path, cells: dict[str, dict[str, Any]]
) -> None:
    whole_runs.no_trial_failed(folder)
    connected = {name: cell["statuses"]["connect"] for name, cell in cells.items()}
    without = {LIMITS[name][0]: {"ok": 600} for name in TRIED}
    assert connected == {**without, **{n: {"ok": 500, LIMITS[n][1]: 100} for n in TRIED}}
    assert [cell["ranks"] for cell in cells.values()] == [{}] * len(LET_IN)


def test_each_of_them_is_told_of_with_what_the_server_has_answered(folder: Path) -> None:
    said: dict[str, list[str]] = {name: [] for name in LET_IN}
    for trial, record in whole_runs.records_of(folder).items():
        name = trial.partition(f"{SCENARIO}-")[2]
        if name:
            errors = record["roles"]["generator"]["errors"]
            refused = [one["message"] for one in errors if one["operation"] == "connect"]
            said[name] += [message.partition(": ")[2] for message in refused]
    answer = {
        "error": "HTTP 503 Service Unavailable",
        "timeout": "not on its board within the limit",
    }
    expected = {LIMITS[name][0]: [] for name in TRIED}
    assert said == expected | {name: [answer[LIMITS[name][1]]] * 100 for name in TRIED}


def test_nothing_is_owed_to_the_refused_and_everything_to_the_others(
    cells: dict[str, dict[str, Any]],
) -> None:
    assert {*cells} == {*LET_IN}
    for name, cell in cells.items():
        expected, received, loss, flaws = delivered(cell)
        sent = cell["statuses"]["rtt"]
        assert sent.get("disconnected", 0) == 2 * (600 - LET_IN[name]), name
        assert received + loss == expected == 2 * LET_IN[name] * 49, name
        assert flaws == {}, name


MECHANISMS = {
    "node-ws-limit": ("Mechanism: who comes while 500", "원리: 500명이 연결되어"),
    "spring-websocket-limit": ("Mechanism: with 500 connections Tomcat", "원리: 연결이 500개이면"),
    "fastapi-nginx-limit": ("Mechanism: nginx counts requests", "원리: nginx는 처리 중인 요청을"),
}
MET = {
    "error": ("answered that they were not 100", "거절 응답 100"),
    "timeout": ("without an answer within the limit 100", "제한 시간까지 응답 없음 100"),
}


@pytest.mark.parametrize(
    ("place", "language", "title"),
    [
        (0, "en", "Connection limit: who is one too many is not let in"),
        (1, "ko", "연결 제한: 한도를 넘는 사용자는 들어오지 못함"),
    ],
)
def test_the_report_tells_how_it_works_and_how_it_went_for_users(
    folder: Path, place: int, language: str, title: str
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    assert title in text
    assert TRIED
    for name in TRIED:
        assert MECHANISMS[name][place] in text, name
        assert MET[LIMITS[name][1]][place] in text, name
        # A user without an answer may be the doing of a machine that others use; a refusal is not.
        is_shown = ("it was active", "적용되었습니다")[place] in text
        assert is_shown or LIMITS[name][1] == "timeout", name

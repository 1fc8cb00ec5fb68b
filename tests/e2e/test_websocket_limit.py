"""A limit of connections as a user has it measured: who is one too many is refused and counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others

pytestmark = [pytest.mark.e2e, pytest.mark.needs("node"), pytest.mark.left_to_all]

PLAIN, LIMITED = "node-ws", "node-ws-limit"
LET_IN = {PLAIN: 600, LIMITED: 500}
"""Users who get in, of 600 who want to."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("websocket", PLAIN)
    who = whole_runs.only("--contender", LET_IN)
    here = tmp_path_factory.mktemp("limit")
    options = ("--scenario", "connection-limit", *who, "--profile", "brief", "--seed", "11")
    return whole_runs.run_suite(here, "websocket", *options)


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[str, dict[str, Any]]:
    found = whole_runs.cells_of(whole_runs.result_of(folder), "connection-limit", "users-600")
    return {cell["contender"]: cell for cell in found}


def test_whoever_is_one_too_many_is_refused(folder: Path, cells: dict[str, dict[str, Any]]) -> None:
    whole_runs.no_trial_failed(folder)
    connected = {name: cell["statuses"]["connect"] for name, cell in cells.items()}
    assert connected == {PLAIN: {"ok": 600}, LIMITED: {"ok": 500, "error": 100}}
    assert cells[PLAIN]["ranks"] == cells[LIMITED]["ranks"] == {}


def test_nothing_is_owed_to_the_refused_and_everything_to_the_others(
    cells: dict[str, dict[str, Any]],
) -> None:
    assert {*cells} == {*LET_IN}
    for name, cell in cells.items():
        counts = {
            what: cell["metrics"][f"delivery.{what}.count"]["value"]
            for what in ("expected", "received", "loss", "reorder", "duplicate", "wrong")
        }
        sent = cell["statuses"]["rtt"]
        assert sent.get("disconnected", 0) == 2 * (600 - LET_IN[name]), name
        assert counts.pop("expected") == 2 * LET_IN[name] * 49, name
        assert counts.pop("received") + counts.pop("loss") == 2 * LET_IN[name] * 49, name
        assert set(counts.values()) == {0}, name


@pytest.mark.parametrize(
    ("language", "title", "mechanism"),
    [
        (
            "en",
            "Connection limit: who is one too many is refused",
            "Mechanism: who comes while 500",
        ),
        ("ko", "연결 제한: 한도를 넘는 사용자는 거절", "원리: 500명이 연결되어"),
    ],
)
def test_the_report_tells_how_it_works(
    folder: Path, language: str, title: str, mechanism: str
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    assert title in text
    assert mechanism in text

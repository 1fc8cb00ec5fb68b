"""The WebSocket study's thirteen measures: how each works, and its ratio or its command."""

from __future__ import annotations

from pathlib import Path

import pytest
from websocket_sample import sample, with_tunings
from websocket_text import report

CAPTIONS = {
    "en": "The study's thirteen measures: mechanism, load and what was measured",
    "ko": "원문의 13가지 방안: 원리, 부하, 측정 결과",
}


def rows(text: str, language: str) -> list[list[str]]:
    """Rows of the table of measures."""
    table = text.split(f"**{CAPTIONS[language]}**", 1)[1].strip().split("\n\n")[0]
    return [[c.strip() for c in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_of_the_thirteen_has_mechanism_load_and_a_command(
    tmp_path: Path, language: str
) -> None:
    table = rows(report(tmp_path, sample(), language), language)
    assert len(table) == 13
    assert all(len(row) == 4 and all(row) for row in table)
    told = {row[3].strip("`") for row in table}
    assert "./wl run websocket --scenario tuning" in told
    asked = "--scenario compression --scenario shedding --scenario overload"
    assert f"./wl run websocket {asked}" in told


def test_where_tunings_were_run_their_ratios_stand_there(tmp_path: Path) -> None:
    table = rows(report(tmp_path, with_tunings(sample())), "en")
    told = {row[0]: row[3] for row in table}
    assert told["Spring WebSocket: tune the garbage collector"].count(": ") == 2
    varied = [name for name, said in told.items() if "--scenario tuning" not in said]
    assert len(varied) == 13
    assert "--scenario compression" in told["Spring STOMP: GZIP compression, filtering by topic"]

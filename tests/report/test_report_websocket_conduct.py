"""Conduct of servers with pings and with text that is none, in the report of ``websocket``."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_build import metric as figure
from websocket_sample import sample
from websocket_text import report

from wirelab.model.result import Result

TITLES = {"en": "Pings, and text that is none", "ko": "ping과 UTF-8이 아닌 텍스트"}
COLUMNS = {
    "en": ("ping: answered with what it said", "not UTF-8: closed with 1007"),
    "ko": ("ping: 같은 내용으로 응답", "UTF-8 아님: 1007로 종료"),
}
COUNTED = {
    "connect.ping.quoted.count": 8.0,
    "connect.ping.misquoted.count": 0.0,
    "connect.invalid.named.count": 5.0,
    "connect.invalid.ended.count": 0.0,
    "connect.invalid.kept.count": 3.0,
    "connect.invalid.spread.count": 2.0,
}


def with_conduct(found: Result) -> Result:
    """The sample with what each server did at the end of its last step."""
    counts = {name: figure(value, "count") for name, value in COUNTED.items()}
    cells = [
        cell.model_copy(update={"metrics": cell.metrics | counts})
        if (cell.scenario, cell.step) == ("ramp", "users-1000")
        else cell
        for cell in found.cells
    ]
    return found.model_copy(update={"cells": cells})


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_report_says_what_servers_do_with_text_that_is_none(
    tmp_path: Path, language: str
) -> None:
    text = report(tmp_path, with_conduct(sample()), language)
    section = text.split(TITLES[language])[-1]
    assert {said for said in COLUMNS[language] if said in section} == {*COLUMNS[language]}
    (row,) = [
        line for line in section.split("\n## ")[0].splitlines() if line.startswith("| Node.js ws")
    ]
    counted = [cell.strip() for cell in row.strip("|").split(" | ")][1:]
    assert counted == ["8", "0", "5", "0", "3", "2"]


def test_a_run_in_which_nobody_tried_it_says_nothing_of_it(tmp_path: Path) -> None:
    assert TITLES["en"] not in report(tmp_path, sample())

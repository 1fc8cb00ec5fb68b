"""Spikes of latency as reports show them, in both languages."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest
from report_sample import SUITE, sample
from told_once import report_of

from synthetic.judged import judged
from wirelab.model.result import Result

TITLES = {
    "en": "Spikes of latency, and what went on meanwhile",
    "ko": "지연 시간 급증과 그 시점의 상황",
}
STANDING_OUT = {"en": ("a collection", "long on the wire"), "ko": ("GC", "긴 네트워크 시간")}


def report(folder: Path, found: Result, language: str) -> str:
    return report_of(SUITE, folder, judged(found), language, "md")


def rows(text: str, title: str) -> list[list[str]]:
    """Entries of the rows of the first table below a title."""
    _before, _title, below = text.rpartition(title)
    lines = below.splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("|"))
    own = takewhile(lambda line: line.startswith("|"), lines[begin:])
    return [[entry.strip() for entry in line.strip("|").split("|")] for line in own]


@pytest.mark.parametrize("language", TITLES)
def test_slowest_and_all_stand_below_each_other(tmp_path: Path, language: str) -> None:
    table = rows(report(tmp_path, sample()[0], language), TITLES[language])
    told = {entries[-1] for entries in table}
    assert set(STANDING_OUT[language]) <= told
    # 9 of 11 beside 120 of 1,140.
    (asyncua,) = (row for row in table if STANDING_OUT[language][0] == row[-1])
    assert "82" in asyncua
    following = table[table.index(asyncua) + 1]
    assert "1,140" in following
    assert "11" in following


def test_who_has_no_runtime_has_a_dash_there(tmp_path: Path) -> None:
    table = rows(report(tmp_path, sample()[0], "en"), TITLES["en"])
    (own,) = (row for row in table if row[-1] == "long on the wire")
    assert own.count("–") == 3  # in collections, a collection, a compilation


def test_it_is_said_where_times_are_placed_loosely_and_some_untold(tmp_path: Path) -> None:
    text = report(tmp_path, sample()[0], "en")
    assert "Eclipse Milo (Java): its runtime says when it was at work to" in text
    assert "to 18 ms on average" in text
    assert "asyncua (Python): 3 collections or compilations were too many to be told." in text


def test_without_operations_enough_the_section_says_so(tmp_path: Path) -> None:
    found, _series = sample()
    bare = [cell.model_copy(update={"spikes": {}}) for cell in found.cells]
    text = report(tmp_path, found.model_copy(update={"cells": bare}), "en")
    said = "No operation was recorded often enough in this run: a longer profile has more."
    assert said in text.split(TITLES["en"])[-1]

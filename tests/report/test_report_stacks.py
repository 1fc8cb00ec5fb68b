"""Processor time by its places, as reports show it, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import SUITE, sample
from told_once import report_of

from synthetic.judged import judged
from wirelab.model.result import Result

TITLES = {"en": "Where processor time goes", "ko": "CPU 시간이 쓰이는 곳"}


def report(folder: Path, found: Result, language: str) -> str:
    return report_of(SUITE, folder, judged(found), language, "md")


@pytest.mark.parametrize("language", TITLES)
def test_modules_and_functions_have_their_shares(tmp_path: Path, language: str) -> None:
    # Markdown spells underscores out.
    text = report(tmp_path, sample()[0], language).replace("\\_", "_")
    _before, _title, section = text.partition(TITLES[language])
    rows = [line for line in section.splitlines() if line.startswith("|")]
    (module,) = (row for row in rows if "asyncua.ua.ua_binary |" in row)
    # 7,100 and 8,200 ms of 12,900.
    assert "| 55 | 64 |" in module
    assert any("variant_from_binary" in row and "| 32 | 54 |" in row for row in rows)
    # 9,100 ms in both modules of the package.
    assert "asyncua 71 %" in section
    assert "±1.0" in section
    assert "21 MB" in section


def test_without_such_trials_there_is_no_such_section(tmp_path: Path) -> None:
    found, _series = sample()
    others = [cell for cell in found.cells if cell.stacks is None]
    assert len(others) == len(found.cells) - 1
    text = report(tmp_path, found.model_copy(update={"cells": others}), "en")
    assert TITLES["en"] not in text

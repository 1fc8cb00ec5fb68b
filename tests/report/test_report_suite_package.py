"""A suite's report may be told in several files of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_build import cell, context, metric

from wirelab.report.document import Document
from wirelab.report.sources import composer

MAIN = """
from wirelab.report.generic import document
from .chapters.one import TITLE

def compose(context):
    from wirelab.report.document import Section
    return document(context, (), [Section(TITLE, "one", ())], 4)
"""


def suite(folder: Path, title: str) -> Path:
    (folder / "chapters").mkdir(parents=True)
    (folder / "report.py").write_text(MAIN)
    (folder / "chapters" / "one.py").write_text(f"TITLE = {title!r}\n")
    return folder


def composed(folder: Path) -> Document:
    return composer("demo", folder)(context([cell("a", {"read.rate": metric(1.0, "tag/s")})]))


def test_chapters_are_found_beside_the_report(tmp_path: Path) -> None:
    first = composed(suite(tmp_path / "a", "First")).sections[0]
    assert (first.number, first.title) == ("4", "First")


def test_two_folders_of_one_name_do_not_mix(tmp_path: Path) -> None:
    folders = [suite(tmp_path / name, name) for name in ("left", "right")]
    assert [composed(folder).sections[0].title for folder in folders] == ["left", "right"]


def test_a_missing_chapter_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = suite(tmp_path / "a", "First")
    (folder / "chapters" / "one.py").unlink()
    with pytest.raises(ModuleNotFoundError, match=r"chapters\.one"):
        composed(folder)

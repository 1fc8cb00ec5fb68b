"""Size of a contender: the page's figures are the tree's, and within what was aimed at."""

from __future__ import annotations

import pytest

import contender_sizes
from contender_sizes import MOST_FILES, MOST_LINES, PAGE, Size, rows_of, summaries

COUNTED = contender_sizes.sizes()
TABLES = contender_sizes.tables()
EVERY = "Every contender with sources of its own"
SUMMARIES = {summary.language: summary for summary in summaries(COUNTED)}


@pytest.mark.parametrize("language", MOST_LINES)
def test_the_median_contender_is_short(language: str) -> None:
    summary = SUMMARIES[language]
    assert summary.written
    assert summary.lines(summary.all) <= MOST_LINES[language]
    assert summary.files(summary.all) <= MOST_FILES


def test_the_page_names_the_languages_whose_contenders_with_sources_are_short_as_well() -> None:
    within = [
        language
        for language, most in sorted(MOST_LINES.items())
        if SUMMARIES[language].lines(SUMMARIES[language].written) <= most
    ]
    assert len(within) > 1
    said = f"They are within the aim in {', '.join(within[:-1])} and {within[-1]}."
    assert said in " ".join(PAGE.read_text("utf-8").split())


def test_who_is_much_longer_says_in_its_manifest_why() -> None:
    outlying = [size for size in COUNTED if size.outlying]
    assert len(outlying) > 5
    assert [size.name for size in outlying if not size.why] == []
    explained = [size for size in COUNTED if size.why]
    assert [size.name for size in explained if size.lines < MOST_LINES[size.language]] == []


@pytest.mark.parametrize("heading", TABLES)
def test_the_page_says_what_is_in_the_tree(heading: str) -> None:
    page = PAGE.read_text("utf-8")
    first, _, said = rows_of(page, heading)
    columns = _cells(page.splitlines()[first - 2])
    assert len(said) == len(TABLES[heading]) > 5
    found = {name: cells for name, *cells in map(_cells, TABLES[heading])}
    assert found.keys() == {_cells(row)[0] for row in said}
    for name, *cells in map(_cells, said):
        assert wrong_columns(columns[1:], cells, found[name]) == [], (
            f"{name}: .wirelab/venv/bin/python tests/contender_sizes.py"
        )


def wrong_columns(columns: list[str], said: list[str], found: list[str]) -> list[str]:
    """Columns that are not as found: lines may be a tenth more or less, all else is exact."""
    return [
        column
        for column, one, other in zip(columns, said, found, strict=True)
        if one != other
        and not (column == "lines" and abs(float(one) - float(other)) <= float(other) / 10)
        and not (column == "longest" and one.split()[0] == other.split()[0])
    ]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_lines_may_be_a_tenth_off_and_nothing_else() -> None:
    columns = ["contenders", "files", "lines", "longest"]
    found = ["18", "3", "50", "`a` 432"]
    assert wrong_columns(columns, ["18", "3", "55", "`a` 400"], found) == []
    assert wrong_columns(columns, ["19", "2.5", "44", "`b` 432"], found) == columns


SOURCE = '''"""A worker."""
import os
from codec_harness import (
    Codec,
    serve,
)

# Why.
def work() -> None:
    """One line."""
    serve(Codec(os))
'''
GO = """// A worker.
package main

import (
	"fmt"
)

func main() {
	/* Why. */
	fmt.Println()
}
"""
JAVA = """package demo;

import java.util.List;

/** A worker. */
final class Main {
    /** Why. */
    int one = 1; // the first
}
"""


@pytest.mark.parametrize(
    ("name", "text", "lines"), [("a.py", SOURCE, 2), ("a.go", GO, 3), ("A.java", JAVA, 3)]
)
def test_comments_and_imports_do_not_count(
    name: str, text: str, lines: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("sources") / name
    file.write_text(text)
    assert contender_sizes.lines_of(file) == lines


def test_what_contenders_took_before_is_shown_beside_what_they_take() -> None:
    before = {size.name: size for size in contender_sizes.sizes_before()}
    assert len(before) == 136
    rows = {cells[0].strip("`"): cells for cells in map(_cells, TABLES[EVERY])}
    assert rows["messaging/kafka"][-2:] == ["10", "321"]
    assert rows["websocket/signalr"][-2:] == ["–", "–"]


def test_a_manifest_alone_has_no_lines() -> None:
    alone = [size for size in COUNTED if size.files == 1]
    assert len(alone) > 10
    assert {size.lines for size in alone} == {0}
    assert isinstance(alone[0], Size)

"""Size of a contender: the page's figures are the tree's, and within what was aimed at."""

from __future__ import annotations

import re

import pytest

import contender_sizes
from contender_sizes import MOST_FILES, MOST_LINES, PAGE, Size, rows_of, summaries

COUNTED = contender_sizes.sizes()
TABLES = contender_sizes.tables()
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
    *_, said = rows_of(PAGE.read_text("utf-8"), heading)
    assert len(said) == len(TABLES[heading]) > 5
    found = dict(map(_read, TABLES[heading]))
    assert found.keys() == dict(map(_read, said)).keys()
    for row in said:
        name, figures = _read(row)
        near = zip(figures, found[name], strict=True)
        wrong = [pair for pair in near if abs(pair[0] - pair[1]) > max(10, pair[1] // 10)]
        assert wrong == [], f"{name}: .wirelab/venv/bin/python tests/contender_sizes.py"


def _read(row: str) -> tuple[str, list[float]]:
    """The first cell of a row, and every number after it."""
    name, *cells = [cell.strip() for cell in row.strip("|").split("|")]
    plain = [cell for cell in cells if re.fullmatch(r"[\d.]+", cell)]
    return name, [float(cell) for cell in plain]


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


def test_a_manifest_alone_has_no_lines() -> None:
    alone = [size for size in COUNTED if size.files == 1]
    assert len(alone) > 10
    assert {size.lines for size in alone} == {0}
    assert isinstance(alone[0], Size)

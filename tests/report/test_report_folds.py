"""The answer first: a chapter for each scenario, folds for the rest, no table without a figure."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from own_reports import OwnReport

from wirelab.report import without_figures
from wirelab.report.document import (
    Absent,
    Column,
    Figure,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    words_of,
)
from wirelab.words.translation import words

FOLD = re.compile(r"^</?details>", re.MULTILINE)


def before_opening(text: str) -> str:
    """The lines of a report that no fold hides."""
    depth, shown = 0, []
    for line in text.splitlines():
        depth += line.startswith("<details>")
        shown += [line] if depth == 0 else []
        depth -= line.startswith("</details>")
    assert depth == 0
    return "\n".join(shown)


@pytest.mark.parametrize("suite", ["kv", "messaging"])
def test_each_scenario_is_told_once(suite: str, own_report: Callable[[str], OwnReport]) -> None:
    text = own_report(suite).text
    chapters = re.findall(r"^## \w+\. (.*)$", text, re.MULTILINE)
    told = [title for title in chapters if title.endswith(": all figures")]
    assert len(told) >= 8
    assert sorted(told) == sorted(set(told))


def test_contenders_of_all_modes_stand_together(own_report: Callable[[str], OwnReport]) -> None:
    text = own_report("messaging").text
    chapter = text.split(". Transfer, warm: 900 request/replies: all figures\n")[1].split("\n## ")[
        0
    ]
    assert "ranks and stars are within a mode" in chapter
    table = chapter.split("**Time of each step**")[1].split("\n\n")[1]
    assert "RMI (Java) · direct" in table
    assert "NATS (Java) · via its own queue" in table
    assert table.count("★") == 2  # the best of each mode that compares any


@pytest.mark.parametrize("suite", ["codec", "kv", "messaging", "opcua", "websocket"])
def test_what_few_need_is_folded(suite: str, own_report: Callable[[str], OwnReport]) -> None:
    text = own_report(suite).text
    assert len(FOLD.findall(text)) >= 10
    shown = before_opening(text)
    assert "## A. Appendix" in shown
    assert len(shown.split()) < 0.8 * len(text.split())


def table(*cells: Absent | Figure) -> Table:
    row = Row(Head("swift"), cells)
    return Table("Echo", ("contender",), (Column("p50"), Column("p99")), (RowGroup((row,)),))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ((Absent("not measured"), Absent("–")), "Echo: no entries (not measured)."),
        ((Absent("–"), Absent("–")), "Echo: no entries."),
    ],
)
def test_a_table_without_a_figure_is_a_sentence(cells: tuple[Absent, ...], said: str) -> None:
    told = without_figures.told(Section("s", "s", (table(*cells),)), words("en"))
    (block,) = told.blocks
    assert isinstance(block, Paragraph)
    assert words_of(block.text) == said


def test_a_table_with_one_figure_stays() -> None:
    kept = table(Absent("–"), Figure("1.0"))
    assert without_figures.told(Section("s", "s", (kept,)), words("en")).blocks == (kept,)

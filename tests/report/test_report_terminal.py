"""What a terminal shows after a run."""

from __future__ import annotations

import io

import pytest
from report_build import cell, metric, result
from report_sample import sample
from rich.console import Console

from wirelab.report import terminal


def shown(language: str = "en", width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    terminal.summary(sample()[0], console, language)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_comparison_with_verdicts_reasons_and_remedies() -> None:
    text = shown()
    assert "★ 2.80 [2.72–2.88]" in text
    assert "(0.820)" in text
    assert "invalid processor time stolen (steal)" in text
    assert "up to 7.0 % of the processor time" in text
    assert "→ Use a dedicated machine" in text
    assert "unavailable gopcua (Go): go is not installed" in text
    assert "apt-get install golang" in text
    assert "not recovered" in text


def test_it_fits_eighty_columns() -> None:
    text = shown(width=80)
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    assert "…" not in text


def test_korean() -> None:
    text = shown("ko")
    assert "판정" in text
    assert "무효 빼앗긴 CPU 시간(steal)" in text


def test_a_library_cannot_write_markup() -> None:
    found, _series = sample()
    people = dict(found.participants)
    people["gopcua"] = people["gopcua"].model_copy(update={"unavailable": "[red]no[/red] [/]"})
    console = Console(file=io.StringIO(), width=100)
    terminal.summary(found.model_copy(update={"participants": people}), console)
    assert "[red]no[/red] [/]" in console.file.getvalue()  # type: ignore[attr-defined]


def test_figures_so_far() -> None:
    table = terminal.so_far(sample()[0])
    assert table is not None
    assert next(column.header for column in table.columns) == ""
    assert len(table.columns) == 4


@pytest.mark.parametrize("found", [result([]), result([cell("a", {"x": metric(1.0)})])])
def test_little_or_nothing_is_no_error(found) -> None:
    console = Console(file=io.StringIO(), width=80)
    terminal.summary(found, console)
    terminal.so_far(found)

"""The terminal after a run."""

from __future__ import annotations

import io

import pytest
from report_build import cell, metric, result
from report_sample import sample
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

from wirelab.model.result import Result
from wirelab.report import terminal
from wirelab.report.terminal_parts import FirstThatFits, Title


def shown(language: str = "en", width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    terminal.summary(sample()[0], console, language)
    return console.file.getvalue()  # type: ignore[attr-defined]


def printed(rendered: RenderableType | None, width: int = 100) -> str:
    assert rendered is not None
    console = Console(file=io.StringIO(), width=width)
    console.print(rendered)
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
    assert len(text.splitlines()) > 30
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    assert "…" not in text


def test_korean() -> None:
    text = shown("ko")
    assert "판정" in text
    assert "무효 빼앗긴 CPU 시간 (steal)" in text


def test_a_library_cannot_write_markup() -> None:
    found, _series = sample()
    people = dict(found.participants)
    people["gopcua"] = people["gopcua"].model_copy(update={"unavailable": "[red]no[/red] [/]"})
    console = Console(file=io.StringIO(), width=100)
    terminal.summary(found.model_copy(update={"participants": people}), console)
    assert "[red]no[/red] [/]" in console.file.getvalue()  # type: ignore[attr-defined]


def test_figures_so_far() -> None:
    found = sample()[0]
    text = printed(terminal.so_far(found))
    assert "★ 2.80 [2.72–2.88]" in text
    assert "not recovered" not in text


def underway(found: Result) -> Result:
    """The run, with a trial of its first contender still to come."""
    first, *others = found.cells
    waiting = first.model_copy(update={"other_trials": {"last": "not-run"}})
    return found.model_copy(update={"cells": [waiting, *others]})


def test_before_all_trials_are_run_nobody_is_judged() -> None:
    found = sample()[0]
    text = printed(terminal.so_far(underway(found)))
    done = len(found.cells[0].trials)
    assert f"{done}/{done + 1}" in text
    assert "2.80 [2.72–2.88]" in text
    for judgement in ("★", "valid", "warning", "(0.820)"):
        assert judgement not in text


def test_a_run_that_was_interrupted_ranks_nobody() -> None:
    console = Console(file=io.StringIO(), width=80)
    terminal.outcome(underway(sample()[0]), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "2.80" in text
    assert "nobody is ranked yet" in text
    assert "★" not in text


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("width", [80, 200])
def test_the_end_of_a_run_has_one_line_of_caution(language: str, width: int) -> None:
    console = Console(file=io.StringIO(), width=width)
    terminal.outcome(sample()[0], console, language)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    starts = {"en": "Caution: ", "ko": "주의: "}[language]
    assert [line.startswith(starts) for line in lines].count(True) == 1
    assert lines[-1].startswith(starts)
    assert "(steal)" in lines[-1]
    assert "(too-few-samples)" in lines[-1]


def test_titles_are_broken_between_names_alone() -> None:
    names = ["OPC UA client libraries", "S7: concurrent read and write", "quick", "1,000 users"]
    assert Title(names).lines(200) == [" · ".join(names)]
    assert Title(names).lines(30) == [*names[:2], " · ".join(names[2:])]
    assert Title(names).lines(10) == names


def test_a_table_names_its_variant() -> None:
    found = sample()[0]
    down = found.scenarios["faults"].variants["server-down"].model_copy(update={"expects": None})
    varied = found.scenarios["s7"].model_copy(update={"variants": {"server-down": down}})
    cells = [
        one.model_copy(update={"variant": "server-down"}) if one.scenario == "s7" else one
        for one in found.cells
    ]
    scenarios = {**found.scenarios, "s7": varied}
    text = printed(
        terminal.so_far(found.model_copy(update={"scenarios": scenarios, "cells": cells}))
    )
    assert "S7: concurrent read and write · quick · Server down" in text


def test_names_of_contenders_stay_whole_in_eighty_columns() -> None:
    text = shown(width=80)
    for name in ("asyncua (Python)", "Eclipse Milo (Java)", "open62541 (C)"):
        assert name in text.split("★ best")[0].split("Lowest")[0]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_what_becomes_of_a_fault_is_never_cut(width: int) -> None:
    found = sample()[0]
    names = [f"client{number}" for number in range(8)]
    known = {**found.participants, **dict.fromkeys(names, found.participants["asyncua"])}
    own = [one for one in found.cells if one.caller and one.contender == "asyncua"]
    assert len(own) == 4
    everybody = [
        one.model_copy(update={"contender": name, "id": f"faults/{one.variant}/{name}"})
        for one in own
        for name in names
    ]
    cells = [*found.cells, *everybody]
    console = Console(file=io.StringIO(), width=width)
    terminal.outcome(found.model_copy(update={"participants": known, "cells": cells}), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    faults = text.split("S7: concurrent read and write")[0]
    assert "…" not in faults
    assert faults.count("recovered") >= len(names)


@pytest.mark.parametrize("width", range(50, 120))
def test_a_table_that_would_be_cut_gives_way_to_one_that_is_not(width: int) -> None:
    names = ("asyncua (Python)", "Eclipse Milo (Java)", "open62541 (C)")
    tables = []
    for whole in (True, False):
        drawn = Table("", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for name in names:
            drawn.add_column(name, justify="right", min_width=len(name) if whole else None)
        drawn.add_row("read p95 (ms)", *("n too small (80 of 130)",) * 3)
        drawn.add_row("RSS max (MB)", "53.8", "129", "★ 3.2")
        tables.append(drawn)
    text = printed(FirstThatFits(tables), width)
    assert "★ 3.2" in text
    assert text.count("130)") == 3
    assert text.count("small") == 3


@pytest.mark.parametrize("found", [result([]), result([cell("a", {"x": metric(1.0)})])])
def test_little_or_nothing_is_no_error(found) -> None:
    console = Console(file=io.StringIO(), width=80)
    terminal.summary(found, console)
    terminal.so_far(found)

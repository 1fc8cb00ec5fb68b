"""Microbenchmarks in a report that knows nothing of their suite, and on a terminal."""

from __future__ import annotations

import io
from typing import Any

import pytest
from codec_sample import about, sample, with_time, without
from report_build import cell, metric, participant, result, said
from rich.console import Console

from wirelab.model.result import Cell, Metric, Result, Series, Unsupported
from wirelab.model.scenario import Kind, Scenario
from wirelab.report import generic, terminal
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.charts.strips import Mark, strip
from wirelab.report.context import Context
from wirelab.report.document import Column, Head, Row, RowGroup, Table
from wirelab.report.document import cell as words_cell
from wirelab.report.forms.markdown import render_markdown
from wirelab.report.microbenchmark import by_operation, scenarios
from wirelab.report.sections.microbenchmark.conditions import conditions
from wirelab.report.sections.microbenchmark.reliability import reliability
from wirelab.report.sections.microbenchmark.verdicts import verdicts
from wirelab.report.turned import turned
from wirelab.words.translation import words


def loops(**changes: Any) -> Scenario:
    """A scenario of one operation in two steps, ranked within languages."""
    return Scenario.model_validate(
        {
            "title": {"en": "Loops", "ko": "반복"},
            "load": {"type": "microbenchmark", "about": "10s"},
            "ranked_within": "language",
            "roles": {"worker": {"provider": "contender", "measured": True}},
            "operations": {"pack": {"code": 1, "record": "batches", "item": "value"}},
            "steps": {
                "small": {"title": {"en": "Small", "ko": "작음"}},
                "large": {"title": {"en": "Large", "ko": "큼"}},
            },
            "profiles": {"quick": {"trials": 2, "loops": {"batch": "10ms", "count": 5}}},
            "rankings": [{"metric": "pack.time"}],
            **changes,
        }
    )


def ns(value: float) -> Metric:
    return metric(value, "ns", (value * 0.95, value * 1.05), 10, [value * 0.99, value * 1.01])


def timed(contender: str, step: str, value: float, rank: int = 0, **changes: Any) -> Cell:
    ranks = {"pack.time": rank} if rank else {}
    found = cell(contender, {"pack.time": ns(value)}, ranks=ranks, scenario_name="loops")
    return found.model_copy(update={"step": step, "id": f"{found.id}/{step}", **changes})


def a_run(*cells: Cell, **scenario: Any) -> Result:
    """Two contenders in Rust, one in Go."""
    people = {}
    for name, language in (("ant", "Rust"), ("bee", "Rust"), ("cat", "Go")):
        base = participant(name)
        update = {"language": language}
        people[name] = base.model_copy(update={"manifest": base.manifest.model_copy(update=update)})
    return result(cells, scenarios={"loops": loops(**scenario)}, participants=people, services={})


def usual() -> Result:
    return a_run(
        timed("ant", "small", 20.0, 1),
        timed("bee", "small", 40.0, 2),
        timed("cat", "small", 10.0),
        timed("ant", "large", 9000.0, 1),
        timed("bee", "large", 8900.0, 1),
        timed("cat", "large", 700.0),
    )


def context_of(found: Result, language: str = "en") -> Context:
    return Context(found, Series(cells={}), words(language))


def printed(found: Result, width: int = 100, language: str = "en") -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    terminal.summary(found, console, language)
    return console.file.getvalue()  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------ the comparison


def test_only_one_language_and_mode_is_compared() -> None:
    found = comparisons_of(context_of(usual()), Kind.MICROBENCHMARK)
    assert [(c.language, c.step, len(c.cells)) for c in found] == [
        ("Go", "small", 1),
        ("Rust", "small", 2),
        ("Go", "large", 1),
        ("Rust", "large", 2),
    ]


def test_a_scenario_that_compares_languages_has_one_group() -> None:
    found = a_run(*usual().cells, ranked_within="scenario")
    (group,) = scenarios(context_of(found))[0].peers
    assert group.contenders == ["ant", "bee", "cat"]


def test_a_yardstick_is_in_no_group_even_with_the_mode_of_one() -> None:
    found = usual()
    people = dict(found.participants)
    manifest = people["bee"].manifest.model_copy(update={"reference": True})
    people["bee"] = people["bee"].model_copy(update={"manifest": manifest})
    of_loops = CellTable.of(context_of(found.model_copy(update={"participants": people})), "loops")
    assert [group.contenders for group in of_loops.peers] == [["cat"], ["ant"]]
    assert of_loops.yardsticks("Rust") == ["bee"]
    assert by_operation(of_loops, of_loops.yardsticks("Rust"), "x") is not None
    assert by_operation(of_loops, of_loops.yardsticks("Go"), "x") is None


def test_a_scenario_that_was_not_run_has_no_cells() -> None:
    assert not CellTable.of(context_of(a_run()), "loops")
    assert scenarios(context_of(a_run())) == []


# ------------------------------------------------------------------------------ the usual order


def test_the_usual_report_speaks_of_loops_and_not_of_ticks() -> None:
    text = render_markdown(generic.compose(context_of(usual())))
    assert "| Ant | 20.0 [19.0–21.0] ★ #1 | 9,000 [8,600–9,500] ★ #1= |" in text
    assert "batches: 5, of about 10\u00a0ms each" in text
    assert "Student's t over the processes" in text
    nonsense = (" tick", "deadline", "Loopback", "drift", "bootstrap", "No scenario with figures")
    for words_of_calls in nonsense:
        assert words_of_calls not in text, words_of_calls


def test_cold_loops_are_called_so() -> None:
    profiles = {"quick": {"trials": 1, "loops": {"rounds": 1000, "count": 1}}}
    found = a_run(*usual().cells, profiles=profiles)
    text = said(conditions(context_of(found)))
    assert "1 batch of 1,000 iterations, cold" in text
    answers = {"quick": {"trials": 1, "loops": {"count": 0}}}
    text = said(conditions(context_of(a_run(*usual().cells, profiles=answers))))
    assert "nothing is timed" in text


def test_verdicts_stand_by_contender_and_step() -> None:
    context = context_of(sample())
    steady = CellTable.of(context, "steady")
    table = verdicts(context, steady)
    row = next(row for row in table.groups[0].rows if "FlatBuffers" in row.head.label)
    shown = row.cells[1]
    assert shown.badge.label == "invalid"  # type: ignore[union-attr]
    assert "below-floor" in str(shown)


def test_reliability_counts_what_did_not_settle() -> None:
    context = context_of(sample())
    steady = CellTable.of(context, "steady")
    text = said(reliability(context, steady))
    row = next(line for line in text.splitlines() if line.startswith("| Jackson"))
    assert row.split(" | ")[1:5] == ["5", "3.0", "0.08", "1"]


# ---------------------------------------------------------------------------------- a terminal


def test_a_terminal_has_a_table_a_language_fastest_first() -> None:
    text = printed(usual())
    rust = text.split("Loops · quick · pack time · Rust")[1]
    lines = [line.strip() for line in rust.splitlines() if line.strip().startswith(("Ant", "Bee"))]
    assert lines[0].split() == ["Ant", "20.0", "#1", "9.00", "#1="]
    assert lines[1].split() == ["Bee", "40.0", "#2", "8.90", "#1="]
    assert "µs" in rust


def test_modes_are_headed_and_invalid_figures_in_parentheses() -> None:
    text = printed(sample())
    cpp = text.split("round trip time · C++")[1].split("round trip time · Java")[0]
    assert [w for w in ("borrowed", "fresh", "reuse") if f"\n {w} " in cpp or w in cpp.split()]
    assert "(2.00)" in cpp
    assert "wrong answers" in text


def test_one_process_has_no_ranks() -> None:
    text = printed(sample(profile="smoke", processes=1))
    assert "#" not in text.split("invalid ")[0]
    assert "Nothing here is a comparison" in text


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_terminal_of_eighty_columns_loses_no_figure(language: str) -> None:
    text = printed(sample(), 80, language)
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    assert "…" not in text.split("invalid")[0].split("무효")[0]
    assert text.count("18.0") >= 1


def test_figures_so_far() -> None:
    text = shown_so_far(usual())
    assert text.splitlines()[0].strip().endswith("Go")
    assert "Cat   10.0" in text
    assert terminal.so_far(a_run()) is None


def shown_so_far(found: Result) -> str:
    table = terminal.so_far(found)
    assert table is not None
    console = Console(file=io.StringIO(), width=100)
    console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_before_all_trials_are_run_nobody_is_ranked() -> None:
    found = usual()
    waiting = [
        cell.model_copy(update={"other_trials": {**cell.other_trials, "last": "not-run"}})
        for cell in found.cells
    ]
    unfinished = found.model_copy(update={"cells": waiting})
    assert "trials" in shown_so_far(unfinished)
    assert "#1 " in printed(found)
    assert "#1 " not in printed(unfinished)


def test_what_was_said_of_the_process_is_not_repeated_for_each_step() -> None:
    from wirelab.model.result import Finding, Verdict

    noisy = Finding(
        gate="noisy-neighbour",
        verdict=Verdict.WARN,
        evidence={"trials": {"0001-ant": {"pressure": 0.5}}},
    )
    update = {"findings": [noisy], "verdict": Verdict.WARN}
    steps = [timed("ant", step, 20.0, **update) for step in ("", "small", "large")]
    assert printed(a_run(*steps)).count("tasks waited for a processor") == 1


# ------------------------------------------------------------------------------ smaller pieces


def test_an_operation_that_is_not_offered_says_so() -> None:
    gone = Metric(value=None, unit="ns", unsupported=Unsupported(code="not-offered"))
    found = with_time(sample(), "cpp-protobuf", "T1", "round_trip.time", gone)
    assert "not offered" in printed(found)
    threw = Metric(value=None, unit="ns", unsupported=Unsupported(code="failed"))
    assert "threw" in printed(with_time(sample(), "cpp-protobuf", "T1", "round_trip.time", threw))


def test_a_strip_draws_figures_and_yardsticks() -> None:
    marks = [Mark("Go", 10.0, 1), Mark("Go", 2.0, None, floor=True), Mark("Rust", 0.0, 2)]
    panel = strip("T1", "what", "ns", marks, ["Go", "Rust"])
    assert panel is not None
    points = panel.spec["datasets"]["points"]
    assert [(p["line"], p["floor"]) for p in points] == [("Go", False), ("Go", True)]
    assert strip("T1", "what", "ns", marks[2:], ["Rust"]) is None


def test_a_turned_table_has_the_same_cells() -> None:
    columns = (Column("a"), Column("b"))
    rows = tuple(
        Row(Head(name), (words_cell(f"{name}1"), words_cell(f"{name}2"))) for name in ("x", "y")
    )
    found = turned(Table("t", ("item",), columns, (RowGroup(rows),)))
    assert [column.title for column in found.columns] == ["x", "y"]
    (group,) = found.groups
    assert [row.head.label for row in group.rows] == ["a", "b"]
    assert group.rows[1].cells == (words_cell("x2"), words_cell("y2"))


def test_ranks_follow_the_figures_of_one_language() -> None:
    found = with_time(sample(), "java-jackson", "T1", "round_trip.time", about(1.0))
    comparison = next(
        c
        for c in comparisons_of(context_of(found), Kind.MICROBENCHMARK, "steady")
        if (c.language, c.step, c.mode) == ("C++", "T1", "fresh")
    )
    (first,) = [c for c in comparison.ranked if c.ranks["round_trip.time"] == 1]
    assert first.contender == "cpp-cgd-buffer"
    assert without(found, contender=["java-jackson"]).cells != found.cells

"""Cells by contender and step: selections, figures that may be used, ranks, titles."""

from __future__ import annotations

import pytest
from report_build import cell, context, metric, participant, scenario

from wirelab.model.result import Cell, Verdict
from wirelab.report.cell_table import CellTable, comparisons_of, stepped
from wirelab.report.context import Context
from wirelab.report.document import Absent, Figure
from wirelab.report.tabulate import DASH, FigureColumn

STEPS = {name: {"title": {"en": name.title(), "ko": name}} for name in ("low", "high", "unused")}
P50 = "read.latency.p50"


def at(contender: str, step: str, value: float = 1.0, rank: int = 0, **changes: object) -> Cell:
    """A cell of a step; the id of a cell does not matter here."""
    made = cell(contender, {P50: metric(value, interval=(value, value))})
    ranks = {P50: rank} if rank else {}
    return made.model_copy(update={"step": step, "ranks": ranks, **changes})


def of(*cells: Cell, reference: str = "") -> Context:
    """A run of these cells, one of whose contenders may be a yardstick."""
    people = {name: participant(name) for name in sorted({one.contender for one in cells})}
    if reference:
        manifest = people[reference].manifest.model_copy(update={"reference": True})
        people[reference] = people[reference].model_copy(update={"manifest": manifest})
    return context(cells, scenarios={"main": scenario(steps=STEPS)}, participants=people)


USUAL = (at("b", "high", 4), at("a", "low", 1), at("a", "", 3), at("a", "high", 2), at("b", "low"))


def test_cells_stand_in_the_order_of_the_manifest_and_of_contenders() -> None:
    table = CellTable.of(of(*USUAL), "main")
    assert [(one.step, one.contender) for one in table.cells] == [
        ("", "a"),
        ("low", "a"),
        ("low", "b"),
        ("high", "a"),
        ("high", "b"),
    ]
    assert (table.contenders, table.steps) == (["a", "b"], ["low", "high"])
    assert list(table.all_steps) == list(STEPS)


def test_a_step_and_the_whole_are_tables_too() -> None:
    table = CellTable.of(of(*USUAL), "main")
    assert [part.step for part in table.columns] == ["low", "high", ""]
    assert [part.title for part in table.columns] == ["Low", "High", "all steps"]
    assert table.top.step == "high"
    assert table.whole.contenders == ["a"]
    assert not table.among(["b"]).whole


def test_a_cell_is_found_at_the_table_s_own_step_or_at_a_given_one() -> None:
    table = CellTable.of(of(*USUAL), "main")
    found = {step: table.cell("a", step) for step in ("low", "")}
    assert [one.step for one in found.values() if one] == ["low", ""]
    assert table.cell("a") is found[""]
    assert table.at("low").cell("a") is found["low"]
    assert table.cell("b", "") is None


def test_a_figure_of_an_invalid_cell_is_shown_and_not_used() -> None:
    bad = at("a", "low", 1.0, verdict=Verdict.INVALID)
    table = CellTable.of(of(bad, at("b", "low", 2.0)), "main")
    assert table.metric("a", "low", P50) is None
    assert table.value("b", "low", P50) == 2.0
    shown = table.shown("a", "low", FigureColumn(P50))
    assert isinstance(shown, Figure)
    assert shown.tentative
    assert table.shown("a", "high", FigureColumn(P50)) == Absent(DASH)
    assert [table.head(name).badge is not None for name in ("a", "b")] == [True, False]


def test_a_rank_is_shared_with_those_it_is_compared_with_alone() -> None:
    first, other = at("a", "low", rank=1), at("b", "low", rank=1)
    elsewhere = [at(name, "low", rank=place, mode="kept") for place, name in ((1, "c"), (2, "d"))]
    table = CellTable.of(of(first, other, *elsewhere), "main")
    assert [table.rank(one, P50) for one in table.cells] == ["1=", "1=", "1", "2"]
    assert [group.contenders for group in table.peers] == [["a", "b"], ["c", "d"]]


def test_a_yardstick_is_ranked_nowhere_and_stands_last() -> None:
    table = CellTable.of(of(at("a", "low"), at("b", "low"), reference="a"), "main")
    assert (table.contenders, table.yardsticks_last) == (["a", "b"], ["b", "a"])
    assert [group.contenders for group in table.peers] == [["b"]]
    assert table.yardsticks("") == ["a"]


def test_another_generator_and_a_variant_are_tables_of_their_own() -> None:
    own, theirs = at("a", "low", 1.0), at("a", "low", 9.0, generator="other")
    found = of(theirs, own)
    assert CellTable.of(found, "main").value("a", "low", P50) == 1.0
    assert CellTable.of(found, "main", generator="other").value("a", "low", P50) == 9.0
    assert not CellTable.of(found, "main", variant="down")
    assert [one.generator for one in comparisons_of(found)] == ["", "other"]


def test_steps_of_unlike_modes_are_in_no_one_table() -> None:
    assert stepped(of(*USUAL), "main").steps == ["low", "high"]
    assert not stepped(of(*USUAL, at("c", "low", mode="kept")), "main")
    assert not stepped(of(at("a", "")), "main")


def test_a_table_without_cells_is_false_and_knows_nobody() -> None:
    table = CellTable.of(of(*USUAL), "elsewhere")
    assert not table
    assert (table.contenders, table.steps, table.trials) == ([], [], 0)
    assert table.metric("a", "low", P50) is None
    with pytest.raises(IndexError):
        _ = table.scenario

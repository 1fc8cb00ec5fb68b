"""Statements against the figures of a run of codecs: the interval decides, and nothing
is said that no figure carries."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from codec_sample import about, changed, sample, with_time, without
from codec_text import chapter, context_of, part, published, report
from report_build import metric
from websocket_text import grounds, stand

from wirelab.model.result import Cell, Metric
from wirelab.report.cell_table import CellTable

AHEAD = "CGD.buffer is slightly ahead of protobuf"
LITTLE = "CGD.buffer and protobuf do not differ much"
BEHIND = "JSON treats everything as text"
STRINGS = "Where the data itself is text"
SPREAD = "With a million iterations the repetitions"
UNBOUNDED = {"interval": None, "by_block": None, "per_trial": []}
"""Ratio to a figure that nothing bounds."""


def test_every_statement_has_a_rule_and_every_rule_a_statement(tmp_path: Path) -> None:
    context = context_of(sample())
    steady, million = CellTable.of(context, "steady"), CellTable.of(context, "million")
    rules = chapter("statements").rules(context, steady, million)
    assert set(rules) == {claim.key for claim in published().claims}
    text = report(tmp_path, sample())
    for claim in published().claims:
        assert claim.text.of("en") in text, claim.key


def test_defects_name_statements_and_metrics_that_exist() -> None:
    found = published()
    known = {f"claim.{claim.key}" for claim in found.claims}
    known |= {f"conditions.{item.key}" for item in found.conditions}
    known |= {name for of in found.figures.values() for name in of}
    assert len(found.defects) == 10
    for defect in found.defects:
        assert defect.metrics, defect.id
        for pattern in defect.metrics:
            assert any(fnmatchcase(name, pattern) for name in known), (defect.id, pattern)
        assert defect.title.ko
        assert defect.text.ko


def test_without_csharp_its_statement_stays_open_and_others_are_told(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    statement = "C++ is overwhelmingly faster than C#"
    assert stand(text, statement) == "undecided"
    assert "CGD wire format (Java): T1 3.33 [3.19–3.48]" in grounds(text, statement)


@pytest.mark.parametrize(
    ("name", "mode", "without", "expected"),
    [
        ("csharp-cgd-buffer", "fresh", {}, "undecided"),
        ("csharp-cgd-original", "fresh, unvalidated", {}, "supported"),
        ("csharp-cgd-original", "fresh, unvalidated", UNBOUNDED, "undecided"),
    ],
)
def test_the_original_alone_decides_over_csharp(
    tmp_path: Path, name: str, mode: str, without: dict[str, Any], expected: str
) -> None:
    """Figures of it here are Java's, more than three times as slow as in C++;
    without intervals it is told, and decides nothing."""
    known = sample()
    java = known.participants["java-cgd-buffer"]
    update = {"contender": name, "language": "C#", "mode": mode}
    manifest = java.manifest.model_copy(update=update)
    people = {**known.participants, name: java.model_copy(update={"manifest": manifest})}
    cells = []
    for cell in known.cells:
        if cell.contender == "java-cgd-buffer":
            figures = {k: m.model_copy(update=without) for k, m in cell.metrics.items()}
            place = cell.id.replace("java-", "csharp-")
            own = {"id": place, "contender": name, "metrics": figures}
            cells.append(cell.model_copy(update=own))
    assert cells
    told = known.model_copy(update={"participants": people, "cells": [*known.cells, *cells]})
    text, statement = report(tmp_path, told), "C++ is overwhelmingly faster than C#"
    assert stand(text, statement) == expected
    unmeasured = "The original in C# was not measured" in grounds(text, statement)
    assert unmeasured == (name != "csharp-cgd-original")


def test_one_language_against_a_statement_decides_it_and_each_is_told(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    assert stand(text, BEHIND) == "contradicted"
    said = grounds(text, BEHIND)
    assert re.search(r"orjson \(Python\) over .* \(contradicted\)", said)
    assert "C++" not in said
    assert re.search(r"- RapidJSON \(C\+\+\) over CGD .* \(C\+\+\): .* \(supported\)", text)
    without_python = without(sample(), contender=["python-orjson"])
    assert stand(report(tmp_path, without_python), BEHIND) == "supported"


def test_intervals_decide_not_values(tmp_path: Path) -> None:
    # Protocol Buffers in Python lie 3 % behind CGD there, with intervals of as much: more than the
    # 5 % within which figures are as good as equal.
    text = report(tmp_path, sample())
    assert stand(text, AHEAD) == "undecided"
    faster = sample()
    for step in ("T1", "T2", "T3", "T4", "T5"):
        faster = with_time(faster, "java-protobuf", step, "round_trip.time", about(1.0))
    assert stand(report(tmp_path, faster), AHEAD) == "contradicted"


@pytest.mark.parametrize("statement", [AHEAD, LITTLE, BEHIND, STRINGS, SPREAD])
def test_one_process_leaves_statements_open(tmp_path: Path, statement: str) -> None:
    text = report(tmp_path, sample(profile="smoke", processes=1))
    assert stand(text, statement) == "undecided"


def test_strings_need_all_four_data_sets(tmp_path: Path) -> None:
    assert stand(report(tmp_path, sample()), STRINGS) == "supported"
    text = report(tmp_path, without(sample(), step=["T4"]))
    assert stand(text, STRINGS) == "undecided"


def test_a_missing_data_set_leaves_a_comparison_open(tmp_path: Path) -> None:
    absent = Metric(value=None, unit="ns")
    found = with_time(sample(), "cpp-protobuf", "T5", "round_trip.time", absent)
    found = without(found, contender=["java-protobuf", "python-protobuf"])
    assert stand(report(tmp_path, found), AHEAD) == "undecided"


def test_little_is_a_bound_that_is_named(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    assert stand(text, LITTLE) == "contradicted"
    assert "less than 1.5 times" in grounds(text, LITTLE)
    only_python = without(sample(), contender=["cpp-protobuf", "java-protobuf"])
    assert stand(report(tmp_path, only_python), LITTLE) == "supported"


def test_the_spread_is_that_of_processes(tmp_path: Path) -> None:
    assert stand(report(tmp_path, sample()), SPREAD) == "supported"

    def scattered(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender, cell.step) != ("million", "cpp-cgd-buffer", "T1"):
            return cell
        value = metric(18.0, "ns", (10.0, 30.0), 5, [18.0, 17.0, 25.0])
        return cell.model_copy(update={"metrics": {"round_trip.time": value}})

    text = report(tmp_path, changed(sample(), scattered))
    assert stand(text, SPREAD) == "contradicted"
    assert "most 47 % (CGD wire format (C++), T1)" in grounds(text, SPREAD)


def test_the_tally_counts_what_the_table_says(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    said = re.search(r"Of the study's (\d+) statements: (.+)\.", text)
    assert said is not None
    told = [stand(text, claim.text.of("en")) for claim in published().claims]
    stands = ("supported", "contradicted", "direction only", "no difference shown", "undecided")
    counted = "; ".join(f"{told.count(one)} {one}" for one in stands if one in told)
    assert said.groups() == (str(len(told)), counted)


def test_the_open_question_of_the_study_is_answered(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "#### 10-1-1. The question it left open")
    row = next(line for line in text.splitlines() if line.startswith("| RapidJSON (C++)"))
    assert "1,050\u00a0[1,019–1,082]<br>58.3 [55.9–60.9] times" in row
    gone = part(
        report(tmp_path, without(sample(), contender=["cpp-cgd-buffer"])),
        "#### 10-1-1. The question it left open",
    )
    assert "still open" in gone


# -------------------------------------------------------------------------- general statements


def test_general_statements_are_decided_by_figures(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    told = {
        statement: stand(text, statement)
        for statement in (
            "Numbers: a binary format with a schema is faster",
            "Keeping Protocol Buffers messages makes them faster",
            "Converting to messages of the library takes more than a quarter",
            "JSON takes more bytes than Protocol Buffers",
        )
    }
    assert list(told.values()) == ["contradicted", "supported", "supported", "supported"]
    gone = without(sample(), contender=["cpp-protobuf-reuse"])
    assert stand(report(tmp_path, gone), "Keeping Protocol Buffers messages") == "undecided"


def test_sizes_that_cannot_be_compared_stay_open(tmp_path: Path) -> None:
    names = ["cpp-protobuf", "cpp-protobuf-reuse", "java-protobuf", "python-protobuf"]
    text = report(tmp_path, without(sample(), contender=names))
    assert stand(text, "JSON takes more bytes than Protocol Buffers") == "undecided"

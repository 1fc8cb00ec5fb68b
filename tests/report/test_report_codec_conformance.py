"""Codecs that understand each other, and the fate of bad input, in the report of ``codec``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codec_sample import changed, sample, without
from codec_text import part, report, rows
from websocket_text import grounds, stand

from wirelab.model.result import Cell, Result

CLAIM = "None of this suite's own CGD codecs allocates from an unchecked count"


def remarked(found: Result, contender: str, step: str, **remarks: Any) -> Result:
    """The result with other remarks of one contender's data in ``conform``."""

    def change(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender, cell.step) != ("conform", contender, step):
            return cell
        return cell.model_copy(update={"remarks": {**cell.remarks, **remarks}})

    return changed(found, change)


def test_every_decoder_stands_against_every_encoder_of_its_format(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 7-2. Who reads whom")
    table = rows(text, "JSON")
    assert len(table) == 2 + 6
    jackson = next(cells for name, cells in table.items() if "Jackson" in name)
    assert jackson[1] == "✘ **6/7**<br>T5"
    assert jackson[2] == "✔ **7/7**"
    said = "**Jackson (Java)** reading nlohmann/json (C++), T5: 6 of 8 instances right"
    assert said in text


def test_an_encoder_that_nobody_read_is_a_dash(tmp_path: Path) -> None:
    found = sample()
    for step in ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat"):
        own = {"python-cgd-buffer": {"same": 8, "of": 8, "first": ""}}
        found = remarked(found, "python-cgd-buffer", step, read=own)
    table = rows(part(report(tmp_path, found), "### 7-2. Who reads whom"), "CGD")
    python = next(cells for name, cells in table.items() if "Python" in name)
    assert python[1:] == ["–", "–", "✔ **7/7**"]


def test_golden_bytes_are_equal_or_other(tmp_path: Path) -> None:
    def differs(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender, cell.step) != ("steady", "java-protobuf", "T5"):
            return cell
        return cell.model_copy(update={"remarks": {"golden": "differs", "sha256": "1"}})

    text = part(report(tmp_path, changed(sample(), differs)), "### 7-1. Golden bytes")
    table = rows(text, "Golden bytes")
    assert table["Protocol Buffers (Java)"][1] == "✔ **equal**"
    assert table["Protocol Buffers (Java)"][5] == "⚠ **other bytes**"
    assert "RapidJSON (C++)" not in table


def test_an_original_is_held_against_the_clean_room_byte_by_byte(tmp_path: Path) -> None:
    said = "The original of CGD and the clean-room codec write the same bytes"
    found, twin = sample(), "cpp-cgd-original"
    alone = part(report(tmp_path, found), "### 7-1. Golden bytes")
    assert stand(alone, said) == "undecided"
    twins = [
        cell.model_copy(
            update={
                "contender": twin,
                "id": cell.id.replace("cpp-cgd-buffer", twin),
                "remarks": {**cell.remarks, **({"sha256": "1"} if cell.step == "T2" else {})},
            }
        )
        for cell in found.cells
        if (cell.scenario, cell.contender) == ("steady", "cpp-cgd-buffer")
    ]
    people = {**found.participants, twin: found.participants["cpp-cgd-buffer"]}
    both = {"cells": [*found.cells, *twins], "participants": people}
    text = part(report(tmp_path, found.model_copy(update=both)), "### 7-1. Golden bytes")
    assert stand(text, said) == "contradicted"
    assert grounds(text, said).startswith("CGD wire format (C++): other bytes in T2 ")


def test_truncations_are_counted_and_named(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 7-3. Truncated input")
    table = rows(text, "Accepted though truncated")
    assert table["Protocol Buffers (C++)"][1] == "2 / 43<br>at 10, 12 B"
    assert table["CGD wire format (C++)"][6] == "0 / 2,048"
    assert "Protocol Buffers (C++) (2 / 3,737)" in text


def test_a_decoder_that_failed_to_answer_is_no_decoder_that_rejects(tmp_path: Path) -> None:
    found, heading = sample(), "### 7-3. Truncated input"
    assert "Jackson" in part(report(tmp_path, found), heading)
    for step in ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat"):
        found = remarked(found, "java-jackson", step, truncate={"error": {"class": "X"}})
    assert "Jackson" not in part(report(tmp_path, found), heading)


def test_values_show_where_they_tell_something(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 7-4. Bad input").split("**JSON:")[1]
    line = next(line for line in text.splitlines() if line.startswith("| above-2^53 · T1 |"))
    assert '{"u64":9007199254740992}' in line
    utf = next(line for line in text.splitlines() if line.startswith("| invalid-utf-8 · T4 |"))
    assert "**accepted**" in utf
    assert "\ufffd(" in utf


def test_what_should_have_been_rejected_is_a_warning(tmp_path: Path) -> None:
    told = {"null": {"outcome": "accepted", "value": []}}
    text = part(
        report(tmp_path, remarked(sample(), "java-cgd-buffer", "T3", reject=told)),
        "### 7-4. Bad input",
    )
    line = next(line for line in text.splitlines() if line.startswith("| null · T3 |"))
    assert "⚠ **accepted**<br>[]" in line


def test_runs_that_hold_the_value_itself_show_the_same(tmp_path: Path) -> None:
    told = {"null": {"outcome": "accepted", "value": [2**64]}}
    text = report(tmp_path, remarked(sample(), "java-cgd-buffer", "T3", reject=told))
    line = next(line for line in text.splitlines() if line.startswith("| null · T3 |"))
    assert "**accepted**<br>[18446744073709551616]" in line


def test_mutants_are_summed_up(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 7-4. Bad input")
    assert "mutant-" not in text
    line = next(line for line in text.splitlines() if "golden bytes changed at random" in line)
    assert "40 of 40 rejected<br>at most 96 B" in line


def test_nobody_allocates_from_an_unchecked_count(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    assert stand(text, CLAIM) == "supported"
    assert "at most 96 B, 7 vectors rejected" in grounds(text, CLAIM)
    greedy = {"huge-count": {"outcome": "rejected", "as": "E", "allocated_bytes": 784_000_000}}
    found = remarked(sample(), "java-cgd-buffer", "T5", reject=greedy)
    text = report(tmp_path, found)
    assert stand(text, CLAIM) == "contradicted"
    assert "784.0\u00a0MB" in grounds(text, CLAIM)


def test_the_original_is_none_of_the_suite_s_own(tmp_path: Path) -> None:
    found, twin = sample(), "cpp-cgd-original"
    greedy = {"huge-count": {"outcome": "rejected", "as": "E", "allocated_bytes": 784_000_000}}
    twins = [
        cell.model_copy(
            update={
                "contender": twin,
                "id": cell.id.replace("cpp-cgd-buffer", twin),
                "remarks": {**cell.remarks, "reject": greedy},
            }
        )
        for cell in found.cells
        if (cell.scenario, cell.contender) == ("conform", "cpp-cgd-buffer")
    ]
    assert len(twins) > 5
    people = {**found.participants, twin: found.participants["cpp-cgd-buffer"]}
    text = report(
        tmp_path, found.model_copy(update={"cells": [*found.cells, *twins], "participants": people})
    )
    assert stand(text, CLAIM) == "supported"
    assert "784.0\u00a0MB" in text


def test_accepting_a_huge_count_is_worse(tmp_path: Path) -> None:
    told = {"huge-count": {"outcome": "accepted", "value": []}}
    text = report(tmp_path, remarked(sample(), "cpp-cgd-buffer", "T3", reject=told))
    assert stand(text, CLAIM) == "contradicted"
    assert "CGD wire format (C++) accepted huge-count (T3)" in grounds(text, CLAIM)


def test_without_figures_of_allocation_it_stays_open(tmp_path: Path) -> None:
    names = ["cpp-cgd-buffer", "java-cgd-buffer", "python-cgd-buffer"]
    assert stand(report(tmp_path, without(sample(), contender=names)), CLAIM) == "undecided"


def test_a_run_without_conform_has_golden_bytes_all_the_same(tmp_path: Path) -> None:
    text = part(report(tmp_path, without(sample(), scenario=["conform"])), "## 7. Conformance")
    assert "wl run codec --scenario conform" in text
    assert rows(text, "Golden bytes")["CGD wire format (C++)"][1] == "✔ **equal**"

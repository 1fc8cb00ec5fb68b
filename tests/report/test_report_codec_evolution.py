"""Data of another version in the report of ``codec``: the tables of both directions, what is kept
of fields that are not known, and what of it stands in the section on ease of use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from codec_sample import sample, without
from codec_text import part, report, rows

from wirelab.model.result import Cell, Result

CHANGES = tuple(sample().scenarios["evolution"].steps)
FATES = {
    "cpp-cgd-buffer": ("refused wrong wrong right refused refused right refused", "defaulted"),
    "cpp-protobuf": ("right right right right right defaulted right defaulted", "right"),
    "python-json": ("right right right refused right refused right refused", "right"),
}
"""Outcome of each change read by new code, and of the field that the code between does not know."""

TOLD = {"wrong": "sensor = 12", "defaulted": "zone = ''", "refused": "ValueError", "right": ""}


def with_versions(found: Result, fates: dict[str, tuple[str, str]]) -> Result:
    """The result with what each contender made of every change."""
    cells = [
        _changed(cell, change, outcome, kept)
        for cell in found.cells
        if (cell.scenario, cell.step) == ("steady", "T1") and cell.contender in fates
        for change, outcome, kept in _of(*fates[cell.contender])
    ]
    assert len(cells) == len(fates) * len(CHANGES)
    return found.model_copy(update={"cells": [*found.cells, *cells]})


def _of(outcomes: str, kept: str) -> list[tuple[str, str, str]]:
    each = zip(CHANGES, outcomes.split(), strict=True)
    return [(change, outcome, kept) for change, outcome in each]


def _changed(cell: Cell, change: str, outcome: str, kept: str) -> Cell:
    """Old code reads the new data as new code reads the old; the last value decides."""
    own = [{"outcome": "right", "told": ""}, {"outcome": outcome, "told": TOLD[outcome]}]
    remarks: dict[str, Any] = {"backward": own, "forward": own}
    if change == "added":
        remarks["rewrite"] = [{"outcome": kept, "told": TOLD[kept]}]
    names = {"scenario": "evolution", "step": change, "id": f"codec/evolution/{change}/{cell.id}"}
    empty = {"ranks": {}, "findings": [], "metrics": {}}
    return cell.model_copy(update={**names, **empty, "remarks": {"evolution": remarks}})


def test_every_change_is_told_in_both_directions(tmp_path: Path) -> None:
    text = part(report(tmp_path, with_versions(sample(), FATES)), "### 7-5. Schema evolution")
    for caption in ("New code reads old data", "Old code reads new data"):
        table = rows(text, caption)
        told = table["CGD wire format (C++)"][1:]
        assert len(told) == len(CHANGES)
        assert told[:2] == ["**refused**", "✘ **misread**<br>sensor = 12"]
        assert table["Protocol Buffers (C++)"][-1].startswith("⚠ **defaulted**<br>zone")


def test_what_is_kept_of_a_field_that_is_not_known_is_told_by_name(tmp_path: Path) -> None:
    text = part(report(tmp_path, with_versions(sample(), FATES)), "### 7-5. Schema evolution")
    assert "- Kept: Protocol Buffers (C++), json (Python)." in text
    assert "- Dropped: CGD wire format (C++)." in text


def test_who_was_not_tried_is_named_with_the_reason(tmp_path: Path) -> None:
    text = part(report(tmp_path, with_versions(sample(), FATES)), "### 7-5. Schema evolution")
    said = text.split("Not tried, and why")[1]
    assert "- **orjson (Python)**: its worker does not have the versions of the record" in said


@pytest.mark.parametrize(
    ("outcomes", "standing"),
    [
        (FATES["cpp-cgd-buffer"][0], "supported"),
        (" ".join(["right"] * len(CHANGES)), "contradicted"),
    ],
)
def test_that_formats_of_order_alone_are_incompatible_is_shown(
    tmp_path: Path, outcomes: str, standing: str
) -> None:
    found = with_versions(sample(), {"cpp-cgd-buffer": (outcomes, "defaulted")})
    text = part(report(tmp_path, found), "### 7-5. Schema evolution")
    row = next(line for line in text.splitlines() if "do not read what another version" in line)
    assert standing in row


def test_ease_of_use_tells_what_a_codec_asks_for_and_how_many_changes_it_reads(
    tmp_path: Path,
) -> None:
    text = part(report(tmp_path, with_versions(sample(), FATES)), "### 12-2. Ease of use")
    table = rows(text, "What a codec asks for")
    own = table["Protocol Buffers"]
    assert own[-7:] == [
        "shapes.proto",
        "protoc",
        "11",
        "fields marked optional",
        "numbers",
        "6 of 8 right",
        "6 of 8 right",
    ]
    assert table["orjson (Python)"][-2:] == ["–", "–"]


def test_both_are_told_in_korean(tmp_path: Path) -> None:
    text = report(tmp_path, with_versions(sample(), FATES), "ko")
    changed = part(text, "### 7-5. 스키마 진화")
    told = rows(changed, "새 코드로 옛 데이터를 읽을 때")["CGD wire format (C++)"]
    assert told[2] == "✘ **오독**<br>sensor = 12"
    assert "- 보존: Protocol Buffers (C++), json (Python)." in changed
    assert "shapes.proto" in part(text, "### 12-2. 사용 편의성")


def test_a_run_without_it_says_how(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 7-5. Schema evolution")
    assert "./wl run codec --scenario evolution" in text


def test_versions_alone_have_both_sections(tmp_path: Path) -> None:
    found = without(with_versions(sample(), FATES), scenario=["steady"])
    text = report(tmp_path, found)
    assert "New code reads old data" in text
    assert "What a codec asks for" in text

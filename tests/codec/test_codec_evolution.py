"""The judge of schema evolution: what was read of another version, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[2] / "suites" / "codec"
JUDGE = load_part("codec_under_test", SUITE / "verify.py").judge
VALUES = json.loads((SUITE / "vectors" / "evolution.json").read_text("utf-8"))
CHANGES = (
    "added",
    "removed",
    "reordered",
    "renamed",
    "widened",
    "retyped",
    "enumeration",
    "required",
)
WRITER = {"backward": "old", "forward": "new", "rewrite": "new"}
OLD = {"sensor": 7, "name": "pump", "note": "serviced", "count": 12, "level": "high"}
REFUSED = {"error": {"class": "Refused", "message": "no"}}

Json = dict[str, Any]


def answers(change: str, given: dict[tuple[str, int], Json]) -> list[Json]:
    """An answer to each question: those that are given, and refusals."""
    return [
        {
            "phase": "measure",
            "operation": direction,
            "step": change,
            "tick": tick,
            "start_ns": 1,
            "end_ns": 2,
            **given.get((direction, tick), REFUSED),
        }
        for direction, writer in WRITER.items()
        for tick in range(len(VALUES[change][writer]))
    ]


def judged(change: str, told: list[Json]) -> Json:
    facts = {"format": "json", "strings": "utf-16", "operations": []}
    return dict(JUDGE({"batches": {"steps": [change]}}, facts, told, [])[change])


def outcome(change: str, direction: str, value: Any, tick: int = 0) -> tuple[str, str]:
    given = {(direction, tick): {"answer": {"value": value}}}
    found = judged(change, answers(change, given))
    assert found["wrong"] == []
    one = found["remarks"]["evolution"][direction][tick]
    return one["outcome"], one["told"]


def test_the_values_are_of_every_change_and_begin_with_one_record() -> None:
    assert tuple(VALUES) == CHANGES
    assert [VALUES[change]["old"] for change in CHANGES] == [[OLD]] * len(CHANGES)
    assert VALUES["widened"]["new"][1]["count"] > 2**32


@pytest.mark.parametrize(
    ("change", "direction", "value", "expected"),
    [
        ("added", "backward", {**OLD, "unit": None}, ("right", "")),
        ("added", "backward", OLD, ("right", "")),
        ("added", "backward", {**OLD, "unit": "x"}, ("wrong", 'unit = "x"')),
        ("added", "forward", OLD, ("right", "")),
        ("added", "rewrite", {**OLD, "unit": "bar"}, ("right", "")),
        ("added", "rewrite", {**OLD, "unit": None}, ("defaulted", "unit = null")),
        ("removed", "forward", {**OLD, "note": None}, ("right", "")),
        ("removed", "backward", {**OLD, "count": 9}, ("wrong", "count = 9")),
        ("reordered", "backward", {**OLD, "sensor": 12, "count": 7}, ("wrong", "sensor = 12")),
        ("reordered", "backward", {**OLD, "sensor": 0}, ("wrong", "sensor = 0")),
        ("renamed", "backward", {**OLD, "title": "pump"}, ("right", "")),
        ("renamed", "backward", OLD, ("defaulted", "title –")),
        ("retyped", "backward", {**OLD, "count": "12"}, ("right", "")),
        ("retyped", "backward", {**OLD, "count": 12}, ("wrong", "count = 12")),
        ("retyped", "forward", {**OLD, "count": 0}, ("defaulted", "count = 0")),
        ("enumeration", "forward", {**OLD, "level": "critical"}, ("right", "")),
        ("enumeration", "forward", {**OLD, "level": 3}, ("right", "")),
        ("enumeration", "forward", {**OLD, "level": "none"}, ("defaulted", 'level = "none"')),
        ("enumeration", "forward", {**OLD, "level": "high"}, ("wrong", 'level = "high"')),
        ("required", "backward", {**OLD, "zone": ""}, ("defaulted", 'zone = ""')),
        ("required", "backward", {**OLD, "zone": "x"}, ("wrong", 'zone = "x"')),
        ("required", "forward", OLD, ("right", "")),
        ("required", "forward", [1], ("wrong", "[1]")),
    ],
)
def test_outcomes(change: str, direction: str, value: Any, expected: tuple[str, str]) -> None:
    assert outcome(change, direction, value) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [(5_000_000_000, "right"), (705_032_704, "wrong"), (0, "defaulted")],
)
def test_what_does_not_fit_is_right_only_whole(count: int, expected: str) -> None:
    assert outcome("widened", "forward", {**OLD, "count": count}, tick=1)[0] == expected


def test_an_error_is_a_refusal_and_says_its_class() -> None:
    found = judged("added", answers("added", {}))
    assert found["wrong"] == []
    assert found["remarks"]["evolution"] == {
        direction: [{"outcome": "refused", "told": "Refused"}] for direction in WRITER
    }


def test_a_question_without_an_answer_is_wrong() -> None:
    assert judged("renamed", answers("renamed", {})[:-1])["wrong"] == ["rewrite 0: no answer"]

"""The judge of large messages: what has to come out of a blob, of records and of a stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[2] / "suites" / "codec"
JUDGE = load_part("codec_under_test", SUITE / "verify.py").judge

BLOB = 7 * 1_000_000 + 3 * (500_000 % 251) + 5 * (999_999 % 251)
"""Byte k is k mod 251: the first is 0, the middle one and the last one follow."""

ENDS = {"size": 1_000_004, "first": 64, "middle": 7, "last": 15}
WRITTEN = 7 * 1_000_004 + 64 + 3 * 7 + 5 * 15

Json = dict[str, Any]


def once(tick: int, **told: Any) -> Json:
    names = {"phase": "measure", "operation": "once", "step": "blob-1", "tick": tick}
    return {**names, "start_ns": 1, "end_ns": 2, **told}


def judged(answers: list[Json], batches: list[Json] = [], form: str = "cgd") -> Json:  # noqa: B006
    facts = {"format": form, "strings": "utf-8", "operations": ["to_bytes", "from_bytes"]}
    return dict(JUDGE({"batches": {"steps": ["blob-1"]}}, facts, answers, batches)["blob-1"])


def batch(operation: str, iterations: int, checksum: int) -> Json:
    names = {"step": "blob-1", "operation": operation, "phase": "measure"}
    return {**names, "start_ns": 1, "end_ns": 2, "rounds": iterations, "checksum": checksum}


def good() -> list[Json]:
    before = {"before_bytes": 5_000_000, "peak_bytes": 7_500_000}
    return [
        once(0, answer={**ENDS, **before}),
        once(1, answer={"fold": BLOB, "before_bytes": 9, "peak_bytes": 9}),
    ]


def test_what_is_right_has_its_size_and_the_memory_that_it_took() -> None:
    found = judged(good(), [batch("to_bytes", 2, 2 * WRITTEN), batch("from_bytes", 1, BLOB)])
    assert found["wrong"] == []
    assert found["figures"] == {
        "encoded.size": (1_000_004, "B"),
        "to-bytes.memory": (2.5, "MB"),
        "from-bytes.memory": (0.0, "MB"),
    }


def test_memory_that_nobody_can_tell_is_no_figure() -> None:
    found = judged([once(0, answer=ENDS), once(1, answer={"fold": BLOB})])
    assert found["wrong"] == []
    assert set(found["figures"]) == {"encoded.size"}


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (good()[:1], "from_bytes: no answer"),
        ([once(0, error={"class": "X", "message": "full"}), good()[1]], "to_bytes threw X: full"),
        ([good()[0], once(1, answer={"fold": BLOB + 1})], "from_bytes gave the fold"),
        ([once(0, answer={**ENDS, "size": 999_999}), good()[1]], "to_bytes gave 999999 bytes"),
    ],
)
def test_what_is_missing_or_wrong_is_said(answers: list[Json], said: str) -> None:
    found = judged(answers)
    assert len(found["wrong"]) == 1
    assert found["wrong"][0].startswith(said)


def test_formats_of_other_sizes_are_not_held_to_that_of_cgd() -> None:
    longer = {**ENDS, "size": 1_333_338}
    assert judged([once(0, answer=longer), good()[1]], form="json")["wrong"] == []


@pytest.mark.parametrize("operation", ["to_bytes", "from_bytes"])
def test_a_batch_whose_iterations_gave_something_else_is_wrong(operation: str) -> None:
    found = judged(good(), [batch(operation, 3, 1)])
    assert len(found["wrong"]) == 1
    assert found["wrong"][0].startswith(f"{operation}: 3 iterations gave the checksum 1")


def test_a_record_of_a_stream_is_folded_as_it_is_at_once() -> None:
    answers = [{**one, "step": "stream-1"} for one in good()]
    facts = {"format": "json", "strings": "utf-8", "operations": []}
    stream = JUDGE({"batches": {"steps": ["stream-1"]}}, facts, answers, [])["stream-1"]
    whole = JUDGE(
        {"batches": {"steps": ["whole-1"]}},
        facts,
        [{**one, "step": "whole-1"} for one in answers],
        [],
    )["whole-1"]
    assert stream["wrong"] == whole["wrong"]
    assert "from_bytes gave the fold" in stream["wrong"][0]

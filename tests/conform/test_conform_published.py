"""Files that were looked at while a worker ran, held against what its answers say of them."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from wirelab.conform.published import (
    FileWatch,
    GivenAnswer,
    Growing,
    SeenSizes,
    findings_of,
    given_answers,
)

MS = 1_000_000
HEADER = RECORD = 32


def look(at_ms: int, answers: int, records: int) -> SeenSizes:
    return SeenSizes(at_ms * MS, answers, HEADER + records * RECORD)


def given(number: int, records: int | None, at_ms: int) -> GivenAnswer:
    """The answer of that number, each of 100 bytes, at a time."""
    return GivenAnswer(number, records, at_ms * MS, (number + 1) * 100)


def test_records_that_are_there_before_their_answer_are_in_order() -> None:
    looks = [look(10, 0, 0), look(20, 100, 3), look(30, 200, 5), look(900, 200, 5)]
    assert findings_of([given(0, 3, 15), given(1, 5, 25)], looks) == []


def test_an_answer_that_is_there_before_its_records_is_found() -> None:
    looks = [look(10, 0, 0), look(20, 99, 0), look(30, 100, 2), look(40, 100, 3)]
    said = "answer 0 says that the file had 3 records; 2 were there when it was"
    assert findings_of([given(0, 3, 15)], looks) == [said]


def test_a_file_without_a_header_has_no_records() -> None:
    (found,) = findings_of([given(0, 1, 15)], [SeenSizes(20 * MS, 100, 0)])
    assert "0 were there" in found


@pytest.mark.parametrize(("silent", "said"), [(3, 0), (4, 1), (5, 1)])
def test_most_answers_say_how_many_records_there_are(silent: int, said: int) -> None:
    answers = [given(number, None if number < silent else 0, 10) for number in range(5)]
    found = findings_of(answers, [])
    assert [f"{silent} of 5 answers do not say how many records" in one for one in found] == (
        [True] * said
    )


def test_the_only_answer_says_how_many_records_there_are() -> None:
    (found,) = findings_of([given(0, None, 10)], [])
    assert found.startswith("1 of 1 answers do not say how many records")


@pytest.mark.parametrize(
    ("late", "at_ms", "said"), [(3, 900, 0), (4, 900, 1), (5, 900, 1), (5, 400, 0)]
)
def test_answers_come_to_their_file_soon(late: int, at_ms: int, said: int) -> None:
    answers = [given(number, 0, 10) for number in range(5)]
    found = findings_of(answers, [look(at_ms, (5 - late) * 100, 0)])
    assert [f"{late} of 5 answers were not in their file" in one for one in found] == [True] * said


def test_answers_that_were_asked_for_are_told_from_other_lines(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    asked = {"asked": 7, "answer": {}, "pause": [1, 2]}
    lines = [
        json.dumps({"phase": "preflight", "answer": {}}),
        json.dumps({**asked, "records": 3}),
        json.dumps({"asked": 8, "none": "given"}),
        json.dumps(asked),
        "no JSON",
        json.dumps({**asked, "records": "3"}),
    ]
    path.write_text("\n".join(lines) + "\n")
    found = given_answers(path)
    assert [(one.asked, one.records, one.pause_ended_ns) for one in found] == [
        (7, 3, 2),
        (7, None, 2),
        (7, None, 2),
    ]
    assert [one.end for one in found] == [len("\n".join(lines[:n]) + "\n") for n in (2, 4, 6)]
    assert given_answers(tmp_path / "missing") == []


@pytest.mark.parametrize(
    ("after", "is_as_seen"),
    [(b"abcdef", True), (b"abcdefgh", True), (b"abXdef", False), (b"ab", False)],
)
def test_what_was_seen_of_a_file_stays(tmp_path: Path, after: bytes, is_as_seen: bool) -> None:
    path = tmp_path / "samples"
    growing = Growing(path)
    assert growing.look() == 0
    path.write_bytes(b"abc")
    assert growing.look() == 3
    with path.open("ab") as file:
        file.write(b"def")
    assert growing.look() == 6
    growing.close()
    path.write_bytes(after)
    assert growing.is_as_seen() == is_as_seen


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    answers, samples = tmp_path / "answers", tmp_path / "samples"
    os.mkfifo(answers)
    samples.symlink_to("/dev/zero")
    watch = FileWatch(answers, samples)
    while len(watch.looks) < 2:
        time.sleep(0.01)
    watch.end()
    assert {(seen.answers, seen.samples) for seen in watch.looks} == {(0, 0)}
    assert all(file.is_as_seen() for file in watch.files)

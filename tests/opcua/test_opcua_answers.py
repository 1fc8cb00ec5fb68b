"""Answers of any operation: missing, unasked, given twice, impossible, or none at all."""

from __future__ import annotations

from typing import Any

import pytest

from opcua.right_answers import FACTS, PERIOD, START, Verify, read, right_answers, trial, write


def test_answers_missing_twice_or_unasked_are_found(verify: Verify) -> None:
    answers = right_answers()
    assert verify(trial(), FACTS, answers[1:]) == ["preflight read 0: no answer was written"]
    assert verify(trial(), FACTS, [*answers, answers[3]]) == [
        "measure read 31: answered more than once"
    ]
    further = read(2, None, "preflight", at=START - 600_000_000)
    found = verify(trial(), FACTS, [*answers, further])
    assert found[0] == "preflight read 2: an answer nobody asked for"


def test_lanes_of_one_tick_are_told_apart(verify: Verify) -> None:
    """Callers read at one tick: each gives its own answer once."""
    alone = trial()["operations"]["read"]
    spec = trial(operations={"read": alone}, verify={"preflight": {}})
    both = [{**read(40, None), "lane": lane} for lane in (3, 7)]
    assert verify(spec, FACTS, both) == []
    assert verify(spec, FACTS, [*both, both[0]]) == ["measure read 40: answered more than once"]
    [finding] = verify(spec, FACTS, [both[0], {**both[1], "lane": []}])
    assert finding.startswith("not an answer: ")


def test_times_that_cannot_be_are_found(verify: Verify) -> None:
    answers = right_answers()
    answers[3]["end_ns"] = answers[3]["start_ns"] - 1
    assert verify(trial(), FACTS, answers) == ["measure read 31: ends before it starts"]
    answers[3] = read(31, 1_000_030, at=START + 31 * PERIOD - 1)
    assert verify(trial(), FACTS, answers) == ["measure read 31: started before its tick"]


@pytest.mark.parametrize(
    "junk",
    [
        7,
        None,
        [],
        {"phase": "measure"},
        {**write(240), "answer": None},
        {**write(240), "answer": {}},
        {**write(240), "tick": [1]},
    ],
)
def test_what_is_no_answer_is_a_finding_and_no_crash(verify: Verify, junk: Any) -> None:
    answers = [a for a in right_answers() if a["operation"] != "write" or a["tick"] != 240]
    assert any("not an answer" in finding for finding in verify(trial(), FACTS, [*answers, junk]))


def test_findings_are_few(verify: Verify) -> None:
    answers = [read(tick, None) for tick in range(100)]
    for answer in answers:
        answer["answer"]["values"] = [0] * 2000
    assert len(verify(trial(), FACTS, answers)) == 20

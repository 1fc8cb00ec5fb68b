"""Reads and writes: right ones pass, every way to be wrong is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from opcua.right_answers import (
    EPOCH,
    FACTS,
    GENERATION,
    PERIOD,
    START,
    Answer,
    Verify,
    drawn,
    only,
    read,
    right_answers,
    trial,
    value_of,
    write,
)


def test_an_answer_that_is_fetched_after_its_read_is_too_new(verify: Verify) -> None:
    answers = right_answers()
    late = only(answers, 240)
    late["answer"] = read(240, 1_000_230, at=late["start_ns"] + 60_000_000)["answer"]
    [finding] = verify(trial(), FACTS, answers)
    assert "held during the read: 60 ms too new, fetched after it" in finding


def test_right_answers_pass_also_as_json(verify: Verify) -> None:
    answers = json.loads(json.dumps(right_answers()))
    assert verify(trial(), FACTS, answers) == []


def test_preflight_alone_passes_before_the_start(verify: Verify) -> None:
    assert verify(trial(start_ns=None), FACTS, right_answers()[:3]) == []


@pytest.mark.parametrize("shown", [1_000_230, 1_000_240])
def test_read_and_write_of_one_tick_may_be_served_in_either_order(
    verify: Verify, shown: int
) -> None:
    answers = [a for a in right_answers() if a["tick"] != 240] + [write(240), read(240, shown)]
    assert verify(trial(), FACTS, answers) == []


def test_a_write_that_ended_before_the_read_must_show(verify: Verify) -> None:
    late = read(240, 1_000_230, at=START + 240 * PERIOD + 20_000_000)
    answers = [a for a in right_answers() if a["tick"] != 240] + [write(240), late]
    [finding] = verify(trial(), FACTS, answers)
    assert "hold the write of tick 230, expected the write of tick 240" in finding


def test_the_generation_of_the_start_is_allowed_and_none_before_it(verify: Verify) -> None:
    answers = right_answers()
    answer = only(answers, 31)
    for back, findings in ((0, 0), (1, 1)):
        generation = (answer["start_ns"] - EPOCH) // GENERATION - back
        answer["answer"]["values"] = [
            value_of(tag, generation if tag % 10 else 1_000_030) for tag in range(2000)
        ]
        assert len(verify(trial(), FACTS, answers)) == findings


def test_a_cached_answer_is_named(verify: Verify) -> None:
    answers = right_answers()
    only(answers, 245)["answer"] = copy.deepcopy(only(answers, 240)["answer"])
    findings = verify(trial(), FACTS, answers)
    assert any("a cached answer" in finding for finding in findings)
    assert any("written tags hold the write of tick 230" in finding for finding in findings)


def test_writes_that_never_arrived_are_named(verify: Verify) -> None:
    answers = [*right_answers()[:3], read(31, 900_000), write(240), read(240, 900_000)]
    findings = verify(trial(), FACTS, [*answers, read(245, 900_000)])
    assert [f.split(":")[0] for f in findings] == [
        "measure read 31",
        "measure read 240",
        "measure read 245",
    ]
    assert "written tags hold preflight write 0, expected the write of tick 30" in findings[0]


def test_tags_that_were_never_written_follow_the_generation(verify: Verify) -> None:
    never = trial(operations={"read": {"code": 1, "every": 1, "items": 2000}})
    never["verify"] = {"preflight": {}}
    assert verify(never, FACTS, [read(31, None)]) == []
    assert verify(never, FACTS, [read(31, 1_000_030)]) != []


def test_values_of_another_secret_are_wrong(verify: Verify) -> None:
    for secret in ("", bytes(32).hex()):
        findings = verify(trial(secret=secret), FACTS, right_answers())
        assert sum("a value it never has" in finding for finding in findings) >= 5


def test_without_a_secret_values_depend_on_tag_and_generation_alone(verify: Verify) -> None:
    spec = trial(operations={"read": {"code": 1, "every": 1, "items": 10}}, secret="")
    spec["verify"] = {"preflight": {}}
    answer = read(3, None)
    generation = (answer["start_ns"] + 5_000_000 - EPOCH) // GENERATION
    answer["answer"]["values"] = drawn(generation, 0, b"")[:10]
    assert verify(spec, FACTS, [answer]) == []


WRONG_VALUES: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "constant": (lambda v: v.__setitem__(slice(0, 2000), [42] * 2000), "a value it never has"),
    "null": (lambda v: v.__setitem__(7, None), "tag 7 is None"),
    "swapped": (lambda v: v.__setitem__(slice(4, 6), [v[5], v[4]]), "2 values"),
    "swapped written": (lambda v: v.__setitem__(10, v[20]), "tag 10"),
    "missing": (lambda v: v.pop(), "1999 values, expected 2000"),
    "one too many": (lambda v: v.append(1), "2001 values, expected 2000"),
    "int as text": (lambda v: v.__setitem__(3, str(v[3])), "tag 3"),
    "int as float": (lambda v: v.__setitem__(3, float(v[3])), "tag 3"),
    "int as bool": (lambda v: v.__setitem__(3, True), "tag 3"),
    "double cut": (lambda v: v.__setitem__(1003, int(v[1003]) + 0.5), "tag 1003"),
    "double beyond all": (lambda v: v.__setitem__(1003, 1e308), "tag 1003 is 1e+308"),
    "double as infinity": (lambda v: v.__setitem__(1003, float("inf")), "tag 1003 is inf"),
    "text cut": (lambda v: v.__setitem__(1801, v[1801][:-1]), "tag 1801"),
    "text of another tag": (lambda v: v.__setitem__(1801, v[1802]), "tag 1801"),
    "neighbour's generation": (lambda v: v.__setitem__(5, v[5] + 104729), "tag 5"),
}


@pytest.mark.parametrize("name", WRONG_VALUES)
def test_a_wrong_value_is_found(verify: Verify, name: str) -> None:
    answers = right_answers()
    spoil, words = WRONG_VALUES[name]
    spoil(only(answers, 31)["answer"]["values"])
    findings = verify(trial(), FACTS, answers)
    assert findings
    assert all("measure read 31" in finding for finding in findings)
    assert words in findings[0]


def test_an_integer_stands_for_a_double_of_the_same_value(verify: Verify) -> None:
    """The shortest form of 5.0 is 5, and some languages write it so."""
    answers = right_answers()
    shortened = 0
    for answer in answers:
        values = answer["answer"].get("values", [])
        for tag, value in enumerate(values):
            if isinstance(value, float) and value.is_integer():
                values[tag] = int(value)
                shortened += 1
    assert shortened > 0
    assert verify(trial(), FACTS, answers) == []


def test_a_write_says_what_it_wrote(verify: Verify) -> None:
    answers = right_answers()
    answers[4]["answer"]["sequence"] = 1_000_239
    assert verify(trial(), FACTS, answers) == [
        "measure write 240: wrote sequence 1000239, not 1000240"
    ]
    answers[4]["answer"] = {"sequence": 1_000_240, "bad": [[0, "BadTypeMismatch"]]}
    assert "items not Good" in verify(trial(), FACTS, answers)[0]


def unknown_node_trial() -> dict[str, Any]:
    spec = trial(operations={"read": {"code": 1, "every": 1, "items": 10}})
    spec["parameters"] = {"probe": "unknown-node"}
    spec["verify"] = {"preflight": {}}
    return spec


def unknown_node_answer() -> Answer:
    answer = read(3, None)
    values = answer["answer"]["values"][:10]
    values[3] = None
    answer["answer"] = {"values": values, "bad": [[3, "BadNodeIdUnknown"]]}
    return answer


def test_an_unknown_node_is_one_bad_item(verify: Verify) -> None:
    answer = unknown_node_answer()
    assert verify(unknown_node_trial(), FACTS, [answer]) == []
    answer["answer"]["values"][3] = 17
    assert "not Good has a value" in verify(unknown_node_trial(), FACTS, [answer])[0]
    answer["answer"]["bad"] = []
    assert "expected [[3, 'BadNodeIdUnknown']]" in verify(unknown_node_trial(), FACTS, [answer])[0]


def test_a_wrong_type_is_refused_for_its_item_alone(verify: Verify) -> None:
    spec = trial(operations={"write": {"code": 2, "every": 1, "items": 10}})
    spec["parameters"] = {"probe": "wrong-type"}
    spec["verify"] = {"preflight": {}}
    answer = write(3)
    assert "expected [[0, 'BadTypeMismatch']]" in verify(spec, FACTS, [answer])[0]
    answer["answer"]["bad"] = [[0, "BadTypeMismatch"]]
    assert verify(spec, FACTS, [answer]) == []


def test_a_read_is_one_call(rules: Any) -> None:
    assert rules.at_most(trial(), "read", [(0, 0), (1, 0)]) == [(1, 0)] * 2
    assert rules.claimed(trial(), "read", [(0, 0)]) == [None]
    assert rules.at_most(trial(), "write", [(0, 0)]) == [None]

"""The suite's verifier: right answers pass, every way to be wrong is found."""

from __future__ import annotations

import copy
import hashlib
import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PERIOD = 100_000_000
GENERATION = 20_000_000
EPOCH = 1_000_000_000
START = 5_000_000_000
SECRET = bytes(range(32))
FACTS = {"epoch_ns": EPOCH, "generation_ns": GENERATION}

Answer = dict[str, Any]
Verify = Callable[[dict[str, Any], dict[str, Any], list[Any]], list[str]]


@pytest.fixture(scope="module")
def rules() -> Any:
    """All rules of the suite."""
    path = Path(__file__).parents[2] / "suites/opcua/verify.py"
    spec = importlib.util.spec_from_file_location("opcua_verify", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def verify(rules: Any) -> Verify:
    found: Verify = rules.verify
    return found


@cache
def drawn(generation: int, part: int, secret: bytes) -> list[int]:
    """The numbers of sixteen tags."""
    message = generation.to_bytes(8, "little") + part.to_bytes(4, "little")
    digest = hashlib.sha512(secret + message).digest()
    return [int.from_bytes(digest[at : at + 4], "little") & 0x7FFF_FFFF for at in range(0, 64, 4)]


def value_of(tag: int, generation: int) -> int | float | str:
    """The README's rules, written down a second time; the number of a write is 900000 or more."""
    if generation >= 900_000:
        x = (tag * 7919 + generation * 104729) % (1 << 31)
    else:
        x = drawn(generation, tag // 16, SECRET)[tag % 16]
    if tag <= 999:
        return x
    return x / 1000.0 if tag <= 1799 else "tag" + str(tag).zfill(4) + "-" + str(x).zfill(10)


def trial(**changes: Any) -> dict[str, Any]:
    spec = {
        "parameters": {"tags": 2000, "write_tags": 200, "probe": "read"},
        "operations": {
            "read": {"code": 1, "every": 1, "items": 2000},
            "write": {"code": 2, "every": 10, "items": 200},
        },
        "schedule": {"first_ns": 0, "period_ns": PERIOD, "count": 600, "warmup": 30},
        "verify": {"preflight": {"read": 2, "write": 1}},
        "start_ns": START,
    }
    return {**spec, "secret": SECRET.hex(), **changes}


def read(tick: int, written: int | None, phase: str = "measure", at: int | None = None) -> Answer:
    """A right answer of a read that took 10 ms; ``written``: what written tags show."""
    start = START + tick * PERIOD + 200_000 if at is None else at
    generation = (start + 5_000_000 - EPOCH) // GENERATION
    values = [
        value_of(tag, generation if tag % 10 or written is None else written) for tag in range(2000)
    ]
    answer = {"values": values, "bad": []}
    return {
        "phase": phase,
        "operation": "read",
        "tick": tick,
        "start_ns": start,
        "end_ns": start + 10_000_000,
        "answer": answer,
    }


def write(tick: int, phase: str = "measure", at: int | None = None) -> Answer:
    """A right answer of a write that took 3 ms."""
    start = START + tick * PERIOD + 300_000 if at is None else at
    base = 1_000_000 if phase == "measure" else 900_000
    return {
        "phase": phase,
        "operation": "write",
        "tick": tick,
        "start_ns": start,
        "end_ns": start + 3_000_000,
        "answer": {"sequence": base + tick, "bad": []},
    }


def right_answers() -> list[Answer]:
    return [
        read(0, None, "preflight", at=START - 900_000_000),
        read(1, None, "preflight", at=START - 800_000_000),
        write(0, "preflight", at=START - 700_000_000),
        read(31, 1_000_030),
        write(240),
        read(240, 1_000_230),
        read(245, 1_000_240),
    ]


def only(answers: list[Answer], tick: int) -> Answer:
    return next(a for a in answers if a["tick"] == tick and a["operation"] == "read")


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


def learnt(tick: int, change: int, phase: str = "measure") -> Answer:
    """An answer of a notification; change 0 is what held before the first tick."""
    start = START + tick * PERIOD + 100_000 if phase == "measure" else START - 900_000_000
    return {
        "phase": phase,
        "operation": "notification",
        "tick": tick,
        "start_ns": start,
        "end_ns": start + 60_000_000,
        "answer": {"values": [value_of(tag, change) for tag in range(500)], "bad": []},
    }


def learning_trial() -> dict[str, Any]:
    return trial(
        operations={"notification": {"code": 5, "every": 1, "items": 500}},
        verify={"preflight": {"notification": 1}},
    )


def test_who_learns_has_the_values_of_the_change_at_its_tick(verify: Verify) -> None:
    right = [learnt(0, 0, "preflight"), learnt(0, 1), learnt(7, 8)]
    assert verify(learning_trial(), {}, right) == []


def test_old_values_and_a_change_that_was_missed_are_told_apart(verify: Verify) -> None:
    given = [learnt(0, 0, "preflight"), learnt(7, 7), learnt(9, 11), learnt(11, 12)]
    assert verify(learning_trial(), {}, given) == [
        "measure notification 7: values of change 6, expected those of 7: they are old",
        "measure notification 9: values of change 10, expected those of 9: one was missed",
    ]


def test_who_took_until_the_next_change_may_have_met_it(verify: Verify) -> None:
    late = learnt(9, 11)
    late["end_ns"] = START + 10 * PERIOD + 1_000
    assert verify(learning_trial(), {}, [learnt(0, 0, "preflight"), late]) == []
    too_new = learnt(9, 12)
    too_new["end_ns"] = late["end_ns"]
    (finding,) = verify(learning_trial(), {}, [learnt(0, 0, "preflight"), too_new])
    assert finding.endswith("values of change 11, expected those of 9: one was missed")


def test_who_is_late_at_the_last_tick_may_have_met_the_change_after_it(verify: Verify) -> None:
    # The server goes on; after tick 31 there is no other.
    late = learnt(31, 33)
    late["end_ns"] = START + 32 * PERIOD + 1_000
    given = [learnt(0, 0, "preflight"), late]
    ended = learning_trial()
    ended["schedule"]["count"] = 32
    assert verify(ended, {}, given) == []


POLLS_EVERY = 100_000_000
CHANGES_EVERY = 337_000_000


def polling_trial() -> dict[str, Any]:
    return trial(
        operations={"poll": {"code": 6, "every": 1, "items": 500}},
        parameters={"tags": 500, "interval_ns": POLLS_EVERY},
        schedule={"first_ns": 0, "period_ns": CHANGES_EVERY, "count": 600, "warmup": 0},
        verify={"preflight": {}},
    )


def polled(tick: int, took_ns: int) -> Answer:
    """An answer of a poll."""
    start = START + tick * CHANGES_EVERY
    values = [value_of(tag, tick + 1) for tag in range(500)]
    return {
        **{"phase": "measure", "operation": "poll", "tick": tick},
        **{"start_ns": start, "end_ns": start + took_ns},
        "answer": {"values": values, "bad": []},
    }


def by_a_timer(tick: int, begin: int) -> int:
    """Time from a change to the next poll of a timer that began so much before tick 0, and 10 ms
    for the poll."""
    return -(begin + tick * CHANGES_EVERY) % POLLS_EVERY + 10_000_000


def test_who_polls_when_a_change_is_due_is_told_from_who_does_not(verify: Verify) -> None:
    answers = [polled(tick, 30_000_000) for tick in range(12)]
    (finding,) = verify(polling_trial(), {}, answers)
    assert finding == (
        "12 of 12 changes were known within 33.3333 ms, by polls every 100 ms: they were asked for "
        "when they came"
    )
    # One more that came late could have been held up; of fewer nobody knows.
    assert verify(polling_trial(), {}, [*answers, polled(12, 90_000_000)]) != []
    assert verify(polling_trial(), {}, answers[1:]) == []


@pytest.mark.parametrize("begin", range(0, POLLS_EVERY, 7_000_000))
def test_a_timer_of_its_own_finds_changes_at_any_time(verify: Verify, begin: int) -> None:
    for first in range(0, 40, 7):
        ticks = range(first, first + 12)
        answers = [polled(tick, by_a_timer(tick, begin)) for tick in ticks]
        assert verify(polling_trial(), {}, answers) == []


def test_polls_are_to_be_no_oftener_and_not_much_seldomer_than_the_interval(rules: Any) -> None:
    turns = [(0, 0), (1, 0)]
    # 3.37 polls of 500 tags fall due from a change to the next one.
    assert rules.claimed(polling_trial(), "poll", turns) == [(842, 0)] * 2
    assert rules.at_most(polling_trial(), "poll", turns) == [(1_854, 0)] * 2
    # Whoever is to poll no more than once has to poll once.
    slow = {**polling_trial(), "parameters": {"interval_ns": CHANGES_EVERY}}
    assert rules.claimed(slow, "poll", turns) == [(500, 0)] * 2


def test_a_read_is_one_call(rules: Any) -> None:
    assert rules.at_most(trial(), "read", [(0, 0), (1, 0)]) == [(1, 0)] * 2
    assert rules.claimed(trial(), "read", [(0, 0)]) == [None]
    assert rules.at_most(trial(), "write", [(0, 0)]) == [None]


def test_an_invented_value_is_found(verify: Verify) -> None:
    one = learnt(7, 8)
    one["answer"]["values"][3] += 1
    (finding,) = verify(learning_trial(), {}, [learnt(0, 0, "preflight"), one])
    assert (
        finding == "measure notification 7: 1 values are not those that the tags took at its tick"
    )
    one["answer"]["values"] = [number + 1 for number in learnt(7, 8)["answer"]["values"]]
    (finding,) = verify(learning_trial(), {}, [learnt(0, 0, "preflight"), one])
    assert "a value it never has" in finding


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

"""The judge of the codec suite: right is passed, and every way to be wrong is named."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wirelab.samples import foreign_json
from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[2] / "suites" / "codec"
JUDGE = load_part("codec_under_test", SUITE / "verify.py").judge
FACTS = {"format": "json", "strings": "utf-16", "operations": ["encode", "decode", "round_trip"]}

Answers = list[dict[str, Any]]


def pool(shape: str) -> list[Any]:
    return list(json.loads((SUITE / "shapes" / f"{shape}.json").read_text("utf-8"))["pool"])


def text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def answers_of(shape: str) -> Answers:
    """Answers of an honest JSON codec."""
    instances = pool(shape)
    size = len(instances)

    def answer(operation: str, tick: int, told: dict[str, Any]) -> dict[str, Any]:
        common = {"phase": "preflight", "operation": operation, "step": shape, "tick": tick}
        return {**common, "start_ns": 1, "end_ns": 2, "answer": told}

    order = [*range(size), *reversed(range(size))]
    encoded = [answer("encode", t, {"hex": text(instances[i]).hex()}) for t, i in enumerate(order)]
    return encoded + [answer("decode", t, {"value": one}) for t, one in enumerate(instances)]


def judged(
    shape: str,
    answers: Answers,
    batches: Answers = [],  # noqa: B006
    iterations: int = 1,
    **facts: Any,
) -> dict[str, Any]:
    spec = {"batches": {"steps": [shape], "rounds": iterations}}
    return dict(JUDGE(spec, {**FACTS, **facts}, answers, batches)[shape])


@pytest.mark.parametrize("shape", ["T1", "T2", "T3", "T4", "T5", "telemetry", "chat"])
def test_honest_answers_are_right(shape: str) -> None:
    found = judged(shape, answers_of(shape))
    assert found["wrong"] == []
    assert found["figures"]["encoded.size"] == (len(text(pool(shape)[0])), "B")
    assert found["figures"]["encoded.zstd"][0] > 0
    known = "equal" if shape.startswith("T") else "no vector"
    assert found["remarks"]["golden"] == known


def spoiled(answers: Answers, operation: str, tick: int, change: Callable[[Any], None]) -> Answers:
    spoiled = copy.deepcopy(answers)
    change(next(a for a in spoiled if (a["operation"], a["tick"]) == (operation, tick)))
    return spoiled


def test_a_field_that_is_missing_or_wrong_is_named() -> None:
    good = answers_of("T1")
    gone = spoiled(good, "decode", 2, lambda a: a["answer"]["value"].pop("u16"))
    assert judged("T1", gone)["wrong"] == ["decode 2: .u16 is missing"]
    typed = spoiled(good, "decode", 2, lambda a: a["answer"]["value"].update(c="3"))
    assert judged("T1", typed)["wrong"][0].startswith('decode 2: .c is "3", not ')
    truth = spoiled(good, "decode", 0, lambda a: a["answer"]["value"].update(d=True))
    assert judged("T1", truth)["wrong"] == ["decode 0: .d is true, not 2.0"]


def test_numbers_are_equal_however_they_are_written() -> None:
    whole = spoiled(
        answers_of("T1"), "decode", 0, lambda a: a["answer"]["value"].update(d=2, c=3.0)
    )
    assert judged("T1", whole)["wrong"] == []


def test_bytes_that_depend_on_what_was_encoded_before_are_named() -> None:
    last = 2 * len(pool("T3")) - 1
    other = spoiled(answers_of("T3"), "encode", last, lambda a: a["answer"].update(hex="5b5d"))
    assert judged("T3", other)["wrong"] == [
        "encode 0: other bytes the second time, after other messages"
    ]


def test_answers_that_are_missing_or_threw_are_named() -> None:
    good = answers_of("T5")
    assert "decode 3: no answer" in judged("T5", [a for a in good if a["tick"] != 3])["wrong"]

    def throw(answer: dict[str, Any]) -> None:
        del answer["answer"]
        answer["error"] = {"class": "Overflow", "message": "too large"}

    assert judged("T5", spoiled(good, "encode", 1, throw))["wrong"] == [
        "encode 1 threw Overflow: too large"
    ]


@pytest.mark.parametrize(
    "garbage",
    [
        {"step": "T1", "phase": "preflight"},
        {"step": "T1", "phase": "preflight", "operation": "encode", "tick": 0, "answer": {}},
        {"step": "T1", "phase": "preflight", "operation": "encode", "tick": 0, "answer": None},
        {
            "step": "T1",
            "phase": "measure",
            "operation": "read",
            "from": "x",
            "tick": 99,
            "answer": {"value": 1},
        },
    ],
)
def test_garbage_is_no_answer_and_breaks_nothing(garbage: dict[str, Any]) -> None:
    assert "not answers as README.md defines them" in judged("T1", [garbage])["wrong"][0]


def test_golden_bytes_bind_formats_with_one_encoding() -> None:
    def other(answer: dict[str, Any]) -> None:
        answer["answer"]["hex"] = "00"

    wrong = answers_of("T3")
    for tick in (0, 2 * len(pool("T3")) - 1):
        wrong = spoiled(wrong, "encode", tick, other)
    assert "not the golden bytes of cgd T3" in str(judged("T3", wrong, format="cgd")["wrong"])
    assert judged("T3", wrong)["remarks"]["golden"] == "differs"
    assert judged("T3", wrong)["wrong"] == []  # JSON may be written in many ways


def batch(operation: str, iterations: int, checksum: int) -> dict[str, Any]:
    line = {"step": "T3", "operation": operation, "phase": "measure", "start_ns": 1, "end_ns": 2}
    return {**line, "rounds": iterations, "checksum": checksum}


def folded(iterations: int) -> int:
    """The checksum of T3 written out by hand, as README.md has it."""
    total = 0
    for number in range(iterations):
        values = pool("T3")[number % 16]
        total += 101 * len(values) + sum((2 * i + 1) * v for i, v in enumerate(values))
    return total % 2**32


@pytest.mark.parametrize("iterations", [1, 15, 16, 17, 1000])
def test_checksums_are_over_every_iteration(iterations: int) -> None:
    good, right = answers_of("T3"), folded(iterations)
    assert judged("T3", good, [batch("round_trip", iterations, right)])["wrong"] == []
    (said,) = judged("T3", good, [batch("round_trip", iterations, right + 1)])["wrong"]
    assert said == f"round_trip: {iterations} iterations gave the checksum {right + 1}, not {right}"


def test_an_encoders_checksum_is_that_of_its_own_bytes() -> None:
    encoded = [text(one) for one in pool("T3")]
    right = sum(7 * len(b) + b[0] + 3 * b[len(b) // 2] + 5 * b[-1] for b in encoded)
    good = answers_of("T3")
    assert judged("T3", good, [batch("encode", 16, right)])["wrong"] == []
    assert judged("T3", good, [batch("encode", 32, right)])["wrong"]


def twins_folded() -> int:
    """Sum of the folds of the twins of T3."""
    twins = json.loads((SUITE / "shapes" / "twins" / "T3.json").read_text("utf-8"))["pool"]
    lists = [101 * len(one) + sum((2 * i + 1) * v for i, v in enumerate(one)) for one in twins]
    return sum(lists) % 2**32


def audit(operation: str, checksum: int) -> dict[str, Any]:
    return {**batch(operation, 16, checksum), "phase": "audit"}


def test_an_audit_is_of_the_twins() -> None:
    good, twins, before = answers_of("T3"), twins_folded(), folded(16)
    assert twins != before
    for operation in ("encode", "decode", "round_trip"):
        assert judged("T3", good, [audit(operation, twins)])["wrong"] == []
        (stale,) = judged("T3", good, [audit(operation, before + 16)])["wrong"]
        told = f"{operation}: values that had changed in place gave the checksum"
        assert stale == f"{told} {before + 16}, that of the values before"
        (other,) = judged("T3", good, [audit(operation, 7)])["wrong"]
        assert other == f"{told} 7, not {twins}"


def test_bad_inputs_that_are_treated_otherwise_than_at_first_are_named() -> None:
    good, twins = answers_of("T3"), twins_folded()
    (said,) = judged("T3", good, [audit("decode", (twins + (3 << 24)) % 2**32)])["wrong"]
    assert said == (
        "decode: bad inputs that it refused at first, or took, were treated otherwise between "
        "batches (3)"
    )
    (said,) = judged("T3", good, [audit("encode", (twins + (3 << 24)) % 2**32)])["wrong"]
    assert "bad inputs" not in said  # encoders are shown none


def test_values_that_did_not_come_back_are_named() -> None:
    good, twins = answers_of("T3"), twins_folded()
    (said,) = judged("T3", good, [audit("encode", (twins + (2 << 20)) % 2**32)])["wrong"]
    told = "values that nobody had seen before did not come back between batches (2)"
    assert said == f"encode: {told}"
    both = (twins + (1 << 24) + (2 << 20)) % 2**32
    (said,) = judged("T3", good, [audit("decode", both)])["wrong"]
    assert said.startswith("decode: bad inputs")
    assert said.endswith(told)


def test_messages_of_a_library_do_not_change_between_batches() -> None:
    good, before = answers_of("T3"), folded(16)
    operations = ["to_message", "encode", "decode", "from_message", "round_trip"]
    for operation in ("encode", "from_message"):
        audits = [audit(operation, before)]
        assert judged("T3", good, audits, operations=operations)["wrong"] == []
        (said,) = judged("T3", good, [audit(operation, 8)], operations=operations)["wrong"]
        told = f"{operation}: results that were looked at later gave the checksum 8"
        assert said == f"{told}, not {before}"
    for operation in ("to_message", "decode", "round_trip"):
        audits = [audit(operation, twins_folded())]
        assert judged("T3", good, audits, operations=operations)["wrong"] == []


def test_a_loop_without_an_audit_is_named() -> None:
    good, measured = answers_of("T3"), batch("round_trip", 16, folded(16))
    (said,) = judged("T3", good, [measured], iterations=0)["wrong"]
    assert said == "round_trip: no batch was followed by an audit"
    audited = [measured, audit("round_trip", twins_folded())]
    assert judged("T3", good, audited, iterations=0)["wrong"] == []


def test_strings_are_folded_in_the_units_of_the_codec() -> None:
    word = "😀a"
    judging = load_part("codec_under_test", SUITE / "judging" / "folds.py")
    assert len(judging.units(word, "utf-8")) == 5
    assert list(judging.units(word, "utf-16")) == [0xD83D, 0xDE00, 0x61]
    assert list(judging.units(word, "code-point")) == [0x1F600, 0x61]
    with pytest.raises(ValueError, match="must be utf-8"):
        judging.units(word, "ebcdic")


def test_reading_others_is_told_by_encoder() -> None:
    def read(tick: int, **told: Any) -> dict[str, Any]:
        common = {"phase": "measure", "operation": "read", "step": "T3", "tick": tick}
        return {**common, "from": "java-jackson", "start_ns": 1, "end_ns": 2, **told}

    fine = [read(0, answer={"value": pool("T3")[0]})]
    bad = [read(1, error={"class": "ParseError", "message": "at 3"})]
    found = judged("T3", [*answers_of("T3"), *fine, *bad])
    row = found["remarks"]["read"]["java-jackson"]
    assert row == {"same": 1, "of": 2, "first": "ParseError: at 3"}
    assert found["wrong"] == ["read from java-jackson: ParseError: at 3"]


@pytest.mark.parametrize(
    ("step", "vector", "value", "shown"),
    [
        ("T4", "lone-surrogate-escape", ["a\ud800"], '["a\\ud800"]'),
        ("T1", "above-2^64", {"u64": 2**64, "c": 1}, '{"u64":18446744073709551616}'),
        ("T1", "double-overflow", {"c": 1, "d": "inf"}, '{"d":"inf"}'),
        ("T3", "trailing-text", list(range(40)), "[0,1,2,3,4,5,6,7,8,9,10,11,…"),
    ],
)
def test_what_a_library_accepts_is_told_as_a_record_can_keep_it(
    step: str, vector: str, value: Any, shown: str
) -> None:
    line = {"phase": "measure", "operation": "reject", "step": step, "tick": 0, "vector": vector}
    accepted = {**line, "start_ns": 1, "end_ns": 2, "answer": {"value": value}}
    found = judged(step, [*answers_of(step), accepted])
    assert found["remarks"]["reject"][vector]["shown"] == shown
    kept = foreign_json.parsed(json.dumps(found, ensure_ascii=False).encode())
    assert kept == json.loads(json.dumps(found))

"""The suite's verifier: what is right passes, each way of being wrong is told."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

SUITE = Path(__file__).parents[2] / "suites" / "messaging"
SEED = 4711
SECRET = bytes(range(32))


def loaded(name: str, source: str) -> Any:
    """A module of the suite's harnesses, which is on no path here."""
    return _load(name, SUITE / "libraries" / source)


def _load(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


verifier = _load("messaging_verify", SUITE / "verify.py")
messages = loaded("messaging_messages", "python/messaging_harness/messages.py")

SPEC = {
    "seed": SEED,
    "secret": SECRET.hex(),
    "parameters": {"message_bytes": 1000},
    "schedule": {
        "steps": [
            {"first": 0, "count": 10, "parameters": {"message_bytes": 1000}},
            {"first": 10, "count": 10, "parameters": {"message_bytes": 70_000}},
        ]
    },
}
STAMPS = {"stamps": True}


# By a program of its own, from the suite's README: the CRC-32 of messages of user 3,
# by tick and length.
CRC32 = {(3, 1000): "fde6e271", (12, 1000): "738aac04", (12, 70_000): "4114d548"}


def an_answer(tick: int, length: int, **changed: Any) -> dict[str, Any]:
    """A right answer at tick 3 or 12."""
    sent = {"user": 3, "sequence": 2 << 32 | tick, "size": length, "served_ns": 150}
    answer = {**sent, "crc32": CRC32[tick, length], **changed}
    return {
        "phase": "measure",
        "operation": "echo",
        "tick": tick,
        "start_ns": 100,
        "end_ns": 200,
        "answer": answer,
    }


def findings(*answers: dict[str, Any], facts: dict[str, Any] = STAMPS) -> list[str]:
    found: list[str] = verifier.verify(SPEC, facts, answers)
    return found


def test_who_says_a_wrong_password_has_no_answer() -> None:
    parameters = {**SPEC["parameters"], "credentials": "wrong"}
    found = verifier.verify({**SPEC, "parameters": parameters}, STAMPS, [an_answer(3, 1000)])
    said = "measure echo 3: answered, though the password to be said is a wrong one"
    assert found == [said]
    parameters["credentials"] = "right"
    assert verifier.verify({**SPEC, "parameters": parameters}, STAMPS, [an_answer(3, 1000)]) == []


def test_the_harness_makes_the_same_messages() -> None:
    for (tick, length), crc32 in CRC32.items():
        message = messages.Messages(SEED, SECRET).compose(3, 2 << 32 | tick, length)
        messages.stamp_sent(message, 100, 150)
        expected = an_answer(tick, length)["answer"]
        assert messages.answer_of(bytes(message)) == {**expected, "crc32": crc32}


def test_right_answers_pass() -> None:
    assert findings(an_answer(3, 1000), an_answer(12, 70_000)) == []


@pytest.mark.parametrize("secret", ["", bytes(32).hex()])
def test_who_does_not_know_the_secret_does_not_know_a_message(secret: str) -> None:
    (found,) = verifier.verify({**SPEC, "secret": secret}, STAMPS, [an_answer(3, 1000)])
    assert "another message came back" in found


def test_no_two_messages_begin_alike() -> None:
    made = messages.Messages(SEED, SECRET)
    first = {bytes(made.compose(user, at, 40))[32:] for user in range(40) for at in range(40)}
    assert len(first) == 40 * 40


@pytest.mark.parametrize("length", [32, 33, 40, 41, 65_568, 65_569, 200_000])
def test_each_byte_of_a_message_is_looked_at(length: int) -> None:
    made = messages.Messages(SEED, SECRET)
    message = made.compose(3, 9, length)
    assert len(message) == length
    assert made.is_intact(bytes(message), 3, 9, length)
    payload = range(32, length, 997)
    for at in {*payload, length - 1} - {31}:
        message[at] ^= 1
        assert not made.is_intact(bytes(message), 3, 9, length), at
        message[at] ^= 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"crc32": "00000000"}, "another message came back"),
        ({"user": 4}, "another message came back"),
        ({"sequence": 7}, "another message came back"),
        ({"size": 999}, "999 bytes came back of 1000"),
        ({"served_ns": 0}, "at a time not within the call"),
        ({"served_ns": 201}, "at a time not within the call"),
        ({"size": "many"}, "not an answer of this suite"),
    ],
)
def test_each_way_of_being_wrong_is_told(changed: dict[str, Any], said: str) -> None:
    (found,) = findings(an_answer(3, 1000, **changed))
    assert said in found


def test_a_message_is_answered_once() -> None:
    (found,) = findings(an_answer(3, 1000), an_answer(3, 1000))
    assert "answered before" in found


def test_where_nobody_stamps_no_time_is_asked_for() -> None:
    assert findings(an_answer(3, 1000, served_ns=0), facts={}) == []


def test_the_size_is_that_of_its_step() -> None:
    (found,) = findings(an_answer(12, 1000))
    assert found.endswith("1000 bytes came back of 70000")


def test_findings_have_an_end() -> None:
    wrong = [an_answer(3, 1000, crc32="00000000")] * 100
    assert len(findings(*wrong)) == 20


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["user", "sequence", "size", "crc32", "served_ns"]), JSON))
def test_no_answer_is_too_odd_to_be_judged(answer: dict[str, Any]) -> None:
    found = findings({**an_answer(3, 1000), "answer": answer})
    assert all(isinstance(text, str) for text in found)
    assert found


def test_a_broker_is_given_each_message_whole() -> None:
    turns = [(3, 0), (12, 1)]
    assert verifier.claimed(SPEC, "echo", turns) == [(1, 1_000), (1, 70_000)]
    stream = {**SPEC, "parameters": {"message_bytes": 1000, "messages": 40}}
    assert verifier.claimed(stream, "send", turns) == [(40, 40_000), (40, 2_800_000)]
    # A header is the least of a message.
    small = {**SPEC, "parameters": {"message_bytes": 4}, "schedule": {"steps": []}}
    assert verifier.claimed(small, "echo", turns) == [(1, 32)] * 2

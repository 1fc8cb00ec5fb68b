"""Verifiers of suites answer whatever a contender has written: with findings, and by no exception.

Those of kv and messaging are fuzzed beside their other tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codec.test_codec_judge import FACTS as CODEC_FACTS
from codec.test_codec_judge import answers_of
from fuzzing import VALUES, changed, fuzzed
from opcua.right_answers import FACTS, read, write
from opcua.right_answers import trial as opcua_trial
from websocket.test_whiteboard_verify import answers as whiteboard_answers
from websocket.test_whiteboard_verify import trial as whiteboard_trial
from wirelab.suite_parts import load_part
from wirelab.trial.answers import in_form

SUITES = Path(__file__).parents[2] / "suites"

pytestmark = [pytest.mark.left_to_all, pytest.mark.long(1)]

Answers = list[dict[str, Any]]


def rules(suite: str) -> Any:
    """The rules of a suite, loaded as the core loads them."""
    return load_part(f"fuzzed_{suite}", SUITES / suite / "verify.py")


def spoiled(answers: Answers, data: st.DataObject) -> Answers:
    """Answers of which one has another value somewhere. Its times are as they were: within which
    bounds they are read is not the suite's to say.
    """
    at = data.draw(st.integers(0, len(answers) - 1))
    other = changed(answers[at], data)
    times = {key: answers[at][key] for key in ("start_ns", "end_ns")}
    return [*answers[:at], {**other, **times}, *answers[at + 1 :]]


OPCUA = rules("opcua")
FEW = opcua_trial(
    operations={
        "read": {"code": 1, "every": 1, "items": 2000},
        "write": {"code": 2, "every": 10, "items": 200},
    },
    verify={"preflight": {"write": 1}},
)
READ_AND_WRITTEN = [write(0, "preflight", at=4_000_000_000), write(30), read(31, 1_000_030)]
WEBSOCKET = rules("websocket")


def of_opcua(answers: Answers) -> list[str]:
    return list(OPCUA.verify(FEW, FACTS, answers))


def of_websocket(answers: Answers) -> list[str]:
    return list(WEBSOCKET.verify(whiteboard_trial(), {}, answers))


VERIFIED: dict[str, tuple[Callable[[Answers], list[str]], Answers]] = {
    "opcua": (of_opcua, READ_AND_WRITTEN),
    "websocket": (of_websocket, whiteboard_answers()),
}


@pytest.mark.parametrize("suite", VERIFIED)
def test_right_answers_have_no_findings(suite: str) -> None:
    verify, answers = VERIFIED[suite]
    assert verify(in_form(answers)[0]) == []


@pytest.mark.parametrize("suite", VERIFIED)
@fuzzed()
@given(data=st.data())
def test_no_answer_brings_a_verifier_down(suite: str, data: st.DataObject) -> None:
    verify, answers = VERIFIED[suite]
    formed, _ = in_form(spoiled(answers, data))
    findings = verify(formed)
    assert len(findings) <= 20
    assert json.loads(json.dumps(findings)) == findings


CODEC = rules("codec")
STEPS = ("T1", "telemetry", "added", "blob-1")
LINES = [
    *answers_of("T1"),
    *(
        {"phase": "measure", "operation": name, "step": step, "tick": tick, "answer": told}
        for step, name, tick, told in (
            ("T1", "read", 0, {"value": {}}),
            ("T1", "truncate", 0, {"accepted": []}),
            ("T1", "reject", 0, {"value": 1}),
            ("added", "backward", 0, {"value": {"sensor": 1}}),
            ("blob-1", "once", 0, {"size": 1_000_004, "first": 0, "last": 0, "peak_bytes": 9}),
            ("blob-1", "once", 1, {"fold": 1}),
        )
    ),
]


def judged(answers: Answers) -> dict[str, Any]:
    spec = {"batches": {"steps": list(STEPS), "rounds": 1}}
    return dict(CODEC.judge(spec, CODEC_FACTS, answers, []))


def test_the_judge_finds_nothing_wrong_with_right_answers() -> None:
    assert judged(answers_of("T1"))["T1"]["wrong"] == []
    assert {step: bool(found["wrong"]) for step, found in judged(LINES).items()} == {
        "T1": True,  # of another encoder, whose value it did not read
        "telemetry": True,
        "added": True,
        "blob-1": True,
    }


@fuzzed()
@given(data=st.data())
def test_no_answer_brings_the_judge_down(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(LINES) - 1))
    line = changed(LINES[at], data) if data.draw(st.booleans()) else data.draw(VALUES)
    lines = [*LINES[:at], line, *LINES[at + 1 :]]
    found = judged([one for one in lines if isinstance(one, dict)])
    assert set(found) == set(STEPS)
    assert json.loads(json.dumps(found))
    assert {type(what) for step in found.values() for what in step["wrong"]} == {str}

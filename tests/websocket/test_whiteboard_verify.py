"""The suite's verifier: right answers pass, every way to be wrong is found."""

from __future__ import annotations

import copy
import importlib.util
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PERIOD = 1_000_000_000
START = 5_000_000_000
TICK = 23
LANES = 10

Answer = dict[str, Any]
Change = Callable[[Answer], object]


@pytest.fixture(scope="module")
def suite() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "websocket_verify", ROOT / "suites/websocket/verify.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trial(**changes: Any) -> dict[str, Any]:
    steps = [
        {"name": "few", "first": 0, "count": 20, "users": 8, "lanes": 4},
        {"name": "more", "first": 20, "count": 20, "users": 20, "lanes": LANES},
    ]
    spec = {
        "seed": 4711,
        "start_ns": START,
        "parameters": {"board_size": 5, "placement": "spread", "message_bytes": 130},
        "schedule": {"first_ns": 0, "period_ns": PERIOD, "count": 40, "steps": steps},
        "verify": {"preflight": {"rtt": 2}, "ticks": {"rtt": [TICK]}},
    }
    return {**spec, **changes}


def text_of(board: str, user: int, seq: int) -> str:
    """The rule of the README, written down a second time."""
    look, start, end = (zlib.crc32(f"4711:{user}:{seq}:{i}".encode()) for i in range(3))
    begin = (
        f'{{"type":"draw","board":"{board}","user":{user},"seq":{seq},'
        f'"color":"#{look % (1 << 24):06x}","width":{1 + look // (1 << 24) % 8},'
        f'"points":[[{start % 1920},{start // 65536 % 1080}],[{end % 1920},{end // 65536 % 1080}]],'
        '"pad":"'
    )
    return begin + "." * (130 - len(begin) - 2) + '"}'


def answer_of(phase: str, tick: int, sent: tuple[str, int, int], users: list[int]) -> Answer:
    """The answer to message ``sent`` (board, user, seq) that all of ``users`` got."""
    begin = START + tick * PERIOD + 999_999_999 if phase == "measure" else tick
    board, user, seq = sent
    text = text_of(board, user, seq)
    told = {"board": board, "user": user, "seq": seq, "members": users, "receivers": users}
    return {
        "phase": phase,
        "operation": "rtt",
        "tick": tick,
        "start_ns": begin,
        "end_ns": begin + 100,
        "answer": copy.deepcopy({**told, "text": text, "copies": [text]}),
    }


def answers() -> list[Answer]:
    return [
        answer_of("preflight", 0, ("preflight", 0, 0), [0, 1]),
        answer_of("preflight", 1, ("preflight", 1, 0), [0, 1]),
        # User 3 of lanes 0 to 9, on board 3 of 4: with 7, 11, 15 and 19.
        answer_of("measure", TICK, ("b0003", 3, 17), [3, 7, 11, 15, 19]),
    ]


def test_right_answers(suite: ModuleType) -> None:
    assert suite.verify(trial(), {"protocol": "json"}, answers()) == []


def test_the_example_that_the_engine_has_too(suite: ModuleType) -> None:
    example = (ROOT / "crates/engine/tests/example-draw.json").read_text().strip()
    assert suite.draw(4711, "b0007", 123, 17, 130) == example
    assert len(suite.draw(1, "b0000", 0, 0, 10)) > 10
    examples = (ROOT / "crates/engine/tests/example-drawn.jsonl").read_text().splitlines()
    key = f"{4711 << 64:032x}"
    drawn = [
        suite.drawn(key, "b0007", 123, seq, 180, pad="letters")
        if seq % 2
        else suite.drawn(key, "b0007", 123, seq, 130)
        for seq in range(8)
    ]
    drawn += [suite.drawn(key, "b0007", 123, seq, 130, pad="random") for seq in range(8, 12)]
    assert drawn == [json.loads(example) for example in examples]
    assert {json.loads(text)["board"] for text in drawn} == {"b0007"}
    assert len({text[:7] for text in drawn}) > 4


def keyed(board: str, key: object) -> Answer:
    """An answer of the preflight of a generator that draws a key."""
    given = answer_of("preflight", 0, (board, 0, 0), [0, 1])
    told("key", key)(given)
    return given


def test_a_board_of_the_preflight_is_named_like_others_and_is_none_of_them(
    suite: ModuleType,
) -> None:
    key = "0f" * 16
    text = suite.drawn(key, "b0507", 0, 0, 130)
    given = keyed("b0507", key)
    told("text", text)(given)
    told("copies", [text])(given)
    asked = trial(verify={"preflight": {"rtt": 1}, "ticks": {}})
    assert suite.verify(asked, {}, [given]) == []
    for board, of, finding in [
        ("b0003", key, "sent to board 'b0003', which others are on"),
        ("preflight", key, "sent to board 'preflight', which others are on"),
        ("b0507", "4711", "follows from '4711', which is no key"),
        ("b0507", None, "sent to board 'b0507', not preflight"),
        ("b0507", "0e" * 16, "sent '"),
    ]:
        (found,) = suite.verify(asked, {}, [keyed(board, of)])
        assert finding in found


def test_a_message_of_another_padding_is_not_what_was_sent(suite: ModuleType) -> None:
    asked = trial()
    asked["parameters"]["pad"] = "letters"
    findings = suite.verify(asked, {}, answers())
    assert findings
    assert all("sent '" in finding for finding in findings)


def test_a_message_written_again_is_right(suite: ModuleType) -> None:
    given = answers()
    again = json.dumps(json.loads(given[2]["answer"]["text"]), sort_keys=True, indent=1)
    given[2]["answer"]["copies"].append(again)
    assert suite.verify(trial(), {}, given) == []


def test_members_who_have_not_joined_yet_are_not_asked_for(suite: ModuleType) -> None:
    given = answers()
    given[2]["answer"]["members"] = given[2]["answer"]["receivers"] = [7, 3]
    assert suite.verify(trial(), {}, given) == []


def test_without_steps_there_is_one_lane(suite: ModuleType) -> None:
    spec = trial(schedule={"first_ns": 0, "period_ns": PERIOD, "count": 40})
    spec["parameters"] = {"users": 10, "board_size": 10, "message_bytes": 130}
    given = [*answers()[:2], answer_of("measure", TICK, ("b0000", 0, 23), list(range(10)))]
    assert suite.verify(spec, {}, given) == []


def told(key: str, value: Any) -> Change:
    return lambda answer: answer["answer"].__setitem__(key, value)


WRONG: dict[str, tuple[Change, str]] = {
    "other user": (told("user", 4), "sent by user 4, not 3"),
    "other board": (told("board", "b0001"), "sent to board 'b0001', not b0003"),
    "more than one a tick": (told("seq", TICK + 1), "a user sends once a tick"),
    "changed text": (told("text", text_of("b0003", 3, 16)), "sent "),
    "lost by the sender": (told("receivers", [7, 11, 15, 19]), "did not come back to its sender"),
    "surplus": (told("receivers", [3, 7, 11, 15, 19, 4]), "came to users [4]"),
    "strangers": (told("members", [3, 4]), "users [4] were members"),
    "no member": (told("members", [7, 11]), "the sender was no member"),
    "twice": (told("receivers", [3, 3]), "has a user twice"),
    "changed copy": (told("copies", [text_of("b0003", 3, 16)]), "came as "),
    "copy of another type": (
        told("copies", [text_of("b0003", 3, 17).replace('"seq":17', '"seq":17.0')]),
        "came as ",
    ),
    "no copy": (told("copies", []), "no copy was written down"),
    "no JSON": (told("copies", ["{"]), "not an answer as README.md defines it"),
    "too deep": (told("copies", ["[" * 100_000]), "not an answer as README.md defines it"),
    "no list": (told("members", "all"), "is not a list of users"),
    "key missing": (lambda answer: answer["answer"].pop("members"), "KeyError"),
    "early": (lambda answer: answer.update(start_ns=START), "started before it was due"),
    "backwards": (lambda answer: answer.update(end_ns=0), "ends before it starts"),
    "not asked for": (lambda answer: answer.update(tick=24), "nobody asked for"),
    "no tick": (lambda answer: answer.pop("tick"), "not an answer: "),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_are_found(suite: ModuleType, name: str) -> None:
    change, finding = WRONG[name]
    given = answers()
    change(given[2])
    assert finding in "; ".join(suite.verify(trial(), {}, given))


def test_what_others_did_not_get_is_counted_elsewhere(suite: ModuleType) -> None:
    given = answers()
    told("receivers", [0])(given[0])
    told("receivers", [3, 7, 11, 19])(given[2])
    assert suite.verify(trial(), {}, given) == []


def test_missing_and_repeated_answers(suite: ModuleType) -> None:
    given = answers()
    assert suite.verify(trial(), {}, given[1:]) == ["preflight rtt 0: no answer was written"]
    found = suite.verify(trial(), {}, [*given, given[2]])
    assert found == [f"measure rtt {TICK}: answered more than once"]


def test_a_preflight_that_did_not_come_back(suite: ModuleType) -> None:
    given = answers()
    told("receivers", [1])(given[0])
    found = suite.verify(trial(), {}, given)
    assert found == ["preflight rtt 0: did not come back to its sender"]


def test_findings_are_limited(suite: ModuleType) -> None:
    assert len(suite.verify(trial(), {}, [{"no": "answer"}] * 100)) == 20


def test_an_echo_is_asked_for_by_its_user(suite: ModuleType) -> None:
    # FNV-1a of "0" and of "17", both halves together, by a program of its own.
    assert suite.requested({}, "rtt", [(3, 0), (4, 17)]) == [(1, 694301155), (1, 3007485942)]
    assert suite.requested({}, "delivery", [(3, 0)]) == [None]

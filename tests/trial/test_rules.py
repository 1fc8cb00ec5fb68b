"""A suite's rules in a process of their own, whatever becomes of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from wirelab.processes import leftovers
from wirelab.trial import rules
from wirelab.trial.answers import check_integrity
from wirelab.trial.failure import TrialError
from wirelab.trial.rules import RulesError, RulesProcess, asking, rules_of

ANSWER = {"phase": "measure", "operation": "read", "tick": 1, "start_ns": 5, "end_ns": 9}


@contextmanager
def suite(folder: Path, *body: str) -> Iterator[RulesProcess]:
    """The rules of a suite whose ``verify`` has ``body``."""
    lines = ["import os, sys, time", "def verify(spec, facts, answers):", *body]
    (folder / "verify.py").write_text("\n    ".join(lines[:1]) + "\n" + "\n    ".join(lines[1:]))
    before = leftovers.children()
    with asking(rules_of(folder)) as process:
        assert process.has("verify")
        assert not process.has("judge")
        yield process
    assert leftovers.children() == before


def verdict(process: RulesProcess, folder: Path, *answers: Any, due: int = 0) -> dict[str, Any]:
    """The reply about ``answers``, as a worker wrote them."""
    file = folder / "client.answers.jsonl"
    file.write_text("".join(a if isinstance(a, str) else json.dumps(a) + "\n" for a in answers))
    spec = {"verify": {"ticks": {}}, "paths": {"answers": str(file)}}
    return process.ask("verify", spec=spec, facts={"rows": 3}, due=due, role="client")


def test_findings_and_their_number_come_back(tmp_path: Path) -> None:
    with suite(
        tmp_path, "print('so much', flush=True)", "return [f'{facts} {answers}']"
    ) as process:
        given = {**ANSWER, "answer": {"rows": 3}}
        assert verdict(process, tmp_path, given) == {
            "count": 1,
            "result": [f"{{'rows': 3}} [{given}]"],
            "asked": [],
        }


def test_answers_that_are_missing_are_the_cores_to_say(tmp_path: Path) -> None:
    with suite(tmp_path, "raise SystemExit('never asked')") as process:
        reply = verdict(process, tmp_path, due=2)
    wrong = ["0 of 2 answers asked for were written"]
    assert reply == {"count": 0, "result": wrong, "asked": []}


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"tick": "1"}, "tick is no whole number from 0"),
        ({"tick": True}, "tick is no whole number from 0"),
        ({"end_ns": 10**18}, "end_ns lies in the future"),
        ({"phase": None}, "phase is no text"),
        ({"start_ns": -1}, "start_ns is no whole number from 0"),
    ],
)
def test_an_answer_of_another_form_is_wrong_and_no_verifier_sees_it(
    tmp_path: Path, change: dict[str, Any], finding: str
) -> None:
    with suite(tmp_path, "return [str(len(answers))]") as process:
        given = {**ANSWER, "answer": 1}
        reply = verdict(process, tmp_path, given, {**given, **change}, ANSWER)
    form, none, verified = reply["result"]
    assert form.startswith(finding)
    assert none.startswith("there is no answer")
    assert verified == "1"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (["return answers[0]['rows']"], "KeyError: 'rows' (verify.py:3)"),
        (["return {1, 2}"], "cannot be passed on"),
        (["return 'x' * (65 << 20)"], "more than 64 MB"),
        (["os.kill(os.getpid(), 9)"], "ended by signal 9"),
        (["os._exit(3)"], "ended with exit code 3"),
        (["while True: pass"], "no answer for 1 s"),
        (["x = bytearray(8 << 30)"], "MemoryError"),
        (["def deep(n): return deep(n + 1)", "deep(0)"], "RecursionError"),
    ],
)
def test_a_verifier_that_fails_ends_its_trial_with_a_reason(
    tmp_path: Path, body: list[str], detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with suite(tmp_path, *body) as process:
        if detail.startswith("no answer"):
            monkeypatch.setattr(rules, "LIMIT_S", 1.0)
        with pytest.raises(TrialError) as failed:
            verdict(process, tmp_path, {**ANSWER, "answer": 1})
    assert failed.value.reason == "rules-failed"
    assert detail in failed.value.detail


@pytest.mark.parametrize(
    "line", ["[" * 100_000 + "\n", "{\n", '"text"\n', "1" * 5000 + "\n"], ids=str.__len__
)
def test_a_line_that_is_no_answer_is_the_workers_fault(tmp_path: Path, line: str) -> None:
    with suite(tmp_path, "return []") as process, pytest.raises(TrialError) as failed:
        verdict(process, tmp_path, {**ANSWER, "answer": 1}, line)
    assert (failed.value.reason, failed.value.role) == ("broken-answers", "client")
    assert "client.answers.jsonl:2" in failed.value.detail


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_link(file: Path) -> None:
    file.symlink_to("/etc/hostname")


def a_device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def nothing_but_size(file: Path) -> None:
    with file.open("wb") as sparse:
        sparse.truncate(10 << 30)


@pytest.mark.parametrize("put", [a_pipe, a_link, a_device, nothing_but_size])
def test_a_file_that_is_no_file_of_answers_is_not_read(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    file = tmp_path / "client.answers.jsonl"
    put(file)
    spec = {"paths": {"answers": str(file)}}
    with suite(tmp_path, "return []") as process, pytest.raises(TrialError) as failed:
        process.ask("verify", spec=spec, facts={}, due=0, role="client")
    assert failed.value.reason == "broken-answers"
    with pytest.raises(TrialError, match="broken-answers"):
        check_integrity(file, "client", 0, "00000000")


def asked_for(process: RulesProcess, folder: Path, *answers: dict[str, Any]) -> list[Any]:
    """The part of ``answers`` that is held against the core's askings."""
    file = folder / "client.answers.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in answers))
    spec = {"verify": {"preflight": {}}, "paths": {"answers": str(file)}}
    reply = process.ask("verify", spec=spec, facts={}, due=0, role="client")
    assert reply["result"] == []
    return list(reply["asked"])


def nested(depth: int) -> Any:
    within: Any = 1
    for _ in range(depth):
        within = [within]
    return within


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"pause": 7},
        {"pause": [1, [2]]},
        {"tick": nested(600)},
        {"start_ns": 10**4000, "end_ns": "x"},
    ],
)
def test_of_a_line_without_an_answer_nothing_else_is_passed_on(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    none = {"asked": 0, "lane": 0, "phase": "measure", "operation": "read", "none": "given"}
    with suite(tmp_path, "return []") as process:
        assert asked_for(process, tmp_path, {**none, **more}) == [none]


@pytest.mark.parametrize("lane", [1 << 16, 2**62])
def test_a_lane_that_no_record_can_have_is_a_finding(tmp_path: Path, lane: int) -> None:
    given = {**ANSWER, "asked": 0, "lane": lane, "pause": [9, 11], "answer": 1}
    file = tmp_path / "client.answers.jsonl"
    file.write_text(json.dumps(given) + "\n")
    spec = {"verify": {"preflight": {}}, "paths": {"answers": str(file)}}
    with suite(tmp_path, "return []") as process:
        reply = process.ask("verify", spec=spec, facts={}, due=0, role="client")
    assert reply["asked"] == []
    assert reply["result"][0].startswith("lane is no number below 65536, in an answer such as")


def test_of_an_answer_all_is_passed_on_but_the_answer(tmp_path: Path) -> None:
    given = {**ANSWER, "asked": 0, "lane": 0, "pause": [9, 11]}
    with suite(tmp_path, "return []") as process:
        [passed] = asked_for(process, tmp_path, {**given, "answer": 1, "more": nested(600)})
    assert passed == {key: value for key, value in given.items() if key != "phase"}


def test_a_reply_that_cannot_be_kept_is_the_suites_fault(tmp_path: Path) -> None:
    deep = ("x = []", "for _ in range(100): x = [x]", "return x")
    with suite(tmp_path, *deep) as process, pytest.raises(TrialError) as failed:
        verdict(process, tmp_path, {**ANSWER, "answer": 1})
    assert failed.value.reason == "rules-failed"
    assert "nested deeper than 64 levels" in failed.value.detail


def test_text_that_nothing_can_encode_comes_back_spelt_out(tmp_path: Path) -> None:
    with suite(tmp_path, "return [a['answer'] for a in answers]") as process:
        reply = verdict(process, tmp_path, {**ANSWER, "answer": "\ud800 \0"})
    assert reply["result"] == [r"\ud800 \x00"]


def test_rules_that_cannot_be_loaded_are_said_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "verify.py").write_text("import no_such_module\n")
    with pytest.raises(RulesError, match=r"verify.py: ModuleNotFoundError.*no_such_module"):
        rules_of(tmp_path)


def test_a_suite_without_rules_has_no_process(tmp_path: Path) -> None:
    before = leftovers.children()
    with asking(rules_of(tmp_path)) as process:
        assert not process.has("verify")
        assert leftovers.children() == before


def test_the_environment_of_the_core_is_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIRELAB_REDIS_PASSWORD", "secret")
    assert os.environ["WIRELAB_REDIS_PASSWORD"]
    with suite(tmp_path, "return sorted(os.environ)") as process:
        names = verdict(process, tmp_path)["result"]
    assert set(names) <= {"PATH", "PYTHONPATH", "LC_CTYPE"}

"""The answers that a worker wrote."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wirelab.samples import regular_file
from wirelab.samples.lanes import MOST_LANES
from wirelab.trial.failure import TrialError

Json = dict[str, Any]


MOST_BYTES = 256 << 20
"""Answers are written at a few ticks only: the largest file of a suite here has 3 MB."""

_TOO_LARGE = 2**63


def read_answers(path: Path, role: str) -> list[Json]:
    """Every answer of the file; raises TrialError where a line is no JSON object."""
    answers = []
    for number, line in enumerate(_content(path, role).splitlines(), start=1):
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise TrialError(
                "broken-answers", f"{path.name}:{number} is no JSON object", role
            ) from None
        answers.append(answer)
    return answers


def _content(path: Path, role: str) -> bytes:
    """Read the file, empty where there is none; a worker may have put anything there."""
    try:
        return regular_file.content(path, MOST_BYTES)
    except FileNotFoundError:
        return b""
    except regular_file.UnsafeFileError as error:
        raise TrialError("broken-answers", str(error), role) from None
    except OSError as error:
        raise TrialError("broken-answers", f"{path.name}: {error.strerror}", role) from None


def in_form(answers: Sequence[Json], *, asked: bool = False) -> tuple[list[Json], list[str]]:
    """Answers to operations at ticks that have what the contract asks for, and a finding for each
    of the others. No answer ended later than now. Those of the measurement that were ``asked`` for
    say of which asking, or why there is none."""
    formed, findings = [], []
    for answer in answers:
        is_asked = asked and answer.get("phase") != "preflight"
        if wrong := _misformed_asked(answer) if is_asked else _misformed(answer):
            findings.append(f"{wrong}, in an answer such as {str(answer)[:200]}")
        else:
            formed.append(answer)
    return formed, findings


def _misformed(answer: Json) -> str:
    for key in ("phase", "operation"):
        if not isinstance(answer.get(key), str):
            return f"{key} is no text"
    for key in ("tick", "start_ns", "end_ns"):
        if not _is_whole(answer.get(key)):
            return f"{key} is no whole number from 0"
    if answer["end_ns"] > time.monotonic_ns():
        return "end_ns lies in the future"
    return "" if "answer" in answer else "there is no answer"


def _misformed_asked(answer: Json) -> str:
    for key in ("asked", "lane"):
        if not _is_whole(answer.get(key)):
            return f"{key} is no whole number from 0"
    if answer["lane"] >= MOST_LANES:
        return f"lane is no number below {MOST_LANES}"
    if "none" in answer:
        for key in ("phase", "operation", "none"):
            if not isinstance(answer.get(key), str):
                return f"{key} is no text"
        return ""
    if wrong := _misformed(answer):
        return wrong
    match answer.get("pause"):
        case [begin_ns, end_ns] if _is_whole(begin_ns) and _is_whole(end_ns):
            in_order = answer["start_ns"] <= answer["end_ns"] <= begin_ns <= end_ns
            if not in_order:
                return "start, end and pause are not in this order"
            return "" if _is_whole(answer.get("records", 0)) else "records is no whole number"
    return "pause is no begin and end"


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < _TOO_LARGE


def check_integrity(path: Path, role: str, count: int, checksum: str) -> None:
    """Compare the file with what ``done`` said of it; raises TrialError when they differ."""
    content = _content(path, role)
    found = f"{zlib.crc32(content):08x}"
    lines = content.count(b"\n")
    if lines != count:
        raise TrialError(
            "answer-count", f"done reports {count} answers, {path.name} holds {lines}", role
        )
    if found != checksum.lower():
        raise TrialError(
            "answer-checksum",
            f"done reports checksum {checksum} of {path.name}, its content has {found}",
            role,
        )

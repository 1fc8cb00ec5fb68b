"""Judges a trial of a codec: which shapes it got right, how large they are, what it read.

The rules are those of ``README.md``. The core loads this file by path and calls ``judge`` once
the worker is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .judging import evolution, large
from .judging.audits import wrong_audits
from .judging.conformance import remarks_of, unread
from .judging.encodings import MOST_FINDINGS, StepAnswers, by_step, wrong_batches

Json = Mapping[str, Any]

_MISFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions of reading what has another form than README.md says."""


def judge(
    spec: Json, facts: Json, answers: Iterable[Json], batches: Iterable[Json]
) -> dict[str, dict[str, Any]]:
    """By step: ``wrong`` (findings in plain words, at most 5), ``figures`` (name: value and
    unit) and ``remarks`` (anything a chapter of the report may want to tell)."""
    given, timed = by_step(answers), by_step(batches)
    judged = {}
    for step in spec["batches"]["steps"]:
        try:
            own = given.get(step, []), timed.get(step, [])
            judged[step] = _step(step, facts, not spec["batches"].get("rounds"), *own)
        except _MISFORMED as error:
            wrong = [f"not answers as README.md defines them: {error!r}"]
            judged[step] = {"wrong": wrong, "figures": {}, "remarks": {}}
    return {step: _printable(found) for step, found in judged.items()}


def _step(
    step: str, facts: Json, is_audited: bool, answers: list[Json], batches: list[Json]
) -> dict[str, Any]:
    form, strings = str(facts.get("format", "")), str(facts.get("strings", ""))
    preflight = [answer for answer in answers if answer["phase"] == "preflight"]
    measured = [answer for answer in answers if answer["phase"] == "measure"]
    if step in evolution.CHANGES:
        told, wrong = evolution.remarks_of(step, measured), evolution.missing(step, measured)
        return {"wrong": wrong[:MOST_FINDINGS], "figures": {}, "remarks": told}
    if large.is_step(step):
        return large.judged(step, form, measured, batches)
    own = StepAnswers(step, preflight)
    remarks = own.remarks(form) | remarks_of(step, measured)
    wrong = [] if form == "none" else own.wrong(form)
    wrong += wrong_batches(own, strings, batches) + wrong_audits(step, facts, is_audited, batches)
    wrong += unread(remarks)
    return {"wrong": wrong[:MOST_FINDINGS], "figures": own.figures(), "remarks": remarks}


def _printable(value: Any) -> Any:
    """The same with lone surrogates spelled out: libraries that accept them exist, files of text
    that hold them do not."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(key): _printable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_printable(one) for one in value]
    return value

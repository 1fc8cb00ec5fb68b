"""Answers that are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

LEAST_MS = 1.0
"""To put an answer of 2,000 values into words takes 0.05 to 1.1 ms (nine clients, on two cores
beside builds)."""

SHARE = 0.5
"""Share of an operation that this may take beyond that: of those clients it takes 0.01 to 0.16."""


class AnswerTime(Strict):
    """Milliseconds that an answer took, and the operation that brought it."""

    answer_ms: float
    operation_ms: float


class MadeWhenAsked(Strict):
    """By operation: the trial with the least of it."""

    operations: dict[str, AnswerTime]


def _check(cell: CellFacts) -> Iterator[TypedFinding[MadeWhenAsked]]:
    """To give an answer takes half as long as the operation that brought it, in every trial: a
    warning, for a client may have left to that what its operation is for, such as reading what
    came.
    """
    found: dict[str, AnswerTime] = {}
    for name in cell.planned[0].operations:
        known = [one for trial in cell.trials if (one := _of(trial, name)) is not None]
        if known and all(_is_much(one) for one in known):
            found[name] = min(known, key=lambda one: one.answer_ms)
    if found:
        yield TypedFinding(Verdict.WARN, MadeWhenAsked(operations=found))


def _of(trial: TrialFacts, name: str) -> AnswerTime | None:
    took_ns = trial.record.answering_ns.get(name)
    median_ms = trial.operations[name].median_ms
    if took_ns is None or median_ms is None:
        return None
    return AnswerTime(answer_ms=took_ns / 1e6, operation_ms=median_ms)


def _is_much(one: AnswerTime) -> bool:
    return one.answer_ms > LEAST_MS + SHARE * one.operation_ms


def _lines(evidence: MadeWhenAsked, words: Words) -> list[str]:
    said = words.gettext("{operation}: an answer takes {answer}, the operation {took}")
    return [
        said.format(
            operation=name,
            answer=numbers.with_unit(of.answer_ms, "ms"),
            took=numbers.with_unit(of.operation_ms, "ms"),
        )
        for name, of in evidence.operations.items()
    ]


GATE = Gate(
    code="made-when-asked",
    title=N_("answers that are made when asked for"),
    meaning=N_(
        "Giving an answer afterwards takes long, compared with the operation that brought it: what "
        "came may be read only when somebody asks for it. Callers read all of it, and service "
        "times leave that out."
    ),
    remedy=N_("Read every field of an answer before the operation ends, and keep what was read."),
    looks_at="paced loads: how long the answers take that are asked for (lower quartile), against "
    "the median operation",
    verdicts={
        Verdict.WARN: f"in every trial longer than {numbers.percent(SHARE)} of the operation plus "
        f"{LEAST_MS:g} ms",
    },
    loads=frozenset({LoadKind.PACED}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=MadeWhenAsked,
    lines=_lines,
)

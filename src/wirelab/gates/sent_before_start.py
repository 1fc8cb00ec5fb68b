"""Operations whose request had departed before they started."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.contradicted import ContradictedRecords, by_trial, of_cell, whom
from wirelab.gates.facts import CellFacts, WireFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class EarlyCounts(Strict):
    """Counts for one operation and trial: how many, of how many that the witness can speak of.

    ``examples``: a request's number, and how long before the start it departed, in ms.
    """

    operation: str
    of: int
    early: int
    examples: list[dict[str, int | float]]


class EarlyRequests(ContradictedRecords):
    """By trial."""

    trials: dict[str, list[EarlyCounts]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[EarlyRequests]]:
    """Good operations without a request of their own, where one had departed up to a second before
    they started, and after the operation before them had: invalid. Its time is in no figure.
    """
    if early := by_trial(cell, _early):
        evidence = of_cell(cell, EarlyRequests(trials=early))
        yield TypedFinding(Verdict.INVALID, evidence, list(early))


def _early(operation: str, wire: WireFacts) -> EarlyCounts | None:
    if not wire.early:
        return None
    examples: list[dict[str, int | float]] = [
        {
            "request": one.request,
            "start_ns": one.start_ns,
            "before_ms": (one.start_ns - one.departed_ns) / 1e6,
        }
        for one in wire.astray
        if one.is_early and one.request is not None and one.departed_ns is not None
    ]
    return EarlyCounts(operation=operation, of=wire.spoken_of, early=wire.early, examples=examples)


def _lines(evidence: EarlyRequests, words: Words) -> list[str]:
    counted = words.gettext(
        "{trial}: the requests of {early} of {of} {operation} operations departed before "
        "their start"
    )
    example = words.gettext(
        "start at {start} s (CLOCK_MONOTONIC): request {request} departed {before} ms before"
    )
    lines = []
    for trial, operations in evidence.trials.items():
        for of in operations:
            counts = {"early": f"{of.early:,}", "of": f"{of.of:,}"}
            lines.append(counted.format(trial=trial, operation=of.operation, **counts))
            for one in of.examples:
                start, before = f"{one['start_ns'] / 1e9:.6f}", f"{one['before_ms']:.3f}"
                lines.append(example.format(start=start, request=one["request"], before=before))
    return lines


GATE = Gate(
    code="sent-before-start",
    title=N_("requests that had gone before the start"),
    meaning=N_(
        "Some requests departed before the recorded start of their operation, and the time between "
        "the two is in no figure. No figure of this cell is a result."
    ),
    remedy=N_("Look for results that are fetched ahead of the call that returns them."),
    looks_at="departures of requests against the starts of operations",
    verdicts={Verdict.INVALID: "any"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER, Blame.GENERATOR),
    whom=whom,
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=EarlyRequests,
    lines=_lines,
)

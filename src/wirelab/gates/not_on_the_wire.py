"""Operations whose request or answer was never on the wire within their stamps."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.contradicted import ContradictedRecords, by_trial, of_cell, whom
from wirelab.gates.facts import CellFacts, ContradictedOperation, WireFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class MissingCounts(Strict):
    """Counts for one operation and trial: how many lack what, of how many that the witness can
    speak of.

    ``examples`` are begin and end of some on CLOCK_MONOTONIC in ns; of a request without a full
    answer its number and when it departed, in ms after the operation's start.
    """

    operation: str
    of: int
    absent: int
    unanswered: int
    examples: list[dict[str, int | float]]


class MissingOnTheWire(ContradictedRecords):
    """By trial."""

    trials: dict[str, list[MissingCounts]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[MissingOnTheWire]]:
    """Good operations without a request, or without its full answer, among the packets between
    their start and their end: invalid. The kernel stamps what leaves and what arrives; a call that
    asked nobody was answered by nobody.

    A request counts with as many items as the scenario asks for. Times in which the witness lost
    packets accuse nobody. Where a load generator is measured, it is the one that is accused.
    """
    if missing := by_trial(cell, _missing):
        evidence = of_cell(cell, MissingOnTheWire(trials=missing))
        yield TypedFinding(Verdict.INVALID, evidence, list(missing))


def _missing(operation: str, wire: WireFacts) -> MissingCounts | None:
    if wire.absent + wire.unanswered == 0:
        return None
    return MissingCounts(
        operation=operation,
        of=wire.spoken_of,
        absent=wire.absent,
        unanswered=wire.unanswered,
        examples=[_example(one) for one in wire.astray if not one.is_early],
    )


def _example(one: ContradictedOperation) -> dict[str, int | float]:
    shown: dict[str, int | float] = {"start_ns": one.start_ns, "end_ns": one.end_ns}
    if one.request is not None and one.departed_ns is not None:
        shown["request"] = one.request
        shown["after_ms"] = (one.departed_ns - one.start_ns) / 1e6
    return shown


def _lines(evidence: MissingOnTheWire, words: Words) -> list[str]:
    counted = words.gettext(
        "{trial}: of {of} {operation} operations {absent} had no request on the wire, "
        "{unanswered} no full answer"
    )
    silent = words.gettext("{start} to {end} s (CLOCK_MONOTONIC): no request")
    cut = words.gettext(
        "{start} to {end} s (CLOCK_MONOTONIC): request {request} departed after {after} ms, and "
        "its answer was not there by the end"
    )
    lines = []
    for trial, operations in evidence.trials.items():
        for of in operations:
            lines.append(
                counted.format(
                    trial=trial,
                    of=f"{of.of:,}",
                    operation=of.operation,
                    absent=f"{of.absent:,}",
                    unanswered=f"{of.unanswered:,}",
                )
            )
            for one in of.examples:
                start, end = (f"{one[key] / 1e9:.6f}" for key in ("start_ns", "end_ns"))
                said = silent if "request" not in one else cut
                after = f"{one.get('after_ms', 0):.3f}"
                request = one.get("request", 0)
                lines.append(said.format(start=start, end=end, request=request, after=after))
    return lines


GATE = Gate(
    code="not-on-the-wire",
    title=N_("operations that were not on the wire"),
    meaning=N_(
        "Some operations are recorded as answered, but between their start and their end their "
        "request or their full answer was not on the wire. No figure of this cell is a result."
    ),
    remedy=N_(
        "Look for answers from a cache or a subscription, for requests with fewer items, and for "
        "results that are returned before they have come."
    ),
    looks_at="good operations against requests and answers among the packets of the loopback",
    verdicts={Verdict.INVALID: "any without its request or its full answer"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER, Blame.GENERATOR),
    whom=whom,
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=MissingOnTheWire,
    lines=_lines,
)

"""Requests over more connections than a scenario gives a client."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.parts import Operation
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class UsedConnections(Strict):
    """Connections in use at the same time, and the most that may be."""

    used: int
    at_most: int


class MoreConnections(Strict):
    """By trial and operation: more than the scenario gives."""

    trials: dict[str, dict[str, UsedConnections]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[MoreConnections]]:
    """Requests of good operations were under way over more connections at the same time than the
    scenario gives them: invalid. A connection is in use from its first request to its last answer:
    who connects again after a loss has one at a time.
    """
    more: dict[str, dict[str, UsedConnections]] = {}
    for trial in cell.trials:
        for name, wire in trial.wire.items():
            at_most = _allowed(cell.scenario.operations[name], trial)
            if at_most is not None and wire.connections > at_most:
                told = UsedConnections(used=wire.connections, at_most=at_most)
                more.setdefault(trial.id, {})[name] = told
    if more:
        yield TypedFinding(Verdict.INVALID, MoreConnections(trials=more), list(more))


def _allowed(operation: Operation, trial: TrialFacts) -> int | None:
    """Connections that an operation may use at the same time; None: any number."""
    said, planned = operation.connections, trial.record.planned
    each = planned.parameters.get(said) if isinstance(said, str) else said
    # A pool of no size has that of the library.
    if not isinstance(each, int) or each < 1:
        return None
    return each * planned.load.processes


def _lines(evidence: MoreConnections, words: Words) -> list[str]:
    said = words.gettext(
        "{trial}: requests of {operation} operations used {used} connections at the same time, "
        "{most} are allowed"
    )
    return [
        said.format(trial=trial, operation=operation, used=of.used, most=of.at_most)
        for trial, operations in evidence.trials.items()
        for operation, of in operations.items()
    ]


GATE = Gate(
    code="more-connections",
    title=N_("more connections than the scenario says"),
    meaning=N_(
        "Requests were under way over more connections at the same time than the scenario gives a "
        "client: its times are those of other conditions."
    ),
    remedy=N_(
        "Give the pool of the library the size that the scenario says, and have no second client "
        "beside it."
    ),
    looks_at="connections with requests of good operations among the packets of the loopback, "
    "where the scenario says how many there may be",
    verdicts={Verdict.INVALID: "more at the same time"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=MoreConnections,
    lines=_lines,
)

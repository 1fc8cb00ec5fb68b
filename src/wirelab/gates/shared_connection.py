"""Requests of several users over one connection, where each has one of its own."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts, WireFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words

MOST = 1.5
"""Times what one user asks for that a connection may carry: operations of two users at the edge of
a step may have each other's requests."""


class CarriedOperations(Strict):
    """Operations of the connection that had the most, and of the user that had the most."""

    carried: int
    of_one: int


class SharedConnections(Strict):
    """By trial and operation: a connection of several users."""

    trials: dict[str, dict[str, CarriedOperations]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[SharedConnections]]:
    """One connection carried far more operations than any user had, where every user has a
    connection of its own: invalid. What was opened for the others stood idle.
    """
    shared: dict[str, dict[str, CarriedOperations]] = {}
    for trial in cell.trials:
        for name, wire in trial.wire.items():
            if _is_shared(wire):
                told = CarriedOperations(carried=wire.carried, of_one=wire.of_one)
                shared.setdefault(trial.id, {})[name] = told
    if shared:
        yield TypedFinding(Verdict.INVALID, SharedConnections(trials=shared), list(shared))


def _is_shared(wire: WireFacts) -> bool:
    return wire.carried > max(MOST * wire.of_one, wire.of_one + 1)


def _lines(evidence: SharedConnections, words: Words) -> list[str]:
    said = words.gettext(
        "{trial}: one connection carried {carried} {operation} operations, and no user had more "
        "than {most}"
    )
    return [
        said.format(
            trial=trial,
            operation=operation,
            carried=f"{of.carried:,}",
            most=f"{of.of_one:,}",
        )
        for trial, operations in evidence.trials.items()
        for operation, of in operations.items()
    ]


GATE = Gate(
    code="shared-connection",
    title=N_("users that share a connection"),
    meaning=N_(
        "Every user of this scenario has a connection of its own, and one connection carried the "
        "requests of several: its times and resources are those of fewer users."
    ),
    remedy=N_("Let each user, or each process, ask over the connection that it has opened."),
    looks_at="good operations by the connection that carried their requests, against those of one "
    "user, where the scenario says that each has a connection of its own",
    verdicts={Verdict.INVALID: f"more than {MOST:g} times those of any user"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=SharedConnections,
    lines=_lines,
)

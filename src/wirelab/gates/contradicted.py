"""Evidence of gates of the wire about a cell: something of each operation, by trial."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from wirelab.gates.facts import CellFacts, WireFacts

Told = TypeVar("Told")


def by_trial(
    cell: CellFacts, told: Callable[[str, WireFacts], Told | None]
) -> dict[str, list[Told]]:
    """Apply ``told`` to every operation that was looked for on the wire; trials of which it tells
    nothing are left out.
    """
    found = {
        trial.id: [
            one for name, wire in trial.wire.items() if (one := told(name, wire)) is not None
        ]
        for trial in cell.trials
    }
    return {trial: operations for trial, operations in found.items() if operations}

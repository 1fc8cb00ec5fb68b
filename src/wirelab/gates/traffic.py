"""Gate on the loopback: what was answered must have been there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

NOISE_FLOOR = 1_000_000
"""Bytes of payload below which nothing is said: other programs' traffic may hide as many."""


def less_traffic(cell: CellFacts) -> Iterator[Finding]:
    """The payload of a closed loop's good operations is more than all that the host received on
    its loopback meanwhile: invalid. What never came cannot have been answered.

    Only where several roles take part, sizes are recorded, and the probe has a row before and one
    after the window. The bytes between these two rows are all those of the window and some more, so
    that the gate cannot be wrong however short the window is; frames, acknowledgements and other
    programs are in them as well, so that it finds what is missing by a lot and not by a little.
    """
    if not cell.scenario.measures_load or cell.scenario.is_scheduled:
        return
    if len(cell.scenario.roles) < 2:
        return
    evidence: dict[str, Any] = {}
    for trial in cell.trials:
        payload = sum(facts.payload for facts in trial.operations.values())
        received = trial.loopback_bytes
        if received is not None and payload > max(NOISE_FLOOR, received):
            evidence[trial.id] = {"payload": payload, "received": received}
    if evidence:
        yield Finding(
            gate="less-traffic",
            verdict=Verdict.INVALID,
            evidence={"trials": evidence},
            trials=list(evidence),
        )

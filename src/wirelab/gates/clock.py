"""Gate on stamps: one CLOCK_MONOTONIC, and samples that could have happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.model.result import Finding, Verdict

COARSE_SOURCES = ("jiffies", "refined-jiffies", "acpi_pm", "pit")
"""Clock sources whose grain (0.3 us to 10 ms) or cost shows in figures of microseconds. The
kernel falls back to them when it has found the processor's counter unstable."""


def clock(cell: CellFacts) -> Iterator[Finding]:
    """Stamps that cannot be right make the cell invalid; a coarse clock source warns.

    Invalid: the worker's own time in ``ready`` is outside the moments when it was started and
    when it was heard (another clock, or another host's); a sample ends before it starts,
    starts more than 1 ms before it was due, or lies outside its trial; a paced worker names
    intended times that are no ticks, or an operation that the scenario does not have; a step of
    a closed loop ends before what was begun in it.
    """
    evidence = {trial.id: wrong for trial in cell.trials if (wrong := _impossible(trial, cell))}
    if evidence:
        yield Finding(
            gate="clock", verdict=Verdict.INVALID, evidence=evidence, trials=list(evidence)
        )
    sources = {t.record.environment.clock_source for t in cell.trials if t.record.environment}
    if coarse := sorted(sources & set(COARSE_SOURCES)):
        yield Finding(gate="clock", verdict=Verdict.WARN, evidence={"sources": coarse})


def _impossible(trial: TrialFacts, cell: CellFacts) -> dict[str, Any]:
    wrong: dict[str, Any] = {name: count for name, count in asdict(trial.clock).items() if count}
    role = trial.record.roles.get(cell.scenario.measured_role)
    if role is None or role.startup_ns is None or "started_ns" not in role.ready:
        return wrong | {"ready": "not recorded"}
    started = int(role.ready["started_ns"])
    said = int(role.ready.get("monotonic_ns", 0))
    if not started <= said <= started + role.startup_ns:
        wrong["ready_off_by_ns"] = (
            said - started if said < started else said - started - role.startup_ns
        )
    return wrong

"""Gates on the host around the trials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

STEAL_WARN, STEAL_INVALID = 0.01, 0.05
"""Share of CPU time that the hypervisor gave to others: at 1 % a p99 may be theirs, at 5 % a
p95."""

FOREIGN_CORES = 0.05
"""CPU used by processes that are not the trial's, in cores."""

PRESSURE = 0.10
"""Share of the window in which some task waited for a CPU (PSI ``some``). The roles themselves
are in it, so a little is no sign of a neighbour."""

CANARY = 0.05
"""Change of the time of a fixed loop: the processor itself ran at another speed."""


def steal(cell: CellFacts) -> Iterator[Finding]:
    """Steal time above 1 % warns, above 5 % is invalid. Its absence from the record warns."""
    shares = {t.id: t.record.environment.steal_ratio for t in cell.trials if t.record.environment}
    unknown = [trial.id for trial in cell.trials if not trial.record.environment]
    if unknown:
        yield Finding(
            gate="steal", verdict=Verdict.WARN, evidence={"not_recorded": unknown}, trials=unknown
        )
    high = {trial: share for trial, share in shares.items() if share > STEAL_WARN}
    if high:
        worst = max(high.values())
        verdict = Verdict.INVALID if worst > STEAL_INVALID else Verdict.WARN
        evidence = {"steal": high, "worst": worst}
        yield Finding(gate="steal", verdict=verdict, evidence=evidence, trials=list(high))


def noisy_neighbour(cell: CellFacts) -> Iterator[Finding]:
    """Foreign CPU above 5 % of a core, CPU pressure above 10 %, or the canary loop off by more
    than 5 % from the run's median: warns.
    """
    evidence: dict[str, Any] = {}
    for trial in cell.trials:
        environment = trial.record.environment
        if environment is None:
            continue
        signs: dict[str, float] = {}
        if environment.foreign_cpu > FOREIGN_CORES:
            signs["foreign_cores"] = environment.foreign_cpu
        if environment.psi_cpu is not None and environment.psi_cpu > PRESSURE:
            signs["pressure"] = environment.psi_cpu
        if cell.run.canary_ns:
            change = environment.canary_ns / cell.run.canary_ns - 1
            if abs(change) > CANARY:
                signs["canary_change"] = change
        if signs:
            evidence[trial.id] = signs
    if evidence:
        yield Finding(
            gate="noisy-neighbour",
            verdict=Verdict.WARN,
            evidence={"trials": evidence},
            trials=list(evidence),
        )


def not_pinned(cell: CellFacts) -> Iterator[Finding]:
    """A role that could not be put on processors of its own: a remark, for roles may share a core.
    What that does to figures shows in the waits and in who is late, which have gates of their own.
    """
    refused = {
        trial.id: {name: role.pin_refused}
        for trial in cell.trials
        for name, role in trial.record.roles.items()
        if role.pin_refused
    }
    if refused:
        yield Finding(
            gate="not-pinned",
            verdict=Verdict.VALID,
            evidence={"refused": refused},
            trials=list(refused),
        )

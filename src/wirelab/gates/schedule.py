"""Gates on the schedule: were operations issued as often, and when, they were due?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

RATE_WARN, RATE_INVALID = 0.01, 0.10
"""Share of the scheduled operations that may be missing (or too many): Lancet (ATC'19) checks
the achieved rate against the asked one; 1 % is its order, 10 % is another experiment."""

LATE_SHARE = 0.10
"""Lateness that counts: from a tenth of the median on, it is in the figures' first digit."""

LATE_SAMPLES = 100
"""Starts below which a p99 would be the maximum under another name."""


def rate_missed(cell: CellFacts) -> Iterator[Finding]:
    """Operations issued in the window against those scheduled: off by more than 1 % warns, by
    more than 10 % is invalid. Judged by operation and trial: trials do not make up for others.
    A closed loop has no rate to miss; what it leaves undone is lost (``loss-or-error``).
    """
    if not cell.scenario.measures_load:
        return
    evidence: dict[str, Any] = {}
    worst = 0.0
    for trial in cell.trials:
        for name, facts in trial.operations.items():
            off = abs(facts.sent - facts.expected) / facts.expected if facts.expected else 0.0
            if off > RATE_WARN:
                sent = {"sent": facts.sent, "scheduled": facts.expected}
                evidence.setdefault(trial.id, {})[name] = sent
                worst = max(worst, off)
    if evidence:
        verdict = Verdict.INVALID if worst > RATE_INVALID else Verdict.WARN
        trials = list(evidence)
        evidence = {"trials": evidence, "worst": worst}
        yield Finding(gate="rate-missed", verdict=verdict, evidence=evidence, trials=trials)


def late_start(cell: CellFacts) -> Iterator[Finding]:
    """p99 of start - intended above 10 % of the median service time of its trial warns.

    Then service times flatter: what waited before it was started does not show in them, only
    in response times. Stalls (starts more than 100 ms late) are shown beside it. The lateness
    of a generator is not the contender's, is in every response time, and is compared with the
    service time of the same percentile: there it must not show.
    """
    if not cell.scenario.measures_load or not cell.scenario.is_scheduled:
        return
    evidence: dict[str, Any] = {}
    for name in cell.planned[0].operations:
        if cell.scenario.operations[name].due == "join":
            continue
        late = {
            trial.id: trial.operations[name]
            for trial in cell.trials
            if trial.operations[name].sent >= LATE_SAMPLES
        }
        if not late:
            continue
        worst = max(late, key=lambda trial: late[trial].delay_p99_ms or 0.0)
        p99 = late[worst].delay_p99_ms or 0.0
        percentile = 99 if cell.scenario.has_generator else 50
        held_against = late[worst].p99_ms if percentile == 99 else late[worst].median_ms
        if held_against is None:
            continue
        stalls = sum(facts.stalls for facts in late.values())
        if p99 > LATE_SHARE * held_against or stalls:
            evidence[name] = {
                "p99_ms": p99,
                "service_ms": held_against,
                "percentile": f"p{percentile}",
                "share": p99 / held_against,
                "max_ms": max(facts.delay_max_ms or 0.0 for facts in late.values()),
                "stalls": stalls,
                "worst_trial": worst,
            }
    if evidence:
        trials = sorted({str(of["worst_trial"]) for of in evidence.values()})
        yield Finding(
            gate="late-start",
            verdict=Verdict.WARN,
            evidence={"operations": evidence},
            trials=trials,
        )

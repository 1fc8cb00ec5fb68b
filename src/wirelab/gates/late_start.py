"""Operations started when they were due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from wirelab.gates.facts import CellFacts, OperationFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import SCHEDULED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

_LEAST_MS = 1e-6
"""A nanosecond: operations that are said to take less are not compared with less."""

LATE_SHARE = 0.10
"""Lateness that counts: from a tenth of the median on, it is in the figures' first digit."""

LATE_SAMPLES = 100
"""Starts below which a p99 would be the maximum under another name."""


class Lag(Strict):
    """The lateness of one operation, beside the service time it is held against."""

    p99_ms: float
    service_ms: float
    percentile: Literal["p50", "p99"]
    share: float
    max_ms: float
    stalls: int
    worst_trial: str


class LateStarts(Strict):
    """By operation: its lateness."""

    operations: dict[str, Lag]


def _check(cell: CellFacts) -> Iterator[TypedFinding[LateStarts]]:
    """p99 of start - intended above 10 % of the median service time of its trial warns.

    Then service times flatter: what waited before it was started does not show in them, only
    in response times. Stalls (starts more than 100 ms late) are shown beside it. The lateness
    of a generator is not the contender's, is in every response time, and is compared with the
    service time of the same percentile: there it must not show.
    """
    late: dict[str, Lag] = {}
    for name in cell.planned[0].operations:
        if cell.scenario.operations[name].due == "join":
            continue
        known = {
            trial.id: trial.operations[name]
            for trial in cell.trials
            if trial.operations[name].sent >= LATE_SAMPLES
        }
        if known and (found := _late(known, cell.scenario.has_generator)):
            late[name] = found
    if late:
        trials = sorted({of.worst_trial for of in late.values()})
        yield TypedFinding(Verdict.WARN, LateStarts(operations=late), trials)


def _late(trials: Mapping[str, OperationFacts], has_generator: bool) -> Lag | None:
    """The lateness of an operation in its worst trial; None where it does not count."""
    worst = max(trials, key=lambda trial: trials[trial].delay_p99_ms or 0.0)
    p99 = trials[worst].delay_p99_ms or 0.0
    service = trials[worst].p99_ms if has_generator else trials[worst].median_ms
    stalls = sum(facts.stalls for facts in trials.values())
    if service is None or not (p99 > LATE_SHARE * service or stalls):
        return None
    return Lag(
        p99_ms=p99,
        service_ms=service,
        percentile="p99" if has_generator else "p50",
        share=p99 / max(service, _LEAST_MS),
        max_ms=max(facts.delay_max_ms or 0.0 for facts in trials.values()),
        stalls=stalls,
        worst_trial=worst,
    )


def _lines(evidence: LateStarts, words: Words) -> list[str]:
    _, ngettext = words.gettext, words.ngettext
    lines = []
    for name, of in evidence.operations.items():
        line = _(
            "{operation}: p99 of the lateness {p99} ms is {share} of the service time's "
            "{percentile} ({service} ms); latest {latest} ms"
        ).format(
            operation=name,
            p99=numbers.brief(of.p99_ms),
            share=numbers.percent(of.share),
            percentile=of.percentile,
            service=numbers.brief(of.service_ms),
            latest=numbers.brief(of.max_ms),
        )
        if of.stalls:
            line += "; " + ngettext(
                "{n} stall over 100 ms", "{n} stalls over 100 ms", of.stalls
            ).format(n=of.stalls)
        lines.append(line)
    return lines


GATE = Gate(
    code="late-start",
    title=N_("operations started late"),
    meaning=N_("Service times flatter: what waited before its start shows only in response times."),
    remedy=N_(
        "Judge by response time; free the processor of the client, or look for what blocks "
        "its timer."
    ),
    looks_at=(
        "p99 of start − intended against the median service time (of a generator: against its p99)"
    ),
    verdicts={
        Verdict.WARN: f"above {numbers.percent(LATE_SHARE, 1)}, or a start more than 100 ms late"
    },
    loads=SCHEDULED,
    blames=(Blame.GENERATOR,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=LateStarts,
    lines=_lines,
)

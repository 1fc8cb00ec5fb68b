"""Operations started when they were due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import SCHEDULED
from wirelab.model.result import Metric, Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

FLATTERS = 0.10
"""Share by which a response time may exceed the service time: from a tenth on, what came before
the start is in the figure's first digit."""

_SLOWEST = "max"
"""The longest service time and the longest response time are those of two operations."""


class BothTimes(Strict):
    """A figure of service time, and the same one of response time."""

    service_ms: float
    response_ms: float


class Lag(Strict):
    """The lateness of one operation: the latest start, and starts more than 100 ms late."""

    max_ms: float
    stalls: int
    worst_trial: str


class LateStarts(Strict):
    """The figures concerned, and the lateness of their operations."""

    metrics: dict[str, BothTimes]
    lateness: dict[str, Lag]


def _check(cell: CellFacts) -> Iterator[TypedFinding[LateStarts]]:
    """A percentile (or the mean) of response time more than 10 % above that of service time warns
    of the latter; a stall (a start more than 100 ms late) warns of all service times of its
    operation.

    They flatter: what waited before it was started shows in response times alone. The lateness of
    a generator that waits for no answer is not the contender's, and is in every response time:
    there it warns of these as well.
    """
    if not cell.trials:
        return
    metrics: dict[str, BothTimes] = {}
    lateness: dict[str, Lag] = {}
    of_generator = cell.scenario.has_generator and not cell.scenario.waits_in_lanes
    for name in cell.planned[0].operations:
        if cell.scenario.operations[name].due == "join":
            continue
        lag = _lag(cell, name)
        both = _both_times(cell.metrics, name)
        late = {
            stat: times
            for stat, times in both.items()
            if lag.stalls or (stat != _SLOWEST and _flatters(times))
        }
        if late:
            lateness[name] = lag
            kinds = ("latency", "response") if of_generator else ("latency",)
            metrics |= {f"{name}.{kind}.{stat}": late[stat] for kind in kinds for stat in late}
    if metrics:
        trials = sorted({of.worst_trial for of in lateness.values()})
        yield TypedFinding(Verdict.WARN, LateStarts(metrics=metrics, lateness=lateness), trials)


def _flatters(times: BothTimes) -> bool:
    return times.response_ms > (1 + FLATTERS) * times.service_ms


def _lag(cell: CellFacts, name: str) -> Lag:
    own = {trial.id: trial.operations[name] for trial in cell.trials}
    worst = max(own, key=lambda trial: own[trial].delay_max_ms or 0.0)
    return Lag(
        max_ms=own[worst].delay_max_ms or 0.0,
        stalls=sum(facts.stalls for facts in own.values()),
        worst_trial=worst,
    )


def _both_times(metrics: Mapping[str, Metric], name: str) -> dict[str, BothTimes]:
    """The figures of an operation, by percentile, that are known from its start and its time."""
    start = f"{name}.latency."
    found: dict[str, BothTimes] = {}
    for key, service in metrics.items():
        stat = key.removeprefix(start)
        response = metrics.get(f"{name}.response.{stat}") if key.startswith(start) else None
        if response is None or response.value is None or service.value is None:
            continue
        found[stat] = BothTimes(service_ms=service.value, response_ms=response.value)
    return found


def _lines(evidence: LateStarts, words: Words) -> list[str]:
    _, ngettext = words.gettext, words.ngettext
    lines = []
    for name, lag in evidence.lateness.items():
        start = f"{name}.latency."
        figures = "; ".join(
            _("{percentile} {service} ms from the start and {response} ms from its time").format(
                percentile=key.removeprefix(start),
                service=numbers.brief(times.service_ms),
                response=numbers.brief(times.response_ms),
            )
            for key, times in evidence.metrics.items()
            if key.startswith(start)
        )
        line = _("{operation}: {figures}; latest start {latest} ms after its time").format(
            operation=name, figures=figures, latest=numbers.brief(lag.max_ms)
        )
        if lag.stalls:
            line += "; " + ngettext(
                "{n} stall over 100 ms", "{n} stalls over 100 ms", lag.stalls
            ).format(n=lag.stalls)
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
    looks_at="response time (from when an operation was due) against service time, by percentile",
    verdicts={
        Verdict.WARN: f"service times that response time exceeds by "
        f"{numbers.percent(FLATTERS, 1)}, or a start more than 100 ms late"
    },
    loads=SCHEDULED,
    blames=(Blame.GENERATOR,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=LateStarts,
    lines=_lines,
)

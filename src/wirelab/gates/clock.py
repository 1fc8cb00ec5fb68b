"""Stamps: one CLOCK_MONOTONIC, and samples that could have happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import RootModel

from wirelab.gates.facts import CellFacts, ClockFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

COARSE_SOURCES = ("jiffies", "refined-jiffies", "acpi_pm", "pit")
"""Clock sources whose grain (0.3 us to 10 ms) or cost shows in figures of microseconds. The
kernel falls back to them when it has found the processor's counter unstable."""

Stamp = Literal[
    "backwards",
    "early",
    "outside",
    "off_schedule",
    "unknown_operations",
    "past_step",
    "before_start",
    "overlapping",
    "rounded",
    "in_no_time",
    "in_steps",
    "ready",
    "ready_off_by_ns",
]

_IN_WORDS: Mapping[Stamp, str] = {
    "backwards": N_("ends before it starts"),
    "early": N_("starts before it was due"),
    "outside": N_("lies outside its trial"),
    "off_schedule": N_("intended at no tick"),
    "past_step": N_("ends after its step"),
    "before_start": N_("starts before the worker was told to begin"),
    "overlapping": N_("starts before the one before it in its lane has ended"),
    "rounded": N_("is a round number: a multiple of 10 µs"),
    "in_no_time": N_("ends when it starts"),
    "in_steps": N_("is of a clock that moves in steps of 1 ms or more"),
    "unknown_operations": N_("operation the scenario does not have"),
    "ready_off_by_ns": N_("the worker's clock at ready is off by (ns)"),
    "ready": N_("time of ready"),
}


class CoarseSources(Strict):
    """Clock sources too coarse for the figures."""

    sources: list[str]


ImpossibleStamps = dict[str, dict[Stamp, int | str]]
"""By trial: counts of stamps that cannot be, or by how much the clock is another one."""


class WrongClock(RootModel[CoarseSources | ImpossibleStamps]):
    """One of the two: impossible stamps, or a coarse clock."""


def _check(cell: CellFacts) -> Iterator[TypedFinding[WrongClock]]:
    """Stamps that cannot be right make the cell invalid; a coarse clock source warns.

    Invalid: the worker's own time in ``ready`` is outside the moments when it was started and
    when it was heard (another clock, or another host's); a sample ends before it starts,
    starts before it was due or before the worker was told to begin, by however little, or lies
    outside its trial; an operation of a paced or closed lane starts before the one of its kind
    before it has ended, batches overlap; a paced worker names intended times that are no ticks, or
    an operation that the scenario does not have; a step of a closed loop ends before what was begun
    in it; starts, or ends, are rounded to ten microseconds or more; ends are those of a clock that
    moves in steps, as the kernel's coarse ones do; operations end when they start.
    """
    impossible = {trial.id: wrong for trial in cell.trials if (wrong := _impossible(trial, cell))}
    if impossible:
        yield TypedFinding(Verdict.INVALID, WrongClock(impossible), list(impossible))
    sources = {t.record.environment.clock_source for t in cell.trials if t.record.environment}
    if coarse := sorted(sources & set(COARSE_SOURCES)):
        yield TypedFinding(Verdict.WARN, WrongClock(CoarseSources(sources=coarse)))


def _impossible(trial: TrialFacts, cell: CellFacts) -> dict[Stamp, int | str]:
    wrong: dict[Stamp, int | str] = {n: count for n, count in _counts(trial.clock).items() if count}
    processes = trial.record.processes_of(cell.scenario.measured_role)
    for role in processes:
        if role.startup_ns is None or "started_ns" not in role.ready:
            return wrong | {"ready": "not recorded"}
        started = int(role.ready["started_ns"])
        said = int(role.ready.get("monotonic_ns", 0))
        if not started <= said <= started + role.startup_ns:
            wrong["ready_off_by_ns"] = (
                said - started if said < started else said - started - role.startup_ns
            )
    return wrong if processes else wrong | {"ready": "not recorded"}


def _counts(clock: ClockFacts) -> dict[Stamp, int]:
    return {
        "backwards": clock.backwards,
        "early": clock.early,
        "outside": clock.outside,
        "off_schedule": clock.off_schedule,
        "unknown_operations": clock.unknown_operations,
        "past_step": clock.past_step,
        "before_start": clock.before_start,
        "overlapping": clock.overlapping,
        "rounded": clock.rounded,
        "in_no_time": clock.in_no_time,
        "in_steps": clock.in_steps,
    }


def rests_on_ticks_alone(evidence: WrongClock) -> bool:
    """Say that nothing is wrong but times that are no ticks: a worker without a schedule."""
    found = evidence.root
    return not isinstance(found, CoarseSources) and all(
        set(wrong) == {"off_schedule"} for wrong in found.values()
    )


def _whom(evidence: WrongClock) -> Blame:
    return Blame.HOST if isinstance(evidence.root, CoarseSources) else Blame.CONTENDER


def _lines(evidence: WrongClock, words: Words) -> list[str]:
    _ = words.gettext
    found = evidence.root
    if isinstance(found, CoarseSources):
        return [_("coarse clock source: {name}").format(name=", ".join(found.sources))]
    return [
        f"{trial}: "
        + ", ".join(f"{_(_IN_WORDS[key])} {numbers.plain(value)}" for key, value in wrong.items())
        for trial, wrong in found.items()
    ]


GATE = Gate(
    code="clock",
    title=N_("impossible time stamps"),
    meaning=N_(
        "Stamps contradict the schedule or the monotonic clock, so durations are unreliable."
    ),
    remedy=N_("Take all stamps of the worker from CLOCK_MONOTONIC; on a virtual machine use tsc."),
    looks_at="stamps against the core's own clock and the schedule; the host's clock source",
    verdicts={
        Verdict.WARN: "a coarse clock source",
        Verdict.INVALID: "stamps that cannot be, by however little: another clock, moved ticks, an "
        "end before its start, a start before its time, operations of a lane that overlap, "
        "operations that take no time, stamps that are rounded, or of a clock that moves in steps",
    },
    loads=MEASURED,
    blames=(Blame.CONTENDER, Blame.HOST),
    whom=_whom,
    concerns=Concern.TIMES,
    check=_check,
    evidence=WrongClock,
    lines=_lines,
)

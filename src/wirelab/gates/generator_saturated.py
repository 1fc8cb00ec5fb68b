"""A load generator that was the bottleneck."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.gates.signs import BUSY, DELAY, HELD_UP, LAG_MS, Sign, signs_in_words, signs_of
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

BOUNDED = 0.05
"""Share of the requests' time that a warning allows. The witness of the wire tells it where it saw
them. Elsewhere, and where a lane waits for each of its answers, the wait for a processor bounds it:
the times of all requests add up to the number under way, integrated over the window (Little's law),
so a generator that was kept waiting for a share of it has made their mean longer by that share at
most. What is sent late meanwhile is told by its lateness."""


class Saturated(Strict):
    """By trial: the signs that spoke."""

    trials: dict[str, dict[Sign, float]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[Saturated]]:
    """The generator used more than 80 % of its processors, waited for one more than 1 % of quiet
    time longer than beside a null server, or sent late: invalid. What was measured then is the
    generator. Where the witness saw the requests, it is what such a wait added to their time that
    counts: up to 1 % is nothing, up to 5 % warns. Where nobody saw them and lanes wait for their
    answers, a wait of 1 to 5 % is bounded in what it can have done, and warns. A request that waits
    for the one before it on its connection is late only by what comes on top of that.

    The clients of a closed loop that are the contender's own are no generator: they are measured.
    """
    if not cell.scenario.has_generator:
        return
    measured = cell.scenario.roles[cell.scenario.measured_role]
    if not cell.scenario.is_scheduled and measured.is_contenders:
        return
    spoke = {
        trial.id: signs
        for trial in cell.trials
        if (signs := signs_of(trial, cell.scenario, cell.run.cpus, cell.null_delay))
    }
    if spoke:
        in_lanes = cell.scenario.is_closed or cell.scenario.waits_in_lanes
        bounded = all(_is_bounded(signs, in_lanes=in_lanes) for signs in spoke.values())
        verdict = Verdict.WARN if bounded else Verdict.INVALID
        yield TypedFinding(verdict, Saturated(trials=spoke), list(spoke))


def _is_bounded(signs: dict[Sign, float], *, in_lanes: bool) -> bool:
    """Whether what the signs speak of is small, whatever else they do not tell."""
    known: set[Sign] = {"held_up", "delay_share"} if in_lanes else {"held_up"}
    return set(signs) <= known and max(signs.values()) < BOUNDED


def _lines(evidence: Saturated, words: Words) -> list[str]:
    return [
        f"{trial}: {', '.join(signs_in_words(signs, words))}"
        for trial, signs in evidence.trials.items()
    ]


GATE = Gate(
    code="generator-saturated",
    title=N_("load generator saturated"),
    meaning=N_("The generator was at its limit: figures show it, not the contender."),
    remedy=N_("Lower the load, or give the generator more cores."),
    looks_at="the generator's CPU, its waits for a processor in quiet time, and how late it sent",
    verdicts={
        Verdict.WARN: f"its waits made {numbers.percent(HELD_UP, 1)} to "
        f"{numbers.percent(BOUNDED, 1)} of the requests' time on the wire; or, where nobody looked "
        f"at the wire and lanes wait for answers, {numbers.percent(DELAY, 1)} to "
        f"{numbers.percent(BOUNDED, 1)} of the window",
        Verdict.INVALID: f"{numbers.percent(BUSY, 1)} of its cores; waits of "
        f"{numbers.percent(BOUNDED, 1)} of the requests' time on the wire, else of "
        f"{numbers.percent(DELAY, 1)} of the window; p99 of the lateness above {LAG_MS:g} ms",
    },
    loads=ORDINARY,
    blames=(Blame.GENERATOR,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Saturated,
    lines=_lines,
)

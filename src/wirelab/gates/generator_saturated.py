"""A load generator that was the bottleneck."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.gates.signs import BUSY, DELAY, LAG_MS, Sign, signs_in_words, signs_of
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

DELAY_OF_LANES = 0.05
"""The bound on its wait for a processor where a lane waits for each of its answers. The times of
all requests add up to the number under way, integrated over the window (Little's law), so a
generator that was kept waiting for this share of it has made their mean longer by about as much:
below, it is a warning. What is sent late meanwhile is told by its lateness."""


class Saturated(Strict):
    """By trial: the signs that spoke."""

    trials: dict[str, dict[Sign, float]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[Saturated]]:
    """The generator used more than 80 % of its processors, waited for one more than 1 % of quiet
    time longer than beside a null server, or sent late: invalid. What was measured then is the
    generator. Where lanes wait for their answers a wait of 1 to 5 % is bounded in what it can have
    done, and warns.

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
        bounded = in_lanes and all(map(_is_bounded, spoke.values()))
        verdict = Verdict.WARN if bounded else Verdict.INVALID
        yield TypedFinding(verdict, Saturated(trials=spoke), list(spoke))


def _is_bounded(signs: dict[Sign, float]) -> bool:
    return set(signs) == {"delay_share"} and signs["delay_share"] < DELAY_OF_LANES


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
    looks_at=(
        "the generator's CPU, its wait for a processor in quiet time (what it waits longer than "
        "beside a null server at the same load), the lateness of its sends (of requests that wait "
        "for the one before them on their connection: what comes on top of that)"
    ),
    verdicts={
        Verdict.WARN: f"lanes wait for their answers, and a wait of {numbers.percent(DELAY, 1)} to "
        f"{numbers.percent(DELAY_OF_LANES, 1)} of the window alone spoke",
        Verdict.INVALID: f"{numbers.percent(BUSY, 1)} of its cores; "
        f"{numbers.percent(DELAY, 1)} of the window; p99 above {LAG_MS:g} ms",
    },
    loads=ORDINARY,
    blames=(Blame.GENERATOR,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Saturated,
    lines=_lines,
)

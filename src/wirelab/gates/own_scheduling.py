"""Priority and processors of a role's threads that nobody gave it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

_TAKEN = ("raised", "elsewhere")
_GIVEN_UP = ("lowered", "narrowed")

_IN_WORDS: Mapping[str, str] = {
    "raised": N_("{trial}: {role}: higher priority (threads: {threads}, {share} of the readings)"),
    "elsewhere": N_(
        "{trial}: {role}: other processors (threads: {threads}, {share} of the readings)"
    ),
    "lowered": N_("{trial}: {role}: lower priority (threads: {threads}, {share} of the readings)"),
    "narrowed": N_(
        "{trial}: {role}: fewer processors (threads: {threads}, {share} of the readings)"
    ),
}


class SeenThreads(Strict):
    """The most threads at one moment, and the share of the moments at which there were any."""

    threads: int
    share: float


class OwnScheduling(Strict):
    """By trial, role and how it differs from what the role was given."""

    trials: dict[str, dict[str, dict[str, SeenThreads]]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[OwnScheduling]]:
    """A higher priority or other processors than a role was given: invalid, for others had neither.
    Less than it was given is a remark. A generator of wirelab's own raises itself, so that nothing
    else makes it late.
    """
    for ways, verdict in ((_TAKEN, Verdict.INVALID), (_GIVEN_UP, Verdict.VALID)):
        found = {trial.id: _roles(trial, cell, ways) for trial in cell.trials}
        if some := {trial: roles for trial, roles in found.items() if roles}:
            yield TypedFinding(verdict, OwnScheduling(trials=some), list(some))


def _roles(
    trial: TrialFacts, cell: CellFacts, ways: Collection[str]
) -> dict[str, dict[str, SeenThreads]]:
    found = {
        role: {
            way: SeenThreads(threads=seen.threads, share=seen.share)
            for way, seen in trial.deviating.get(role, {}).items()
            if way in ways
        }
        for role, its in cell.scenario.roles.items()
        if not its.engine
    }
    return {role: seen for role, seen in found.items() if seen}


def _lines(evidence: OwnScheduling, words: Words) -> list[str]:
    return [
        words.gettext(_IN_WORDS[way]).format(
            trial=trial,
            role=role,
            threads=f"{seen.threads:,}",
            share=numbers.percent(seen.share),
        )
        for trial, roles in evidence.trials.items()
        for role, its in roles.items()
        for way, seen in its.items()
    ]


GATE = Gate(
    code="own-scheduling",
    title=N_("priority or processors of its own choice"),
    meaning=N_(
        "Threads of a role had another priority or other processors than the role was given, as "
        "the kernel has it. What was taken beyond that, the others of this table did without."
    ),
    remedy=N_(
        "Leave scheduling class, nice value and affinity as they are inherited; a setting of the "
        "library that changes them belongs into the tuning, switched off."
    ),
    looks_at="scheduling class, nice value and affinity of every thread of a role, read from the "
    "kernel at a random moment of each 100 ms, beside those that the role inherited",
    verdicts={
        Verdict.VALID: "a lower priority, or fewer processors",
        Verdict.INVALID: "a higher priority, or processors that the role was not given",
    },
    loads=MEASURED,
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=OwnScheduling,
    lines=_lines,
)

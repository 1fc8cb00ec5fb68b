"""Processor time that the hypervisor gave to others."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import RootModel

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, Spoken
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

STEAL_WARN, STEAL_INVALID = 0.01, 0.05
"""Share of CPU time that the hypervisor gave to others: at 1 % a p99 may be theirs, at 5 % a
p95."""


_JIFFY_SECONDS = 0.01
"""The kernel counts in these, on each processor: by as much a share may be wrong."""


class NotRecorded(Strict):
    """Trials of which nothing is known."""

    not_recorded: list[str]


class Shares(Strict):
    """By trial: the share that was stolen; the worst."""

    steal: dict[str, float]
    worst: float


class Stolen(RootModel[NotRecorded | Shares]):
    """One of the two: what was stolen, or that it is not known."""


def _check(cell: CellFacts) -> Iterator[Spoken[Stolen]]:
    """Steal time above 1 % warns, above 5 % is invalid. Its absence from the record warns.

    A share that one jiffy of each processor would make of a short window is none.
    """
    shares = {
        trial.id: trial.record.environment.steal_ratio
        for trial in cell.trials
        if trial.record.environment and _is_resolved(trial)
    }
    unknown = [trial.id for trial in cell.trials if not trial.record.environment]
    if unknown:
        yield Spoken(Verdict.WARN, Stolen(NotRecorded(not_recorded=unknown)), unknown)
    high = {trial: share for trial, share in shares.items() if share > STEAL_WARN}
    if high:
        worst = max(high.values())
        verdict = Verdict.INVALID if worst > STEAL_INVALID else Verdict.WARN
        yield Spoken(verdict, Stolen(Shares(steal=high, worst=worst)), list(high))


def _is_resolved(trial: TrialFacts) -> bool:
    environment = trial.record.environment
    resolution = _JIFFY_SECONDS / trial.window_seconds
    return environment is not None and environment.steal_ratio > resolution


def _lines(evidence: Stolen, words: Words) -> list[str]:
    _ = words.gettext
    found = evidence.root
    if isinstance(found, NotRecorded):
        unknown = len(found.not_recorded)
        return [_("steal time was not recorded (trials: {n})").format(n=unknown)]
    return [
        _("up to {share} of the processor time (trials: {n})").format(
            share=numbers.percent(found.worst), n=len(found.steal)
        )
    ]


GATE = Gate(
    code="steal",
    title=N_("processor time stolen"),
    meaning=N_("The hypervisor gave processor time to other guests; tails may be theirs."),
    remedy=N_("Use a dedicated machine or instance, or repeat at a quieter hour."),
    looks_at="CPU time that the hypervisor gave to others",
    verdicts={
        Verdict.WARN: f"above {numbers.percent(STEAL_WARN, 1)} and one jiffy of each processor, "
        "or not recorded",
        Verdict.INVALID: f"above {numbers.percent(STEAL_INVALID, 1)}",
    },
    loads=MEASURED,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Stolen,
    lines=_lines,
)

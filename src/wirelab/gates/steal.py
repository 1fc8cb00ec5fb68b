"""Processor time that the hypervisor gave to others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import RootModel

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.stats.fairness import WINDOWS, Fairness
from wirelab.stats.maxt import BLOCKS
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

STEAL_WARN, STEAL_INVALID = 0.01, 0.05
"""Share of CPU time that the hypervisor gave to others: at 1 % a p99 may be theirs, at 5 % a
p95."""

STEAL_TOO_MUCH = 0.10
"""From here on means are theirs by as much, where tails alone were withheld."""

_JIFFY_SECONDS = 0.01
"""The kernel counts in these, on each processor: by as much a share may be wrong."""

_BEYOND = (".p99", ".p99.9", ".max")

_HOW: Mapping[Fairness, str] = {
    Fairness.FAIR: N_("it came to all contenders alike, and is left out like other disturbances"),
    Fairness.TAKES_MORE: N_(
        "nothing is left out and tails are withheld: the host takes more when this contender works"
    ),
    Fairness.ELSEWHERE: N_(
        "nothing is left out and tails are withheld: the host takes more when another contender "
        "works"
    ),
    Fairness.TOO_LITTLE: N_(
        "nothing is left out and tails are withheld: too little to tell whether it comes to all "
        "contenders alike"
    ),
}


class NotRecorded(Strict):
    """Trials of which nothing is known."""

    not_recorded: list[str]


class Shares(Strict):
    """By trial: the share that was stolen; the worst; how it came, where that is known."""

    steal: dict[str, float]
    worst: float
    fairness: str = ""


class Stolen(RootModel[NotRecorded | Shares]):
    """One of the two: what was stolen, or that it is not known."""


def withheld_levels(trials: Sequence[TrialFacts]) -> tuple[tuple[str, ...], Fairness | None]:
    """Ends of the keys of figures that may be the hypervisor's, and why they are not left out."""
    how = _how(trials)
    share = _pooled(trials)
    if how in (None, Fairness.FAIR) or share <= STEAL_WARN:
        return (), None
    return (*_BEYOND, *((".p95",) if share > STEAL_INVALID else ())), how


def _how(trials: Sequence[TrialFacts]) -> Fairness | None:
    """All trials of a cell are of one table."""
    known = (trial.stolen.fairness for trial in trials if trial.stolen is not None)
    return next((one for one in known if one is not None), None)


def _pooled(trials: Sequence[TrialFacts]) -> float:
    """The share of all trials whose host was recorded."""
    known = [(one.stolen.share, one.window_seconds) for one in trials if one.stolen is not None]
    seconds = sum(length for _, length in known)
    return sum(share * length for share, length in known) / seconds if seconds else 0.0


def _check(cell: CellFacts) -> Iterator[TypedFinding[Stolen]]:
    """Steal time above 1 % warns, above 5 % is invalid. Its absence from the record warns.

    A share that one jiffy of each processor would make of a short window is none. Where the host
    was recorded it counts over all trials of the cell, and what it does is left out or withheld,
    so that figures are invalid above 10 % alone, and a remark where it was left out.
    """
    unknown = [trial.id for trial in cell.trials if not trial.record.environment]
    if unknown:
        yield TypedFinding(Verdict.WARN, Stolen(NotRecorded(not_recorded=unknown)), unknown)
    shares = {trial.id: share for trial in cell.trials if (share := _resolved(trial)) is not None}
    high = {trial: share for trial, share in shares.items() if share > STEAL_WARN}
    if not high:
        return
    worst = max(high.values())
    how = _how(cell.trials)
    if how is None:
        verdict = Verdict.INVALID if worst > STEAL_INVALID else Verdict.WARN
        yield TypedFinding(verdict, Stolen(Shares(steal=high, worst=worst)), list(high))
        return
    verdict = Verdict.VALID
    if how is not Fairness.FAIR:
        verdict = Verdict.INVALID if _pooled(cell.trials) > STEAL_TOO_MUCH else Verdict.WARN
    yield TypedFinding(
        verdict, Stolen(Shares(steal=high, worst=worst, fairness=str(how))), list(high)
    )


def _resolved(trial: TrialFacts) -> float | None:
    """The share of a trial; None where it is not known, or no more than a jiffy makes."""
    if trial.stolen is not None:
        share = trial.stolen.share
    elif trial.record.environment is not None:
        share = trial.record.environment.steal_ratio
    else:
        return None
    return share if share > _JIFFY_SECONDS / trial.window_seconds else None


def _lines(evidence: Stolen, words: Words) -> list[str]:
    _ = words.gettext
    found = evidence.root
    if isinstance(found, NotRecorded):
        unknown = len(found.not_recorded)
        return [_("steal time was not recorded (trials: {n})").format(n=unknown)]
    lines = [
        _("up to {share} of the processor time (trials: {n})").format(
            share=numbers.percent(found.worst), n=len(found.steal)
        )
    ]
    return [*lines, _(_HOW[Fairness(found.fairness)])] if found.fairness else lines


GATE = Gate(
    code="steal",
    title=N_("processor time stolen"),
    meaning=N_("The hypervisor gave processor time to other guests; tails may be theirs."),
    remedy=N_("Use a dedicated machine or instance, or repeat at a quieter hour."),
    looks_at="CPU time that the hypervisor gave to others",
    verdicts={
        Verdict.VALID: f"it came to all contenders of a table alike ({WINDOWS} windows of each and "
        f"{BLOCKS} blocks at least), and was left out",
        Verdict.WARN: f"above {numbers.percent(STEAL_WARN, 1)} and one jiffy of each processor, "
        "or not recorded",
        Verdict.INVALID: f"above {numbers.percent(STEAL_INVALID, 1)} of any trial; where p99 "
        f"(above {numbers.percent(STEAL_INVALID, 1)} also p95) was withheld instead, "
        f"{numbers.percent(STEAL_TOO_MUCH, 2)} of all trials",
    },
    loads=MEASURED,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Stolen,
    lines=_lines,
)

"""Windows that the monitor did not see whole."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


class UnwatchedSpan(Strict):
    """One trial: the longest part of its window without a look, and what became of the monitor."""

    seconds: float
    failure: str = Field(default="")


class UnwatchedTrials(Strict):
    """By trial: what was not seen."""

    trials: dict[str, UnwatchedSpan]


def _check(cell: CellFacts) -> Iterator[TypedFinding[UnwatchedTrials]]:
    """A part of the window longer than half a second without a look of the monitor warns. Figures
    of the rest would be wrong in silence: processor time and memory of that trial are left out.
    """
    unseen = {
        trial.id: UnwatchedSpan(seconds=round(seconds, 1), failure=trial.record.monitor_failure)
        for trial in cell.trials
        if (seconds := trial.unseen_seconds) is not None
    }
    if unseen:
        yield TypedFinding(Verdict.WARN, UnwatchedTrials(trials=unseen), list(unseen))


def _lines(evidence: UnwatchedTrials, words: Words) -> list[str]:
    return [_in_words(trial, unseen, words) for trial, unseen in evidence.trials.items()]


def _in_words(trial: str, unseen: UnwatchedSpan, words: Words) -> str:
    said = words.gettext("{trial}: nothing was seen for {seconds} s")
    line = said.format(trial=trial, seconds=numbers.brief(unseen.seconds))
    return f"{line} ({unseen.failure})" if unseen.failure else line


GATE = Gate(
    code="unwatched",
    title=N_("the monitor did not see the whole window"),
    meaning=N_("CPU and memory of these trials are left out, and what the host did is not known."),
    remedy=N_("Repeat; where it comes again, look at what stops or ends the monitor's process."),
    looks_at="times between the readings of the monitor, over the whole window",
    verdicts={Verdict.WARN: "more than 0.5 s without a reading"},
    loads=MEASURED,
    blames=(Blame.HARNESS,),
    concerns=Concern.RESOURCES,
    check=_check,
    evidence=UnwatchedTrials,
    lines=_lines,
)

"""Time in which other programs disturbed the host, and which figures therefore leave out."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from pydantic import Field

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY, LoadKind
from wirelab.metrics.naming import Naming
from wirelab.model.rankings import rankings
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.stats.fairness import CERTAIN, EXCESS, WINDOWS
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

MUCH, TOO_MUCH = 0.5, 0.8
"""Share of the measured time that is left out."""


class WithAndWithout(Strict):
    """One figure: of quiet time, and with what was disturbed."""

    quiet: float
    everything: float
    at_least: bool
    unit: str = "ms"


class Misses(Strict):
    """Deadline misses of an operation, and those that others may have disturbed."""

    missed: int
    beside: int


class Recovery(Strict):
    """Time from when others had run until what had queued up was done."""

    median_ms: float
    longest_ms: float


class DisturbedShare(Strict):
    """Share of the durations of a cell that is left out."""

    share: float
    trials: dict[str, float]
    figures: dict[str, WithAndWithout]
    attracted: bool = False
    """Others ran oftener while something slow of the contender was under way."""
    recovery: Recovery | None = None
    misses: dict[str, Misses] = Field(default={})
    """By operation, where there are any that may be the host's."""


def _check(cell: CellFacts) -> Iterator[TypedFinding[DisturbedShare]]:
    """Says what share of the time was disturbed: a remark up to half of it, a warning above that;
    above four fifths what is left is invalid, as it is where others came when it was slow.
    """
    trials = {trial.id: round(trial.left_out, 4) for trial in cell.trials if trial.left_out > 0}
    if not trials:
        return
    seconds = sum(trial.window_seconds for trial in cell.trials)
    share = sum(trial.left_out * trial.window_seconds for trial in cell.trials) / seconds
    verdict = Verdict.VALID
    if share > MUCH:
        verdict = Verdict.INVALID if share > TOO_MUCH else Verdict.WARN
    attracted = any(trial.attracts for trial in cell.trials)
    if attracted:
        verdict = Verdict.INVALID
    evidence = DisturbedShare(
        share=round(share, 4),
        trials=trials,
        figures=_figures(cell),
        attracted=attracted,
        recovery=_recovery(cell),
        misses=_misses(cell),
    )
    yield TypedFinding(verdict, evidence, list(trials))


def _figures(cell: CellFacts) -> dict[str, WithAndWithout]:
    """The figures by which contenders are ranked, as far as anything was left out of them."""
    names = [ranking.metric for ranking in rankings(cell.scenario)]
    return {
        name: WithAndWithout(
            quiet=metric.value,
            everything=metric.uncensored,
            at_least=metric.at_least,
            unit=metric.unit,
        )
        for name in names
        if (metric := cell.metrics.get(name)) is not None
        and metric.value is not None
        and metric.uncensored is not None
    }


def _recovery(cell: CellFacts) -> Recovery | None:
    found = [one for trial in cell.trials for one in trial.recoveries_ms]
    if not found:
        return None
    return Recovery(median_ms=round(median(found), 1), longest_ms=round(max(found), 1))


def _misses(cell: CellFacts) -> dict[str, Misses]:
    found: dict[str, Misses] = {}
    for name in cell.planned[0].operations:
        facts = [trial.operations[name] for trial in cell.trials]
        if beside := sum(of.missed_beside for of in facts):
            found[name] = Misses(missed=sum(of.missed for of in facts), beside=beside)
    return found


def _lines(evidence: DisturbedShare, words: Words) -> list[str]:
    _ = words.gettext
    left_out = _("{share} of the measured time is left out (trials: {n})").format(
        share=numbers.percent(evidence.share), n=len(evidence.trials)
    )
    beside = _("{metric}: {quiet} in quiet time, {everything} with what was disturbed")
    late = _(
        "{operation}: {beside} of {missed} deadline misses fall into time that others disturbed"
    )
    accused = _(
        "other programs ran oftener than by chance while slow operations of this contender were "
        "under way: what is left out may be of its own making"
    )
    recovered = _("quiet again {median} after others had run (median), {longest} at the most")
    recovery = [
        recovered.format(
            median=numbers.milliseconds(of.median_ms), longest=numbers.milliseconds(of.longest_ms)
        )
        for of in (evidence.recovery,)
        if of is not None
    ]
    return [
        left_out,
        *([accused] if evidence.attracted else []),
        *recovery,
        *(
            beside.format(
                metric=Naming(words).title(name),
                quiet=_shown(of.quiet, of.unit, at_least=of.at_least),
                everything=_shown(of.everything, of.unit, at_least=False),
            )
            for name, of in evidence.figures.items()
        ),
        *(
            late.format(operation=name, beside=f"{of.beside:,}", missed=f"{of.missed:,}")
            for name, of in evidence.misses.items()
        ),
    ]


def _shown(value: float, unit: str, *, at_least: bool) -> str:
    shown = numbers.milliseconds(value) if unit == "ms" else numbers.with_unit(value, unit)
    return numbers.at_least(shown) if at_least else shown


GATE = Gate(
    code="host-disturbed",
    title=N_("other programs disturbed the host for a time"),
    meaning=N_(
        "Operations that began while other programs ran are left out. Operations under way when "
        "other programs began are cut off there. Latencies are of quiet time, and less certain."
    ),
    remedy=N_("Stop other programs (`./wl doctor` names them), or measure for longer."),
    looks_at="windows of 100 ms in which threads outside of the trial ran for more than 5 ms (or "
    "steal was as much, and came to all alike), and the time after them until the queue was done",
    verdicts={
        Verdict.VALID: "any",
        Verdict.WARN: f"more than {numbers.percent(MUCH)} of the time",
        Verdict.INVALID: f"more than {numbers.percent(TOO_MUCH)} of the time; {WINDOWS} windows or "
        f"more, of which {numbers.percent(EXCESS)} more than by chance (p <= {CERTAIN}) began "
        "during an operation older than p95",
    },
    loads=ORDINARY | {LoadKind.CEILING},
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=DisturbedShare,
    lines=_lines,
)

"""Other programs, and a processor that changed its speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from wirelab.gates.facts import CellFacts, RunFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED, LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

FOREIGN_CORES = 0.05
"""CPU used by processes that are not the trial's, in cores."""

PRESSURE = 0.10
"""Share of the window in which some task waited for a CPU (PSI ``some``). The roles themselves
are in it: with as many threads as they like they wait for each other. So it is a sign only where
nobody recorded what others ran, which tells the two apart."""

CANARY = 0.05
"""Change of the time of a fixed loop: the processor itself ran at another speed."""

MUCH_SLOWER = 0.25
"""Change from which it warns. Up to that a processor's own clock goes up and down, from one trial
to the next (104 trials on a virtual machine: half of them within 1.12 and 1.21 times the fastest,
none between 1.32 and 1.85 but for three at 1.36 to 1.4); then another program has its core."""

Sign = Literal["foreign_cores", "pressure", "canary_change"]

_IN_WORDS: Mapping[Sign, str] = {
    "foreign_cores": N_("other programs used up to {worst} of a core (trials: {n})"),
    "pressure": N_("tasks waited for a processor up to {worst} of the time (trials: {n})"),
    "canary_change": N_("a fixed loop took up to {worst} longer or shorter (trials: {n})"),
}


class Neighbours(Strict):
    """By trial: the signs that spoke."""

    trials: dict[str, dict[Sign, float]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[Neighbours]]:
    """Foreign CPU above 5 % of a core, CPU pressure above 10 % (in runs that did not record what
    others ran), or the canary loop more than 25 % slower than the fastest tenth on such machines:
    warns; from 5 % on it is a remark. (Of runs that were stored without it: off the run's median,
    which beside a neighbour is the neighbour's.) Trials of which disturbed time was left out are a
    remark: how much that was decides (``host-disturbed``), and the canary met the same neighbours.
    Pressure tells nothing where the scenario limits a role's processor: who waits for its own share
    waits as one beside a neighbour does.
    """
    waits_for_itself = cell.scenario.variant(cell.planned[0].variant).limits_a_processor
    found = {trial.id: _signs(trial, cell.run) for trial in cell.trials}
    if waits_for_itself:
        found = {name: _without_pressure(signs) for name, signs in found.items()}
    disturbed = {name: signs for name, signs in found.items() if signs}
    if disturbed:
        in_figures = [disturbed.get(trial.id, {}) for trial in cell.trials if not trial.left_out]
        verdict = Verdict.WARN if any(map(_warns, in_figures)) else Verdict.VALID
        yield TypedFinding(verdict, Neighbours(trials=disturbed), list(disturbed))


def _signs(trial: TrialFacts, run: RunFacts) -> dict[Sign, float]:
    signs: dict[Sign, float] = {}
    environment = trial.record.environment
    if environment is None:
        return signs
    if environment.foreign_cpu > FOREIGN_CORES:
        signs["foreign_cores"] = environment.foreign_cpu
    others_known = trial.record.disturbed is not None
    if not others_known and environment.psi_cpu is not None and environment.psi_cpu > PRESSURE:
        signs["pressure"] = environment.psi_cpu
    if run.fastest_canary_ns:
        change = environment.canary_ns / run.fastest_canary_ns - 1
        if change > CANARY:
            signs["canary_change"] = change
    elif run.canary_ns:
        change = environment.canary_ns / run.canary_ns - 1
        if abs(change) > CANARY:
            signs["canary_change"] = change
    return signs


def _warns(signs: Mapping[Sign, float]) -> bool:
    others = signs.keys() - {"canary_change"}
    return bool(others) or abs(signs.get("canary_change", 0.0)) > MUCH_SLOWER


def _without_pressure(signs: Mapping[Sign, float]) -> dict[Sign, float]:
    return {sign: value for sign, value in signs.items() if sign != "pressure"}


def _lines(evidence: Neighbours, words: Words) -> list[str]:
    """The worst of each sign, with the number of trials that show it."""
    lines = []
    for sign, template in _IN_WORDS.items():
        seen = [abs(of[sign]) for of in evidence.trials.values() if sign in of]
        if seen:
            said = words.gettext(template)
            lines.append(said.format(worst=numbers.percent(max(seen)), n=len(seen)))
    return lines


GATE = Gate(
    code="noisy-neighbour",
    title=N_("other programs were running"),
    meaning=N_(
        "During the measurement other programs used the processor, or the processor changed its "
        "speed."
    ),
    remedy=N_("Stop other programs (`./wl doctor` names them), fix the clock speed, and repeat."),
    looks_at="CPU of other processes, pressure on the processors, and a fixed loop (the canary) "
    "against its fastest tenth on such machines",
    verdicts={
        Verdict.VALID: f"{numbers.percent(CANARY, 1)} slower; more, where what it disturbed was "
        "left out of every trial that shows it",
        Verdict.WARN: f"{numbers.percent(FOREIGN_CORES, 1)} of a core; "
        f"{numbers.percent(PRESSURE, 1)} of the window; {numbers.percent(MUCH_SLOWER, 1)} slower",
    },
    loads=MEASURED | {LoadKind.SEARCH},
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Neighbours,
    lines=_lines,
)

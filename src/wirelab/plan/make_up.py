"""Blocks that make up for trials lost to the host: which trials, in which order, for how long.

Everything is decided from the plan and from what was recorded of the host at the end of each
trial, before anybody looks at a figure, so that a run that was interrupted goes on as it would
have gone on. A trial lost to the host is repeated beside the reference contender; the reference's
own beside everybody of its block, none of whom has a ratio to it without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from wirelab.model.make_up import MakeUp
from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.until import Until
from wirelab.plan import order
from wirelab.plan.load import seconds_with_starts

LOST = 0.5
"""Share of a trial's time in which others ran too much; above it the trial is lost to the host."""

_SHARE = 0.5
"""Share of the planned time that making up for lost trials may take, unless the user says."""


@dataclass(frozen=True)
class MakeUpOutcome:
    """Consequence of an ended trial for making up."""

    lost: bool
    took_ns: int


def may_be_lost(trial: PlannedTrial, scenario: Scenario) -> bool:
    """Whether another trial makes up for this one where the host takes it.

    No host disturbs a count of instructions; a search repeats its probes itself, by a rule of its
    own; what warms a session up is in no figure.
    """
    return trial.included and trial.probe is None and not scenario.counts_instructions


def make_up_of(
    plan: Iterable[PlannedTrial],
    scenarios: Mapping[str, Scenario],
    until: Until | None,
    asked_ns: int | None,
) -> MakeUp | None:
    """The rule of a run: for as long as was asked for (0: never), or for half of the planned time.

    None where nothing is made up for.
    """
    able = [trial for trial in plan if may_be_lost(trial, scenarios[trial.scenario])]
    if not able or asked_ns == 0:
        return None
    if asked_ns is None:
        planned = until.at_most_ns if until is not None else _expected_ns(able)
        asked_ns = max(1, round(_SHARE * planned))
    return MakeUp(at_most_ns=asked_ns)


def owed_block(run: Run, outcomes: Mapping[str, MakeUpOutcome]) -> list[PlannedTrial]:
    """The next block that makes up for trials lost to the host, by how those that ended did.

    Empty where none was lost that has not been repeated, and where the time does not suffice.
    """
    if run.make_up is None:
        return []
    chosen = _lost_of_a_scenario(run, outcomes)
    if not chosen:
        return []
    block = [*chosen, *_beside(chosen, run)]
    needed = sum(_needed_ns(trial, run.plan, outcomes) for trial in block)
    spent = sum(outcomes[t.id].took_ns for t in run.plan if t.make_up and t.id in outcomes)
    if spent + needed > run.make_up.at_most_ns:
        return []
    all_of_it = sum(outcome.took_ns for outcome in outcomes.values())
    if run.until is not None and all_of_it + needed > run.until.at_most_ns:
        return []
    lost = {trial.id for trial in chosen}
    return order.make_up_block(block, lost, run.plan, run.disclosure.seed)


def _lost_of_a_scenario(run: Run, outcomes: Mapping[str, MakeUpOutcome]) -> list[PlannedTrial]:
    """The first lost trial of each cell of the first scenario that has any."""
    repeated = {trial.repeats for trial in run.plan if trial.repeats}
    lost = [
        trial
        for trial in run.plan
        if trial.id in outcomes
        and outcomes[trial.id].lost
        and trial.id not in repeated
        and may_be_lost(trial, run.scenarios[trial.scenario])
    ]
    first: dict[str, PlannedTrial] = {}
    for trial in lost:
        if trial.scenario == lost[0].scenario:
            first.setdefault(trial.cell, trial)
    return list(first.values())


def _beside(chosen: Sequence[PlannedTrial], run: Run) -> list[PlannedTrial]:
    """Trials that were not lost and are repeated so that each lost one has its company."""
    have = {trial.cell for trial in chosen}
    found: dict[str, PlannedTrial] = {}
    for trial in chosen:
        compared = [t for t in run.plan if t.included and _are_compared(t, trial, run)]
        reference = _reference(compared, run)
        if trial.contender == reference:
            company = [t for t in compared if t.block == trial.block]
        else:
            company = [t for t in compared if t.contender == reference]
        for one in company:
            if one.cell not in have:
                found.setdefault(one.cell, one)
    return list(found.values())


def _are_compared(one: PlannedTrial, other: PlannedTrial, run: Run) -> bool:
    """Whether two trials are of cells that are ranked together, or one of a reference."""
    places = [(trial.scenario, trial.variant, trial.generator) for trial in (one, other)]
    if places[0] != places[1]:
        return False
    own, others = (run.participants[trial.contender].manifest for trial in (one, other))
    if own.reference or others.reference:
        return True
    scenario = run.scenarios[one.scenario]
    return scenario.company_of(own) == scenario.company_of(others)


def _reference(compared: Iterable[PlannedTrial], run: Run) -> str:
    """The baseline of the run, else one that is never ranked, else the first of the run."""
    contenders = {trial.contender for trial in compared}
    references = [n for n, found in run.participants.items() if found.manifest.reference]
    baselines = run.until.baselines if run.until is not None else []
    named = (*baselines, *references, *run.participants)
    return next(name for name in named if name in contenders)


def _needed_ns(
    trial: PlannedTrial, plan: Iterable[PlannedTrial], outcomes: Mapping[str, MakeUpOutcome]
) -> float:
    """Average time that trials of the same cell have taken so far."""
    took = [outcomes[t.id].took_ns for t in plan if t.cell == trial.cell and t.id in outcomes]
    known = [one for one in took if one > 0]
    return mean(known) if known else _expected_ns([trial])


def _expected_ns(trials: Sequence[PlannedTrial]) -> float:
    return seconds_with_starts(trials) * 1e9

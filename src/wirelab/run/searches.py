"""Carrying out the searches of a run: probe after probe, each a trial that the plan gains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from wirelab.model.capacity import Probe, Search
from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.plan.probes import SearchOf, searches_of

JudgedProbe = Callable[[PlannedTrial], Probe | None]
"""The outcome of a probe by its record; None while it has none."""


class SearchWatcher(Protocol):
    """Someone who is told how searches go."""

    def adding(self, trial: PlannedTrial) -> None:
        """A trial that was not planned is added: a probe of a search, or one of a further block."""

    def probed(self, trial: PlannedTrial, probe: Probe) -> None:
        """A probe was judged."""

    def searched(self, trial: PlannedTrial, found: Search) -> None:
        """A search has ended; ``trial`` is its first probe."""


class Trials(Protocol):
    """The run that probes are trials of."""

    def next_place(self) -> tuple[int, int]:
        """Place and seed of the next trial of the plan."""

    def append(self, trial: PlannedTrial) -> None:
        """Put a trial at the end of the plan, and keep the plan."""

    def carry_out_once(self, trial: PlannedTrial) -> None:
        """Carry a trial out, unless it has happened."""


def carry_out_searches(
    run: Run, trials: Trials, judged: JudgedProbe, watcher: SearchWatcher
) -> None:
    """Every search of the plan, one after the other.

    A search asks for the same loads whenever the outcomes are the same, so one that was
    interrupted goes through its records again and on from where they end.
    """
    for name, scenario in run.scenarios.items():
        measure = scenario.profiles.get(run.profile)
        if scenario.capacity is None or measure is None:
            continue
        own = [trial for trial in run.plan if trial.scenario == name]
        for wanted in searches_of(own, scenario, measure):
            _carry_out(wanted, trials, judged, watcher)


def _carry_out(
    wanted: SearchOf, trials: Trials, judged: JudgedProbe, watcher: SearchWatcher
) -> None:
    # MLRsearch takes a second to load, and only those who search need it.
    from wirelab.capacity.search import search

    def ask(load: int, number: int, again: bool) -> Probe | None:
        trial = wanted.probes.get((number, load, again))
        if trial is None:
            position, seed = trials.next_place()
            trial = wanted.next((number, load, again), position, seed)
            trials.append(trial)
            watcher.adding(trial)
        trials.carry_out_once(trial)
        probe = judged(trial)
        if probe is not None:
            watcher.probed(trial, probe)
        return probe

    watcher.searched(wanted.first, search(wanted.goal, ask))

"""Carrying out a plan: trial after trial, reruns where a cell is unstable, resuming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from wirelab.model.run import PlannedTrial, TrialRecord, TrialStatus
from wirelab.plan import order
from wirelab.processes import leftovers
from wirelab.processes.guardian import Guardian, session_of
from wirelab.processes.interrupts import terminated_as_interrupted
from wirelab.run.retries import failures_before, is_over
from wirelab.run.searches import JudgedProbe, SearchWatcher, carry_out_searches
from wirelab.samples.run_folder import RunFolder
from wirelab.trial.roles import Stage
from wirelab.trial.trial import Trial


class StagesOf(Protocol):
    """Knows what a trial needs to be carried out."""

    def of(self, trial: PlannedTrial, run: str) -> Stage:
        """Its scenario, and how its roles are started."""


class Watcher(SearchWatcher, Protocol):
    """Someone who is told how a run goes."""

    def planned(self, trials: Sequence[PlannedTrial], done: int) -> None:
        """The trials of the run, ``done`` of which an earlier session carried out."""

    def trial_started(self, trial: PlannedTrial) -> None:
        """A trial begins."""

    def trial_ended(self, record: TrialRecord) -> None:
        """A trial has ended and is kept."""

    def rerunning(self, trials: Sequence[PlannedTrial]) -> None:
        """Cells were unstable: one more trial of each follows."""


class InterruptedRun(Exception):  # noqa: N818 - a stop the user asked for is no error
    """The run was interrupted; finished trials are kept."""


class Session:
    """One run, from its plan to the last record."""

    def __init__(self, folder: RunFolder, stages: StagesOf, watcher: Watcher) -> None:
        self._folder = folder
        self._stages = stages
        self._watcher = watcher
        self._run = folder.read_run()
        self._session = session_of(self._run.id)

    def carry_out(
        self, unstable: Callable[[], list[str]], judged: JudgedProbe = lambda _: None
    ) -> None:
        """All trials of the plan that are not over yet, then reruns of ``unstable`` cells, then
        the searches for capacities.

        ``unstable`` names the cells that need another trial, judged from the records so far;
        ``judged`` is the outcome of a probe. Raises InterruptedRun after Ctrl-C or SIGTERM.
        """
        over = [trial for trial in self._run.plan if self._is_over(trial)]
        pending = [trial for trial in self._run.plan if trial not in over]
        self._watcher.planned([*over, *pending], len(over))
        leftovers.adopt_orphans()
        try:
            with terminated_as_interrupted(), Guardian(self._session):
                for trial in pending:
                    if trial.probe is None:
                        self._carry_out(trial)
                while extra := self._reruns(unstable()):
                    self._watcher.rerunning(extra)
                    for trial in extra:
                        self._carry_out(trial)
                carry_out_searches(self._run, self, judged, self._watcher)
        except KeyboardInterrupt:
            raise InterruptedRun from None

    def _is_over(self, trial: PlannedTrial) -> bool:
        record = self._folder.read_record(trial.id)
        return is_over(record, self._run.scenarios[trial.scenario])

    def _carry_out(self, trial: PlannedTrial) -> None:
        folder = self._folder.trial(trial.id)
        earlier = failures_before(self._folder.read_record(trial.id))
        # What an attempt left that was interrupted, or failed by the host, is no trial.
        self._folder.begin_anew(folder)
        self._watcher.trial_started(trial)
        stage = replace(self._stages.of(trial, self._session), inputs=self._inputs(trial))
        record = Trial(trial, stage, folder).run().model_copy(update={"earlier": earlier})
        self._folder.write_record(record)
        self._watcher.trial_ended(record)
        if record.status is TrialStatus.INTERRUPTED:
            raise KeyboardInterrupt

    def _inputs(self, trial: PlannedTrial) -> tuple[dict[str, Any], ...]:
        """What contenders answered in the scenario that this trial's scenario reads."""
        wanted = self._run.scenarios[trial.scenario].reads
        if wanted is None:
            return ()
        role = self._run.scenarios[wanted].measured_role
        given: dict[str, dict[str, Any]] = {}
        for other in self._run.plan:
            record = self._folder.read_record(other.id) if other.scenario == wanted else None
            if record is not None and record.status is TrialStatus.OK:
                given[other.contender] = {
                    "contender": other.contender,
                    "facts": record.roles[role].ready.get("facts", {}),
                    "answers": str(self._folder.trial(other.id) / f"{role}.answers.jsonl"),
                }
        return tuple(given.values())

    def _reruns(self, cells: list[str]) -> list[PlannedTrial]:
        chosen = []
        for cell in cells:
            trials = [trial for trial in self._run.plan if trial.cell == cell]
            scenario = self._run.scenarios[trials[0].scenario]
            allowed = scenario.profiles[self._run.profile].reruns
            if sum(trial.rerun for trial in trials) < allowed:
                chosen.append(trials[0])
        if chosen:
            last = self._run.plan[-1]
            extra = order.rerun(
                chosen, last.position + 1, last.block + 1, self._run.disclosure.seed
            )
            self._append(extra)
            return extra
        return []

    def _append(self, extra: Sequence[PlannedTrial]) -> None:
        self._run = self._run.model_copy(update={"plan": [*self._run.plan, *extra]})
        self._folder.write_run(self._run)

    # ------------------------------------------------------------------ for its searches

    def next_place(self) -> tuple[int, int]:
        """Place of the next trial of the plan, and its seed."""
        position = self._run.plan[-1].position + 1
        return position, order.trial_seed(self._run.disclosure.seed, position)

    def append(self, trial: PlannedTrial) -> None:
        """Put a trial at the end of the plan, and keep the plan."""
        self._append([trial])

    def carry_out_once(self, trial: PlannedTrial) -> None:
        """Carry a trial out, unless it is over."""
        if not self._is_over(trial):
            self._carry_out(trial)

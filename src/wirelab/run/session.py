"""Carrying out a plan: trial after trial, reruns where a cell is unstable, resuming."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.monitor.foreign import disturbed_share
from wirelab.plan import order
from wirelab.plan.make_up import LOST, MakeUpOutcome, owed_block
from wirelab.processes import leftovers
from wirelab.processes.guardian import Guardian, session_of
from wirelab.processes.interrupts import terminated_as_interrupted
from wirelab.run.retries import failures_before, is_over
from wirelab.run.searches import JudgedProbe, SearchWatcher, carry_out_searches
from wirelab.run.until import LookWatcher, Widths, add_blocks, with_block
from wirelab.samples.run_folder import RunFolder
from wirelab.samples.stored import UnreadableFileError
from wirelab.trial.setup import TrialSetup
from wirelab.trial.trial import Trial


class SetupsOfTrials(Protocol):
    """Knows what a trial needs to be carried out."""

    def of(self, trial: PlannedTrial, run: str) -> TrialSetup:
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

    def making_up(self, trials: Sequence[PlannedTrial]) -> None:
        """Trials were lost to the host: a block that makes up for them follows."""


class InterruptedRun(Exception):  # noqa: N818 - a stop the user asked for is no error
    """The run was interrupted; finished trials are kept."""


@dataclass(frozen=True)
class Looks:
    """Needs of a run that adds blocks: a function that tells how closely its ratios are known, and
    a listener.
    """

    widths: Widths
    watcher: LookWatcher


_NO_LOOKS = Looks(widths=list, watcher=lambda _until, _own, _seconds: None)


@contextmanager
def guarded(*run_ids: str) -> Iterator[None]:
    """Carry trials of these runs out: a guardian ends what this process would leave of each.

    Raises InterruptedRun after Ctrl-C or SIGTERM.
    """
    leftovers.adopt_orphans()
    try:
        with ExitStack() as guardians:
            guardians.enter_context(terminated_as_interrupted())
            for run_id in run_ids:
                guardians.enter_context(Guardian(session_of(run_id)))
            yield
    except KeyboardInterrupt:
        raise InterruptedRun from None


class Session:
    """One run, from its plan to the last record."""

    def __init__(self, folder: RunFolder, setups: SetupsOfTrials, watcher: Watcher) -> None:
        self._folder = folder
        self._setups = setups
        self._watcher = watcher
        self._run = folder.read_run()
        self._session = session_of(self._run.id)
        self._outcomes: dict[str, MakeUpOutcome] = {}

    def carry_out(
        self,
        unstable: Callable[[], list[str]],
        judged: JudgedProbe = lambda _: None,
        looks: Looks = _NO_LOOKS,
    ) -> None:
        """All trials of the plan that are not over yet, then the blocks that its rule adds, those
        that make up for trials lost to the host, reruns of ``unstable`` cells, and the searches
        for capacities.

        ``unstable`` names the cells that need another trial, judged from the samples so far, and is
        asked where the profile has any; ``judged`` is the outcome of a probe. Raises InterruptedRun
        after Ctrl-C or SIGTERM.
        """
        over = [trial for trial in self._run.plan if self._is_over(trial)]
        names = {trial.id for trial in over}
        pending = [trial for trial in self._run.plan if trial.id not in names]
        self._watcher.planned([*over, *pending], len(over))
        with guarded(self._run.id):
            for trial in pending:
                if trial.probe is None:
                    self._carry_out(trial)
            self._add_blocks(looks)
            self.make_up()
            while extra := self._reruns(unstable):
                self._watcher.rerunning(extra)
                for trial in extra:
                    self._carry_out(trial)
                self.make_up()
            carry_out_searches(self._run, self, judged, self._watcher)

    def _is_over(self, trial: PlannedTrial) -> bool:
        record = self._folder.read_record(trial.id)
        return is_over(record, self._run.scenarios[trial.scenario])

    def _carry_out(self, trial: PlannedTrial) -> None:
        folder = self._folder.trial(trial.id)
        earlier = failures_before(self._folder.read_record(trial.id))
        # What an attempt left that was interrupted, or failed by the host, is no trial.
        self._folder.begin_anew(folder)
        self._watcher.trial_started(trial)
        setup = replace(self._setups.of(trial, self._session), inputs=self._inputs(trial))
        began_ns = time.monotonic_ns()
        ended = Trial(trial, setup, folder).run()
        took_ns = time.monotonic_ns() - began_ns
        record = ended.model_copy(
            update={"earlier": earlier, "took_ns": took_ns, **self._by_the_host(ended)}
        )
        self._folder.write_record(record)
        self._outcomes[trial.id] = MakeUpOutcome(record.lost, took_ns)
        self._watcher.trial_ended(record)
        if record.status is TrialStatus.INTERRUPTED:
            raise KeyboardInterrupt

    def _by_the_host(self, record: TrialRecord) -> dict[str, Any]:
        """Judge how much of a trial others disturbed, and whether that is too much: from the record
        of the host, before anybody looks at a figure.
        """
        if record.status is not TrialStatus.OK or record.window_ns is None:
            return {}
        try:
            share = disturbed_share(self._folder.trial(record.planned.id), *record.window_ns)
        except UnreadableFileError:  # told by the analysis, with the trial's other files
            share = None
        # No host takes a count of instructions.
        takes = not self._run.scenarios[record.planned.scenario].counts_instructions
        return {"disturbed": share, "lost": takes and share is not None and share > LOST}

    def _inputs(self, trial: PlannedTrial) -> tuple[dict[str, Any], ...]:
        """Answers of contenders in the scenario that this trial's scenario reads."""
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

    def _reruns(self, unstable: Callable[[], list[str]]) -> list[PlannedTrial]:
        """One more trial of each unstable cell; samples are read where a profile allows any."""
        measures = (one.profiles.get(self._run.profile) for one in self._run.scenarios.values())
        if not any(measure.reruns for measure in measures if measure is not None):
            return []
        chosen = []
        for cell in unstable():
            trials = [trial for trial in self._run.plan if trial.cell == cell]
            scenario = self._run.scenarios[trials[0].scenario]
            allowed = scenario.profiles[self._run.profile].reruns
            if sum(trial.rerun for trial in trials) < allowed:
                chosen.append(trials[0])
        if chosen:
            extra = order.rerun(chosen, self._run.plan, self._run.disclosure.seed)
            self._append(extra)
            return extra
        return []

    def _append(self, extra: Sequence[PlannedTrial]) -> None:
        self._keep(self._run.model_copy(update={"plan": [*self._run.plan, *extra]}))

    def _keep(self, run: Run) -> None:
        self._run = run
        self._folder.write_run(run)

    # ------------------------------------------------------------------ for blocks that are added

    def _add_blocks(self, looks: Looks) -> None:
        """Blocks by the rule of the run, where it has one that has not stopped it yet."""
        until = self._run.until
        if until is None or until.stopped_by is not None:
            return
        stopped = add_blocks(self, until, looks.widths, looks.watcher)
        kept = until.model_copy(update={"stopped_by": stopped})
        self._keep(self._run.model_copy(update={"until": kept}))

    @property
    def run(self) -> Run:
        """As it is planned by now."""
        return self._run

    def took_ns(self, trials: Iterable[PlannedTrial]) -> int:
        """Time that these trials have taken."""
        outcomes = (self._outcome(trial) for trial in trials)
        return sum(outcome.took_ns for outcome in outcomes if outcome is not None)

    def _outcome(self, trial: PlannedTrial) -> MakeUpOutcome | None:
        if trial.id not in self._outcomes:
            record = self._folder.read_record(trial.id)
            if record is None:
                return None
            self._outcomes[trial.id] = MakeUpOutcome(record.lost, record.took_ns or 0)
        return self._outcomes[trial.id]

    def make_up(self) -> None:
        """Carry blocks out that make up for what was lost to the host, while there is time."""
        while block := self._owed():
            self._append(block)
            self._watcher.making_up(block)
            for trial in block:
                self._carry_out(trial)

    def _owed(self) -> list[PlannedTrial]:
        known = ((trial.id, self._outcome(trial)) for trial in self._run.plan)
        return owed_block(self._run, {name: one for name, one in known if one is not None})

    def carry_out_block(self, scenario: str) -> None:
        """Put one more block of a scenario into the plan, and carry it out."""
        position = self._run.plan[-1].position + 1
        block = order.further_block(scenario, self._run.plan, position, self._run.disclosure.seed)
        self._keep(with_block(self._run, block))
        for trial in block:
            self._watcher.adding(trial)
        for trial in block:
            self._carry_out(trial)

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

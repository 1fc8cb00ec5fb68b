"""The analysis of a run folder: ``result.json`` and ``series.json`` from what trials left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from wirelab.cells.ceilings import ceiling_of, null_delay_of
from wirelab.cells.cell import judged
from wirelab.cells.cell_figures import Figures, figures_of
from wirelab.cells.fairness import HostFairness
from wirelab.cells.lost import lost_trials
from wirelab.cells.measured import trial_mean
from wirelab.cells.microbenchmark.floors import floors_of
from wirelab.cells.ranks import ranked
from wirelab.cells.recorded import RecordedTrial, recorded_cells
from wirelab.cells.trial_files import TrialFiles
from wirelab.cells.verdicts import Verdicts
from wirelab.cells.widths import widths
from wirelab.gates.facts import PlacedMean, RunFacts, main_operation
from wirelab.gates.unstable import is_unstable
from wirelab.metrics.catalogue import CORE
from wirelab.model.file_system import FileSystem
from wirelab.model.make_up import LostTrials
from wirelab.model.result import Result, Series
from wirelab.model.run import Run
from wirelab.model.trial import TrialStatus
from wirelab.plan.make_up import MakeUpOutcome, owed_block
from wirelab.plan.order import included_blocks
from wirelab.samples.run_folder import RunFolder

_Ended = tuple[str, ...]
"""The trials of a cell, how and when each ended, and what of it is left out."""


def analyse(run_dir: Path) -> tuple[Result, Series]:
    """Analyse a run, finished or not, and write ``result.json`` and ``series.json`` into it.

    Raises ``wirelab.samples.run_folder.NoSuchRunError`` where there is no run. Trials that are
    missing or failed are named in their cells; the same folder always gives the same figures.
    """
    return Analysis(run_dir).result()


class Analysis:
    """The analysis of a run that fills: a cell is measured anew where one of its trials ended."""

    def __init__(self, run_dir: Path) -> None:
        self._folder = RunFolder(run_dir)
        self._known: dict[str, tuple[_Ended, Figures]] = {}
        self._fairness = HostFairness()

    def result(self) -> tuple[Result, Series]:
        """As ``analyse``, of what the folder holds now."""
        run = self._folder.read_run()
        recorded = self._fairness.judged(recorded_cells(self._folder.path, run), run)
        figures = self._figures(recorded, run)
        result, series = _composed(run, recorded, figures)
        self._folder.write_result(result, series)
        return result, series

    def _figures(
        self, recorded: Mapping[str, Sequence[RecordedTrial]], run: Run
    ) -> dict[str, Figures]:
        """Figures of every cell. The cells of a trial's steps follow each other, and share its
        files.
        """
        found: dict[str, Figures] = {}
        held: set[TrialFiles] = set()
        for cell, trials in recorded.items():
            files = {trial.files for trial in trials}
            if not files <= held:
                for one in held:
                    one.forget()
                held = files
            ended = tuple(_ended(trial) for trial in trials)
            if cell not in self._known or self._known[cell][0] != ended:
                self._known[cell] = ended, figures_of(trials, run)
            found[cell] = self._known[cell][1]
        for one in held:
            one.forget()
        return found


def _ended(trial: RecordedTrial) -> str:
    record = trial.record
    how = f"{record.status} {record.ended_ns}" if record is not None else ""
    return f"{trial.planned.id} {how} {trial.is_made_up_for} {trial.steal} {trial.attracts}"


def _composed(
    run: Run, recorded: Mapping[str, Sequence[RecordedTrial]], figures: Mapping[str, Figures]
) -> tuple[Result, Series]:
    """The result of a run whose cells have these figures."""
    lost = lost_trials(run, (trial for trials in recorded.values() for trial in trials))
    facts = _run_facts(run, recorded.values(), figures.values(), lost)
    catalogue = CORE.with_own(run.metrics or {})
    verdicts = {name: Verdicts.of(one, catalogue) for name, one in run.scenarios.items()}
    both = [
        judged(
            of_cell,
            run,
            facts,
            verdicts[of_cell.recorded[0].planned.scenario],
            floors=floors_of(of_cell, figures.values(), run),
            ceiling=ceiling_of(of_cell, figures.values(), run),
            null_delay=null_delay_of(of_cell, figures.values(), run),
        )
        for of_cell in figures.values()
    ]
    contenders = {name: found.manifest for name, found in run.participants.items()}
    cells = ranked([cell for cell, _ in both], run.scenarios, contenders)
    result = Result(
        run=run.id,
        suite=run.suite,
        suite_title=run.suite_title,
        profile=run.profile,
        complete=all(_is_complete(of_cell) for of_cell in figures.values())
        and (run.until is None or run.until.stopped_by is not None)
        and not _owes(run, recorded.values()),
        metrics=run.metrics,
        modes=run.modes,
        scenarios=run.scenarios,
        services=run.services,
        generators=run.generators,
        participants=run.participants,
        runtimes=_runtimes(run, recorded.values()),
        cells=cells,
        until=run.until,
        widths=[]
        if run.until is None
        else widths(cells, run.until, run.scenarios, contenders, included_blocks(run.plan)),
        lost=lost,
        file_systems=_file_systems(recorded.values()),
        disclosure=run.disclosure,
    )
    series = Series(cells={cell.id: drawn for cell, (_, drawn) in zip(cells, both, strict=True)})
    return result, series


def unstable_cells(run_dir: Path) -> list[str]:
    """Cells whose trials vary too much so far, for the runner to add trials to."""
    run = RunFolder(run_dir).read_run()
    unstable = []
    for cell, trials in recorded_cells(run_dir, run).items():
        planned = trials[0].planned
        if cell != planned.cell:
            continue  # a step is repeated with its whole schedule or not at all
        scenario = run.scenarios[planned.scenario]
        if scenario.measures_load:
            name = main_operation(scenario, planned.operations)
            means = [trial_mean(trial, scenario, name) for trial in trials if trial.counts]
            if is_unstable(scenario.bounds, [mean for mean in means if mean is not None]):
                unstable.append(cell)
    return unstable


def _runtimes(run: Run, recorded: Iterable[Sequence[RecordedTrial]]) -> dict[str, str]:
    """Runtimes of the contenders, from the first trial of each that names one."""
    runtimes: dict[str, str] = {}
    for trial in (trial for trials in recorded for trial in trials):
        role = run.scenarios[trial.planned.scenario].subject_role
        for record in trial.record.processes_of(role) if trial.record is not None else ():
            if runtime := record.ready.get("runtime"):
                said = f"{runtime['name']} {runtime['version']}".strip()
                runtimes.setdefault(trial.planned.contender, said)
    return runtimes


def _file_systems(recorded: Iterable[Sequence[RecordedTrial]]) -> list[FileSystem]:
    """Every file system that roles wrote to, in the order of their types."""
    found = {
        trial.record.file_system
        for trials in recorded
        for trial in trials
        if trial.record is not None and trial.record.file_system is not None
    }
    return sorted(found, key=lambda one: (one.type, one.syncs_nothing))


def _run_facts(
    run: Run,
    recorded: Iterable[Sequence[RecordedTrial]],
    figures: Collection[Figures],
    lost: Iterable[LostTrials],
) -> RunFacts:
    environments = [
        trial.record.environment
        for trials in recorded
        for trial in trials
        if trial.record is not None and trial.record.environment is not None
    ]
    cpus = run.disclosure.host.get("cpus")
    fastest = run.disclosure.host.get("canary_fastest_ns")
    return RunFacts(
        cpus=cpus if isinstance(cpus, int) else None,
        canary_ns=median(e.canary_ns for e in environments) if environments else None,
        fastest_canary_ns=fastest if isinstance(fastest, int) and fastest > 0 else None,
        placed_means=_placed_means(run, figures),
        lost={one.contender: one for one in lost},
    )


def _placed_means(run: Run, figures: Iterable[Figures]) -> Mapping[str, tuple[PlacedMean, ...]]:
    placed: dict[str, list[PlacedMean]] = {}
    for of_cell in figures:
        if of_cell.recorded[0].step:
            continue  # the trial is placed once
        name = of_cell.recorded[0].planned.scenario
        placed.setdefault(name, []).extend(of_cell.placed_means(run.scenarios[name]))
    return {name: tuple(sorted(means)) for name, means in placed.items()}


def _is_complete(figures: Figures) -> bool:
    """Whether all of a cell's trials happened, and all that its searches would still ask for."""
    happened = all(_happened(trial) for trial in figures.recorded)
    return happened and all(search.ending != "unfinished" for search in figures.searches)


def _owes(run: Run, recorded: Iterable[Sequence[RecordedTrial]]) -> bool:
    """Whether the run would go on to make up for trials that the host took."""
    records = [trial.record for trials in recorded for trial in trials]
    ended = {
        record.planned.id: MakeUpOutcome(record.lost, record.took_ns or 0)
        for record in records
        if record is not None
    }
    return bool(owed_block(run, ended))


def _happened(trial: RecordedTrial) -> bool:
    return trial.record is not None and trial.record.status is not TrialStatus.INTERRUPTED

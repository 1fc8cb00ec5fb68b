"""The cell of a search for a capacity: its probes judged by the ruler of every other trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from wirelab.capacity.found import FAILED, REMARK, VERIFIED
from wirelab.capacity.judgement import Evidence, TakenByOthers, judge
from wirelab.cells.by_block import NO_GROUPS
from wirelab.cells.estimate import metrics_of
from wirelab.cells.figures import of_trials, total
from wirelab.cells.measured import MeasuredTrial, measure
from wirelab.cells.metrics import load_estimates
from wirelab.cells.recorded import RecordedTrial, recorded_trial
from wirelab.gates.catalogue import findings_of
from wirelab.gates.facts import CellFacts, RunFacts, TrialFacts
from wirelab.gates.signs import signs_of
from wirelab.model.blame import failed_by_others
from wirelab.model.capacity import Capacity, CapacityFound, Probe, Search
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Finding, Metric
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.trial import TrialStatus
from wirelab.plan.probes import SearchOf, searches_of
from wirelab.samples.run_folder import RunFolder

NO_SAMPLES = ("no-samples", "no samples were kept")
NONE_HELD, NONE_FAILED = "none-held", "none-failed"


@dataclass(frozen=True)
class FoundCapacity:
    """Outcome of the probes of a cell: facts of those that were measured, and the searches."""

    facts: tuple[TrialFacts, ...]
    metrics: dict[str, Metric]
    searches: tuple[Search, ...]
    remarks: dict[str, Any]


def judged_probe(run_dir: Path, planned: PlannedTrial) -> Probe | None:
    """The outcome of a probe by what its trial left; None while it has no record."""
    run = RunFolder(run_dir).read_run()
    found = _looked_at(recorded_trial(RunFolder(run_dir), run, planned), run)
    return found[0] if found else None


def capacity_of(recorded: Sequence[RecordedTrial], run: Run) -> FoundCapacity:
    """Go through the searches of a cell again, by their records alone."""
    # MLRsearch takes a second to load, and only those who search need it.
    from wirelab.capacity.search import search

    scenario, capacity = _asked(run, recorded[0].planned)
    by_trial = {trial.planned.id: trial for trial in recorded}
    measured: list[TrialFacts] = []

    def replayed(wanted: SearchOf) -> Search:
        def ask(load: int, number: int, again: bool) -> Probe | None:
            planned = wanted.probes.get((number, load, again))
            found = _looked_at(by_trial[planned.id], run) if planned else None
            if found is None:
                return None
            if found[1] is not None:
                measured.append(found[1])
            return found[0]

        return search(wanted.goal, ask)

    plan = [trial.planned for trial in recorded]
    measure_of = scenario.profiles[run.profile]
    searches = tuple(replayed(wanted) for wanted in searches_of(plan, scenario, measure_of))
    found = CapacityFound(parameter=capacity.parameter, searches=list(searches))
    return FoundCapacity(
        facts=tuple(measured),
        metrics=_metrics(searches, scenario),
        searches=searches,
        remarks={REMARK: found.model_dump(mode="json")},
    )


def _metrics(searches: Sequence[Search], scenario: Scenario) -> dict[str, Metric]:
    """One value a search, where other metrics have one a trial; the remarks tell of each."""
    verified = [float(s.verified) if s.verified is not None else None for s in searches]
    failed = [float(s.failed) if s.failed is not None else None for s in searches]
    figures = {
        VERIFIED: of_trials(verified, absent=NONE_HELD),
        FAILED: of_trials(failed, absent=NONE_FAILED),
    }
    return metrics_of({n: replace(one, per_trial=()) for n, one in figures.items()}, scenario)


def _asked(run: Run, planned: PlannedTrial) -> tuple[Scenario, Capacity]:
    scenario = run.scenarios[planned.scenario]
    if scenario.capacity is None:
        raise ValueError(f"{planned.id} is no probe: its scenario searches no capacity")
    return scenario, scenario.capacity


def _looked_at(trial: RecordedTrial, run: Run) -> tuple[Probe, TrialFacts | None] | None:
    """A probe with its outcome, and its facts where it was measured."""
    record, planned = trial.record, trial.planned
    if record is None or record.status is TrialStatus.INTERRUPTED or planned.probe is None:
        return None
    scenario, capacity = _asked(run, planned)
    load = planned.probe.load
    if not trial.counts:
        failed = record.status is TrialStatus.FAILED
        failure = (record.reason, record.detail) if failed else NO_SAMPLES
        by_others = failed_by_others(record, scenario)
        evidence = Evidence(planned.id, load, failure=failure, failed_by_others=by_others)
        return judge(evidence, capacity.bounds), None
    ordinary = scenario.model_copy(update={"load": capacity.load, "capacity": None})
    quiet = measure(_as_a_load(trial), ordinary)
    measured = measure(trial, ordinary) if quiet.disturbed else quiet
    of_quiet = _figures(trial, quiet, ordinary, run)
    evidence = Evidence(
        planned.id,
        load,
        metrics=_figures(trial, measured, ordinary, run) if quiet.disturbed else of_quiet,
        findings=_findings(trial, quiet.facts, of_quiet, ordinary, run),
        generator=signs_of(quiet.facts, ordinary, _cpus(run)),
        quiet=of_quiet if quiet.disturbed else None,
        taken=_taken(quiet),
        lost=record.lost,
        client_counts=capacity.client_counts or _is_own_load(planned, ordinary, run),
    )
    return judge(evidence, capacity.bounds), measured.facts


def _taken(quiet: MeasuredTrial) -> TakenByOthers | None:
    """Processor time that others took from the first tick to the last: what queued up in the
    warm-up may be late after it."""
    if quiet.disturbed.taken is None:
        return None
    begin, end = quiet.window.tick0_ns, quiet.window.end_ns
    taken = quiet.disturbed.taken.between(begin, end)
    return TakenByOthers(taken / 1e6, taken / (end - begin))


def _as_a_load(trial: RecordedTrial) -> RecordedTrial:
    """The trial of a probe as one of any load, whose figures leave out what others disturbed."""
    return replace(trial, planned=trial.planned.model_copy(update={"probe": None}))


def _figures(
    trial: RecordedTrial, measured: MeasuredTrial, scenario: Scenario, run: Run
) -> dict[str, Metric]:
    """The metrics of a load of one trial, and how many lost their connection."""
    seed = [run.disclosure.seed, crc32(trial.planned.id.encode())]
    figures, _ = load_estimates([measured], scenario, trial.planned.operations, seed, NO_GROUPS)
    for name, facts in measured.facts.operations.items():
        figures[f"{name}.disconnected.count"] = total([facts.statuses.get("disconnected", 0)])
    return metrics_of(figures, run.scenarios[trial.planned.scenario])


def _findings(
    trial: RecordedTrial,
    facts: TrialFacts,
    metrics: dict[str, Metric],
    scenario: Scenario,
    run: Run,
) -> list[Finding]:
    """Findings of the gates about this trial alone: what came later must not change its outcome."""
    return findings_of(
        CellFacts(
            scenario_name=trial.planned.scenario,
            scenario=scenario,
            planned=(trial.planned,),
            records={facts.id: facts.record},
            trials=(facts,),
            metrics=metrics,
            run=RunFacts(cpus=_cpus(run), canary_ns=None),
            generator=trial.planned.generator,
            language=run.participants[trial.planned.contender].manifest.language,
        )
    )


def _is_own_load(planned: PlannedTrial, scenario: Scenario, run: Run) -> bool:
    """Whether the contender is nothing but who makes the load: a client beside neutral servers."""
    roles = run.participants[planned.contender].manifest.cast(scenario.roles)
    return {name for name, role in roles.items() if role.is_contenders} == {scenario.measured_role}


def _cpus(run: Run) -> int | None:
    cpus = run.disclosure.host.get("cpus")
    return cpus if isinstance(cpus, int) else None

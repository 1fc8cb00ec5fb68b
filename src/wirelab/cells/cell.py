"""One cell, from its figures and what its gates say of them; ranks come after all cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wirelab.cells.cell_figures import Figures
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.stderr import standard_errors
from wirelab.cells.verdicts import Verdicts
from wirelab.gates.catalogue import findings_of, withholding
from wirelab.gates.facts import CeilingFacts, CellFacts, RunFacts, TrialFacts
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Cell, CellSeries, Metric, Unsupported
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.model.units import Scalar

WARM_UP = "session-warm-up"
NOT_RUN = "not-run"
NO_SAMPLES = "no-samples"
NO_STEPS = "no-steps"
LOST = "lost-to-the-host"


def judged(
    figures: Figures,
    run: Run,
    facts: RunFacts,
    verdicts: Verdicts,
    *,
    floors: Mapping[str, float],
    ceiling: CeilingFacts | None = None,
    null_delay: float = 0.0,
) -> tuple[Cell, CellSeries]:
    """The cell with what its gates say; some take its figures away."""
    planned = figures.recorded[0].planned
    findings = findings_of(
        replace(_cell_facts(figures, run, facts, floors, ceiling), null_delay=null_delay)
    )
    metrics, series = figures.metrics, figures.series
    spikes, stacks = figures.spikes, figures.stacks
    if gate := withholding(findings):
        metrics, series, spikes, stacks = withheld(metrics, gate), CellSeries(), {}, None
    metrics, verdict = verdicts.judged(metrics, findings, figures.recorded[0].cell)
    cell = Cell(
        id=figures.recorded[0].cell,
        suite=planned.suite,
        scenario=planned.scenario,
        variant=planned.variant,
        step=figures.recorded[0].step,
        contender=planned.contender,
        generator=planned.generator,
        mode=run.participants[planned.contender].manifest.mode,
        parameters=_parameters(planned, run),
        verdict=verdict,
        findings=findings,
        metrics=metrics,
        trials=[trial.id for trial in figures.facts],
        other_trials=_others(figures.recorded),
        stderr=standard_errors(figures.recorded, run),
        reruns=sum(t.planned.rerun and t.record is not None for t in figures.recorded),
        statuses=_statuses(figures.facts),
        caller=figures.views,
        spikes=dict(spikes),
        stacks=stacks,
        remarks=dict(figures.remarks),
    )
    return cell, series


def _cell_facts(
    figures: Figures,
    run: Run,
    facts: RunFacts,
    floors: Mapping[str, float],
    ceiling: CeilingFacts | None,
) -> CellFacts:
    planned = figures.recorded[0].planned
    participant = run.participants[planned.contender]
    ownership = participant.ownership
    return CellFacts(
        scenario_name=planned.scenario,
        scenario=run.scenarios[planned.scenario],
        planned=tuple(trial.planned for trial in figures.recorded),
        records=_records(figures),
        trials=figures.facts,
        metrics=figures.metrics,
        run=facts,
        generator=planned.generator,
        searches=figures.searches,
        floors=floors,
        language=participant.manifest.language,
        library=participant.manifest.library,
        packages=tuple(ownership.dependencies) if ownership is not None else (),
        waits_for_disk=any(
            run.modes[name].waits_for_disk
            for name in participant.manifest.modes
            if name in run.modes
        ),
        ceiling=ceiling,
        made_up_for=frozenset(t.planned.id for t in figures.recorded if t.is_made_up_for),
    )


def _parameters(planned: PlannedTrial, run: Run) -> dict[str, Scalar]:
    """Parameters that all trials of the cell were given: the load of a search differs from probe to
    probe.
    """
    capacity = run.scenarios[planned.scenario].capacity
    searched = capacity.parameter if capacity else None
    return {name: value for name, value in planned.parameters.items() if name != searched}


def _records(figures: Figures) -> dict[str, TrialRecord]:
    """Records by trial; those that were measured as they were measured, for this step alone."""
    records = {t.planned.id: t.record for t in figures.recorded if t.record is not None}
    return records | {facts.id: facts.record for facts in figures.facts}


def withheld(metrics: dict[str, Metric], gate: str) -> dict[str, Metric]:
    """The same metrics without a figure, because of a gate: who answers wrongly has none."""
    reason = Unsupported(code=gate)
    return {
        name: Metric(value=None, unit=metric.unit, unsupported=reason)
        for name, metric in metrics.items()
    }


def _others(recorded: Sequence[RecordedTrial]) -> dict[str, str]:
    """The reason of each trial that is in no figure, by its id."""
    return {trial.planned.id: _why_not(trial) for trial in recorded if not trial.counts}


def _why_not(trial: RecordedTrial) -> str:
    record = trial.record
    if record is None:
        return NOT_RUN
    if record.status is TrialStatus.INTERRUPTED:
        return "interrupted"
    if record.status is TrialStatus.FAILED:
        return f"{record.reason}: {record.detail}"
    if not trial.planned.included:
        return WARM_UP
    if trial.is_made_up_for:
        return LOST
    return NO_SAMPLES if trial.has_steps else NO_STEPS


def _statuses(trials: Sequence[TrialFacts]) -> dict[str, dict[str, int]]:
    totals: dict[str, dict[str, int]] = {}
    for trial in trials:
        for name, facts in trial.operations.items():
            counts = totals.setdefault(name, {})
            for status, count in facts.statuses.items():
                counts[status] = counts.get(status, 0) + count
    return totals

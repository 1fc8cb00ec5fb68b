"""Trials of the miniature suite ``harness`` (folder ``bench/``), carried out as any run is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from wirelab.bench.figure import BenchError
from wirelab.build import PartBuilds, Unavailable, engine_part
from wirelab.build.permission import Permission
from wirelab.catalog import ContenderEntry, SuiteEntry, suite_at
from wirelab.cells.analysis import analyse, unstable_cells
from wirelab.gates import heap_kind, late_start
from wirelab.model.planned import cell_id
from wirelab.model.result import Cell, Finding, Metric, Result, Unsupported, Verdict
from wirelab.model.scenario import Scenario
from wirelab.model.trial import TrialRecord
from wirelab.plan.order import takes_part
from wirelab.plan.selection import Selection
from wirelab.run.limits import allow_open_files
from wirelab.run.progress import LiveProgress, PlainProgress
from wirelab.run.selection import begin
from wirelab.run.session import Session
from wirelab.run.setups import TrialSetups
from wirelab.trial.crashes import log_of

SUITE_FOLDER = "bench"

_BESIDE_THE_POINT = (late_start.GATE.code, heap_kind.GATE.code)
"""An operation that does nothing is always shorter than the lateness of its start."""


def harness_suite(repository: Path) -> SuiteEntry:
    """The suite; raises ManifestError. It stands outside of ``suites/``: it is no subject."""
    suite = suite_at(repository / SUITE_FOLDER / "suite.toml")
    for error in suite.broken.values():
        raise error
    return suite


@dataclass(frozen=True)
class MeasuredSuite:
    """The analysed run of the suite."""

    result: Result
    folder: Path
    left_out: Mapping[str, str] = field(default_factory=dict)
    """By scenario that was asked for and could not be carried out: why."""

    def metric(
        self,
        scenario: str,
        contender: str,
        name: str,
        part: str = "",
        *,
        despite: Callable[[Finding, Cell], bool] = lambda _finding, _cell: False,
    ) -> tuple[Metric | None, str]:
        """A metric that its gates support, or None and why there is none.

        ``part`` is a variant or a step of the scenario.
        ``despite`` says which findings speak of something that the metric does not rest on.
        """
        if scenario in self.left_out:
            return None, self.left_out[scenario]
        cell = self._cell(scenario, part, contender)
        if cell is None:
            return None, self._why_no_cell(contender)
        metric = cell.metrics.get(name)
        grave = [f for f in cell.findings if f.verdict is Verdict.INVALID]
        if metric is not None:
            grave = [f for f in grave if metric.verdict is f.verdict and f.gate in metric.gates]
        if gates := [finding.gate for finding in grave if not despite(finding, cell)]:
            return None, f"{', '.join(gates)}; ./wl analyse {self.folder}"
        if metric is None or metric.value is None:
            return None, _in_words(metric.unsupported if metric else None)
        if metric.at_least:
            return None, "others disturbed the host: only a lower bound is known"
        return metric, ""

    def remarks(self) -> dict[str, list[str]]:
        """By gate and its verdict: the cells about which it had something to say."""
        remarks: dict[str, list[str]] = {}
        # What is said of a step is said of its trials.
        for cell in (cell for cell in self.result.cells if not cell.step):
            for finding in cell.findings:
                if finding.verdict is not Verdict.VALID and finding.gate not in _BESIDE_THE_POINT:
                    gate = f"{finding.gate} ({finding.verdict.value})"
                    remarks.setdefault(gate, []).append(cell.id.partition("/")[2])
        return remarks

    def _cell(self, scenario: str, part: str, contender: str) -> Cell | None:
        wanted = cell_id(self.result.suite, scenario, part, contender)
        return next((cell for cell in self.result.cells if cell.id == wanted), None)

    def _why_no_cell(self, contender: str) -> str:
        participant = self.result.participants.get(contender)
        if participant is None or not participant.unavailable:
            return "not in this run"
        remedy = f"; {participant.remedy}" if participant.remedy else ""
        return participant.unavailable + remedy


def _in_words(reason: Unsupported | None) -> str:
    if reason is None:
        return "not measured"
    if reason.has is not None and reason.needs is not None:
        return f"{reason.code}: {reason.has:g} of {reason.needs:g}"
    return reason.code


def measure_suite(
    scenarios: Sequence[str],
    *,
    profile: str,
    seed: int,
    repository: Path,
    may_install: Permission,
    results: Path,
    console: Console,
) -> MeasuredSuite:
    """Carry out the trials of ``scenarios`` and analyse them.

    A scenario that this machine cannot carry out is left out, with its reason. Raises
    InterruptedRun after Ctrl-C, UnknownNameError for a profile that no scenario has, and
    BenchError where nothing of the suite can be built.
    """

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    suite = harness_suite(repository)
    asked = suite.chosen_scenarios(scenarios, profile)
    workshop = PartBuilds(repository, say, may_install=may_install)
    left_out = {n: why for n in asked if (why := _refusal(suite.scenario(n), workshop, repository))}
    chosen = [name for name in asked if name not in left_out]
    if not chosen:
        raise BenchError("; ".join(dict.fromkeys(left_out.values())))
    contenders = _taking_part(suite, chosen)
    selection = Selection(chosen, profile, seed)
    setups = TrialSetups(suite, contenders, selection, repository, say, may_install=may_install)
    if not setups.available:
        reasons = {p.unavailable for p in setups.participants.values()}
        raise BenchError(f"nothing of the suite harness can be built: {'; '.join(reasons)}")
    folder = begin(setups, results, repository)

    def unstable() -> list[str]:
        return unstable_cells(folder.path)

    def places_of(record: TrialRecord) -> list[str]:
        log = log_of(record)
        return [f"log: {folder.path / log}"] if log else []

    if console.is_terminal:
        with LiveProgress(console, lambda: None, places_of) as live:
            Session(folder, setups, live).carry_out(unstable)
    else:
        Session(folder, setups, PlainProgress(console, places_of)).carry_out(unstable)
    return MeasuredSuite(analyse(folder.path)[0], folder.path, left_out)


def _taking_part(suite: SuiteEntry, scenarios: Sequence[str]) -> list[ContenderEntry]:
    """Nothing is built that has no trial."""
    return [
        entry
        for entry in suite.chosen_contenders([])
        if any(takes_part(entry.manifest, n, suite.scenario(n), "") for n in scenarios)
    ]


def _refusal(scenario: Scenario, workshop: PartBuilds, repository: Path) -> str:
    """The reason why a scenario cannot be carried out on this machine; empty when it can."""
    if refusal := allow_open_files(scenario.open_files):
        return refusal
    if not any(role.engine for role in scenario.roles.values()):
        return ""
    try:
        workshop.prepare(engine_part(repository))
    except Unavailable as missing:
        return f"wirelab's engine: {missing.reason}" + (missing.remedy and f"; {missing.remedy}")
    return ""

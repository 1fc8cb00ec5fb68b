"""The end of a run: its last screen, its exit code, a sentence for each thing that went wrong."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from wirelab.cells.analysis import analyse
from wirelab.cli.exit_codes import ALL_WELL, NO_CELL_VALID, TRIALS_FAILED
from wirelab.cli.places import called
from wirelab.cli.report import Language
from wirelab.cli.wanted_reports import WantedReports
from wirelab.gates.trial_failed import never_ran
from wirelab.model.blame import failed_by_others
from wirelab.model.mistake import MistakeError
from wirelab.model.result import Result, Verdict
from wirelab.model.run import Run
from wirelab.report import terminal
from wirelab.run.retries import failed
from wirelab.samples.run_folder import RunFolder


@dataclass(frozen=True)
class Ending:
    """An exit code with its reasons."""

    code: int
    sentences: Sequence[str]


def ending_of(folder: RunFolder, result: Result) -> Ending:
    """The ending of a run whose trials were carried out. A cell with a warning has figures that
    count, so it is valid here; a yardstick that is ranked by nobody does not make up for others.
    """
    run = folder.read_run()
    code, sentences = ALL_WELL, []
    if records := failed(folder, run):
        code = TRIALS_FAILED
        reasons = Counter(record.reason for record in records)
        told = ", ".join(f"{reason} ({count})" for reason, count in sorted(reasons.items()))
        trials = sum(trial.probe is None for trial in run.plan)
        sentences.append(f"{len(records)} of {trials} trials failed: {told}.")
        if any(failed_by_others(r, run.scenarios[r.planned.scenario]) for r in records):
            resume = shlex.join([called(), "run", "--resume", str(folder.path)])
            sentences.append(f"The host or wirelab made some of them fail; try again: {resume}")
    ranked = [c for c in result.cells if not result.participants[c.contender].manifest.reference]
    cells = [cell for cell in ranked or result.cells if not never_ran(cell)]
    if cells and all(cell.verdict is Verdict.INVALID for cell in cells):
        code = NO_CELL_VALID
        gates = {f.gate for c in cells for f in c.findings if f.verdict is Verdict.INVALID}
        because = f" ({', '.join(sorted(gates))})" if gates else ""
        sentences.append(f"No cell is valid{because}: none of these figures can be believed.")
    return Ending(code, sentences)


def conclude(
    folder: RunFolder,
    suite: Path,
    console: Console,
    lang: Language,
    reports: WantedReports,
    *,
    finished: bool,
) -> int:
    """Write the reports that are wanted, and print the last screen: the tables, one line of
    caution, what went wrong, the paths, the next command. Returns the exit code.

    A run that is not ``finished`` has another next command: to go on.
    """
    result, _ = analyse(folder.path)
    terminal.outcome(result, console, lang.value, suite)
    ending = ending_of(folder, result)
    for sentence in ending.sentences:
        console.print(sentence, style="yellow", markup=False, highlight=False, soft_wrap=True)
    written = reports.write(folder.path, suite)
    lines = list(map(str, written))
    if finished:
        lines.append(f"Next: {_next_step(folder, result, written)}")
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return ending.code


def _next_step(folder: RunFolder, result: Result, reports: Sequence[Path]) -> str:
    """Suggest the most useful next step: comparing with the run before, where there is one; else
    a report to look at, or the command that writes them.
    """
    here = _from_here(folder.path)
    if before := run_before(folder.path, result):
        return shlex.join([called(), "compare", _from_here(before), here])
    compare = shlex.join([called(), "compare", here])
    look = f"open {reports[0].name}" if reports else shlex.join([called(), "report", here])
    return f"{look}; after another run: {compare} NEW"


def run_before(folder: Path, this: Run | Result) -> Path | None:
    """The last run beside this one that has a result, of the same suite, profile and servers."""
    names = sorted(path.parent for path in folder.parent.glob("*/result.json"))
    for path in reversed([path for path in names if path.name < folder.name]):
        try:
            run = RunFolder(path).read_run()
        except MistakeError:
            continue  # of another wirelab, or no run at all
        if _kind_of(run) == _kind_of(this):
            return path
    return None


def _kind_of(run: Run | Result) -> tuple[str, str, Mapping[str, str]]:
    return run.suite, run.profile, run.disclosure.own.targets


def _from_here(path: Path) -> str:
    """A path as it is typed where the user stands."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)

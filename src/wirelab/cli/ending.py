"""The end of a run: its exit code, and a sentence for each thing that went wrong."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from wirelab.model.result import Result, Verdict
from wirelab.run.folder import RunFolder
from wirelab.run.retries import failed, is_not_its_own

ALL_WELL = 0
TRIALS_FAILED = 4
NO_CELL_VALID = 5


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
        if any(is_not_its_own(r, run.scenarios[r.planned.scenario]) for r in records):
            resume = shlex.join(["./wl", "run", "--resume", str(folder.path)])
            sentences.append(f"Some failed by the host or the harness; to try them again: {resume}")
    ranked = [c for c in result.cells if not result.participants[c.contender].manifest.reference]
    cells = ranked or result.cells
    if all(cell.verdict is Verdict.INVALID for cell in cells):
        code = NO_CELL_VALID
        gates = {f.gate for c in cells for f in c.findings if f.verdict is Verdict.INVALID}
        because = f" ({', '.join(sorted(gates))})" if gates else ""
        sentences.append(f"No cell is valid{because}: none of these figures can be believed.")
    return Ending(code, sentences)

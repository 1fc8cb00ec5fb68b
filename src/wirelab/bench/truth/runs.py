"""Runs by the command line, each a process of its own, alone or beside a neighbour.

The neighbour is started here and not by the core: what is below the core is wirelab itself to the
monitor, and no foreign demand.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from wirelab.bench.figure import BenchError
from wirelab.bench.truth.part import TruthPlaces
from wirelab.model.result import Cell, Result
from wirelab.processes.interrupts import INTERRUPTED
from wirelab.processes.neighbour import LONGEST_S, Bursts, BusyNeighbour
from wirelab.run.session import InterruptedRun
from wirelab.samples.new_folder import new_folder
from wirelab.samples.run_folder import read_result

SUITE = "truth"
SUITES = "bench"
"""Folder with the suite: it stands outside of ``suites/``, being no subject."""

QUIET, NEIGHBOUR = "quiet", "neighbour"
HOSTS = (QUIET, NEIGHBOUR)
DUTY = 0.3

_WENT_WELL = (0, 5)
"""Exit codes of runs whose trials went well, with a valid cell and without."""


@dataclass(frozen=True)
class AskedRun:
    """A run of the suite of known truth, or of another one."""

    scenario: str
    contenders: Sequence[str]
    profile: str
    seed: int
    trials: int | None = None
    suite: str = SUITE
    makes_up: bool = True
    """Whether further blocks make up for trials that are lost to the host."""

    def arguments(self, repository: Path, out: Path) -> list[str]:
        """For ``wl``."""
        words = ["run", self.suite, "--suites", str(repository / SUITES)]
        words += ["--scenario", self.scenario, "--profile", self.profile]
        words += ["--seed", str(self.seed), "--out", str(out)]
        words += [word for name in self.contenders for word in ("--contender", name)]
        if not self.makes_up:
            words += ["--make-up", "0"]
        return words if self.trials is None else [*words, "--trials", str(self.trials)]


@dataclass(frozen=True)
class Finished:
    """A run that was carried out."""

    folder: Path
    result: Result

    def cell(self, contender: str, step: str) -> Cell:
        """The cell of a contender's step; BenchError without one, or where no trial succeeded."""
        for cell in self.result.cells:
            if cell.contender == contender and cell.step == step:
                if not cell.trials:
                    raise BenchError(f"{self.folder}: no trial of {contender} succeeded")
                return cell
        raise BenchError(f"{self.folder} has no cell of {contender}")


def beside(host: str, seed: int, log: Path) -> AbstractContextManager[object]:
    """Nothing, or the neighbour."""
    if host == QUIET:
        return nullcontext()
    return BusyNeighbour(Bursts(DUTY, seed, LONGEST_S), log)


def carried_out(
    asked: AskedRun,
    where: TruthPlaces,
    name: str,
    host: str = QUIET,
    watch: Callable[[subprocess.Popen[bytes], Path], None] | None = None,
) -> Finished:
    """The run and its result, below a folder of that name; ``watch`` returns when it has ended.

    Raises InterruptedRun after an interrupt, of which the run hears too, and BenchError where
    trials failed.
    """
    out = new_folder(where.runs, name)
    command = [sys.executable, "-m", "wirelab", *asked.arguments(where.repository, out)]
    log = out / "run.log"
    with (
        log.open("wb") as said,
        beside(host, asked.seed, out / "neighbour.jsonl"),
        # In a group of its own it hears of an interrupt from here, once, whoever was interrupted.
        subprocess.Popen(
            command, stdout=said, stderr=subprocess.STDOUT, process_group=0
        ) as process,
    ):
        try:
            if watch is not None:
                watch(process, out)
            code = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            raise InterruptedRun from None
    if code == INTERRUPTED:
        raise InterruptedRun
    if code not in _WENT_WELL:
        raise BenchError(f"{name}: the run ended with {code}; see {log}")
    (folder,) = (path.parent for path in out.glob("*/run.json"))
    return Finished(folder, read_result(folder))

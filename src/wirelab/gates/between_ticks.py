"""Processor time between the ticks of a paced load that is no operation's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wirelab.gates.facts import BusyBlocks, CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

LEAST = 0.05
"""Cores that a process of an honest client may use between its operations: its runtime, and its
harness. Quiet, at ten ticks a second: 0.003 in Python, 0.005 in Java, 0.009 in C#, none in C.
"""

SHARE = 0.25
"""Share of what its operations can have used at most."""


class ProcessorTime(Strict):
    """Cores of a client in the median block, and share of it with an operation under way."""

    cores: float
    under_way: float


class BetweenTicks(Strict):
    """The trial with the least of it; ``cpus``: processors that the client could use at once."""

    trial: str
    least: ProcessorTime
    cpus: int


class _Block(NamedTuple):
    """The median block of a trial: what comes in bursts, as compilers and collectors do, is in few
    of them.
    """

    cores: float
    under_way: float
    cpus: int
    processes: int

    @property
    def excess(self) -> float:
        """Cores beyond what its operations can have used."""
        return self.cores - self.under_way * self.cpus

    @property
    def is_much(self) -> bool:
        return self.excess > max(LEAST * self.processes, SHARE * self.under_way * self.cpus)


def _check(cell: CellFacts) -> Iterator[TypedFinding[BetweenTicks]]:
    """More processor time than all operations can have used, by a quarter and by 5 % of a core for
    each process, in every trial: a warning, for a client may have done their work between them.
    """
    medians = {
        trial.id: _median(trial, trial.busy, _cpus(trial, cell))
        for trial in cell.trials
        if trial.busy is not None
    }
    if not medians or not all(block.is_much for block in medians.values()):
        return
    name, least = min(medians.items(), key=lambda one: one[1].excess)
    used = ProcessorTime(cores=least.cores, under_way=least.under_way)
    yield TypedFinding(
        Verdict.WARN, BetweenTicks(trial=name, least=used, cpus=least.cpus), sorted(medians)
    )


def _median(trial: TrialFacts, busy: BusyBlocks, cpus: int) -> _Block:
    excess = busy.cores - busy.under_way * cpus
    middle = int(np.argsort(excess, kind="stable")[len(excess) // 2])
    processes = trial.record.planned.load.processes
    return _Block(float(busy.cores[middle]), float(busy.under_way[middle]), cpus, processes)


def _cpus(trial: TrialFacts, cell: CellFacts) -> int:
    """Processors that the client can use at once."""
    return trial.record.pinned(cell.scenario.measured_role) or cell.run.cpus or 1


def _lines(evidence: BetweenTicks, words: Words) -> list[str]:
    said = words.gettext(
        "{trial}: {cores} of a processor used, an operation was under way {share} of the time "
        "(processors: {cpus})"
    )
    of = evidence.least
    return [
        said.format(
            trial=evidence.trial,
            cores=numbers.percent(of.cores),
            share=numbers.percent(of.under_way),
            cpus=evidence.cpus,
        )
    ]


GATE = Gate(
    code="between-ticks",
    title=N_("work between ticks"),
    meaning=N_(
        "The client used more processor time than its operations can have used while they were "
        "under way: work of an operation may have been done between them. Callers pay for it, and "
        "service times leave it out."
    ),
    remedy=N_(
        "Read every field of an answer before the operation ends; look for threads that work on "
        "when nothing is due."
    ),
    looks_at="paced loads: processor time of the client between readings of the monitor, against "
    "the time in which operations were under way or answers given",
    verdicts={
        Verdict.WARN: f"in every trial (median block) more than that time, by "
        f"{numbers.percent(LEAST)} of a core for each process and by {numbers.percent(SHARE)} of "
        "the time of its operations"
    },
    loads=frozenset({LoadKind.PACED}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=BetweenTicks,
    lines=_lines,
)

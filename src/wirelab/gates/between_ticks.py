"""Processor time between the ticks of a paced load that is no operation's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

LEAST = 0.05
"""Cores that an honest client may use between its operations: its runtime, and its harness. Quiet,
at ten ticks a second: 0.003 in Python, 0.005 in Java, 0.009 in C#, none in C.
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


def _check(cell: CellFacts) -> Iterator[TypedFinding[BetweenTicks]]:
    """More processor time than all operations can have used, by a quarter and by 5 % of a core, in
    every trial: a warning, for a client may have done their work between them.
    """
    known = {trial.id: trial for trial in cell.trials if trial.busy is not None}
    excess = {name: _excess(trial, cell) for name, trial in known.items()}
    if not known or not all(_is_much(trial, cell) for trial in known.values()):
        return
    name = min(excess, key=lambda one: excess[one])
    cores, under_way = _median_block(known[name], cell)
    evidence = BetweenTicks(
        trial=name,
        least=ProcessorTime(cores=cores, under_way=under_way),
        cpus=_cpus(known[name], cell),
    )
    yield TypedFinding(Verdict.WARN, evidence, sorted(known))


def _is_much(trial: TrialFacts, cell: CellFacts) -> bool:
    _, under_way = _median_block(trial, cell)
    allowed = max(LEAST, SHARE * under_way * _cpus(trial, cell))
    return _excess(trial, cell) > allowed


def _excess(trial: TrialFacts, cell: CellFacts) -> float:
    cores, under_way = _median_block(trial, cell)
    return cores - under_way * _cpus(trial, cell)


def _median_block(trial: TrialFacts, cell: CellFacts) -> tuple[float, float]:
    """Cores and share of the block whose excess is the median: what comes in bursts, as compilers
    and collectors do, is in few of them.
    """
    busy = trial.busy
    if busy is None:
        return 0.0, 0.0
    excess = busy.cores - busy.under_way * _cpus(trial, cell)
    middle = int(np.argsort(excess, kind="stable")[len(excess) // 2])
    return float(busy.cores[middle]), float(busy.under_way[middle])


def _cpus(trial: TrialFacts, cell: CellFacts) -> int:
    """Processors that the client can use at once."""
    role = trial.record.roles.get(cell.scenario.measured_role)
    return len(role.cpus) if role is not None and role.cpus else cell.run.cpus or 1


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
    looks_at="paced loads: processor time of the client between looks of the monitor, beside the "
    "time in which an operation was under way or an answer given, on all processors that it has",
    verdicts={
        Verdict.WARN: f"in the median block of every trial {numbers.percent(LEAST)} of a core and "
        f"{numbers.percent(SHARE)} of the time of its operations more than that time"
    },
    loads=frozenset({LoadKind.PACED}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=BetweenTicks,
    lines=_lines,
)

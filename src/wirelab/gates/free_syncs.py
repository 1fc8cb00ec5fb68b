"""Syncs that cost nothing, of whoever has to wait for the disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED, LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class FreeSyncs(Strict):
    """By trial: the file system that its roles wrote to."""

    file_systems: dict[str, str]


def _check(cell: CellFacts) -> Iterator[TypedFinding[FreeSyncs]]:
    """Data that must be on disk before an operation ends lay in memory, or where syncs are left
    out: a warning. Whoever does not wait for a disk is not asked: the page cache is memory as well.
    """
    if not cell.waits_for_disk:
        return
    found = {
        trial.id: lies_on.type
        for trial in cell.trials
        if (lies_on := trial.record.file_system) is not None and lies_on.syncs_nothing
    }
    if found:
        yield TypedFinding(Verdict.WARN, FreeSyncs(file_systems=found), list(found))


def _lines(evidence: FreeSyncs, words: Words) -> list[str]:
    """The file systems, with the number of trials."""
    template = words.gettext("{type} (trials: {n})")
    trials = Counter(evidence.file_systems.values())
    return [template.format(type=name, n=count) for name, count in trials.items()]


GATE = Gate(
    code="free-syncs",
    title=N_("a sync waited for no disk"),
    meaning=N_(
        "What has to be on disk before an operation ends lay in memory, where a sync (fsync) costs "
        "nothing. On a disk it takes longer."
    ),
    remedy=N_("Name a folder on a disk for the results (--out), and repeat."),
    looks_at="the file system of the trial's folder, to which its roles write, where a contender's "
    "mode waits for the disk (`waits_for_disk` of the suite's mode)",
    verdicts={Verdict.WARN: "it is memory (such as tmpfs), or an overlay mounted `volatile`"},
    loads=MEASURED | {LoadKind.SEARCH},
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=FreeSyncs,
    lines=_lines,
)

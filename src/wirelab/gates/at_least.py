"""Searches for a capacity that know no end of it."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.brackets import Brackets, brackets_in_words, brackets_of
from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.words.translation import N_


def _check(cell: CellFacts) -> Iterator[TypedFinding[Brackets]]:
    """Warn where nothing failed above what was verified, or something else than the contender did.

    The generator was at its limit, the host was not there, or the highest load held: the capacity
    is at least what was verified.
    """
    without_end = [s for s in cell.searches if s.verified is not None and s.is_at_least]
    if without_end := [s for s in without_end if s.ending != "unfinished"]:
        yield TypedFinding(Verdict.WARN, brackets_of(without_end))


def _whom(evidence: Brackets) -> Blame:
    """The generator if it limited any search, then the host; else the highest load asked for."""
    limits = {one.limited_by for one in evidence.searches}
    if "generator" in limits:
        return Blame.GENERATOR
    return Blame.HOST if "host" in limits else Blame.HARNESS


GATE = Gate(
    code="at-least",
    title=N_("the capacity is at least this"),
    meaning=N_(
        "No load was too much for the contender: above the verified load the generator or the host "
        "was at its limit, or the highest load that was asked for held."
    ),
    remedy=N_(
        "Give the generator more cores, quieten the machine, or raise the search's `highest`."
    ),
    looks_at="what failed above the verified load: the generator, the host, or nothing",
    verdicts={Verdict.WARN: "any"},
    loads=frozenset({LoadKind.SEARCH}),
    blames=(Blame.GENERATOR, Blame.HOST, Blame.HARNESS),
    whom=_whom,
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=Brackets,
    lines=brackets_in_words,
)

"""Searches for a capacity in which not even the lowest load held."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.brackets import Brackets, brackets_in_words, brackets_of
from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.words.translation import N_


def _check(cell: CellFacts) -> Iterator[TypedFinding[Brackets]]:
    """Not even the lowest load held, in any search: invalid. In some of them: warns."""
    without = [s for s in cell.searches if s.verified is None and s.ending != "unfinished"]
    if without:
        verdict = Verdict.INVALID if len(without) == len(cell.searches) else Verdict.WARN
        yield TypedFinding(verdict, brackets_of(without))


GATE = Gate(
    code="no-load-held",
    title=N_("no load held"),
    meaning=N_("Not even the lowest load held every bound, so there is no capacity to tell."),
    remedy=N_("Read why the lowest probe failed; lower the search's `lowest`, or widen the bound."),
    looks_at="searches for a capacity in which not even the lowest load held",
    verdicts={Verdict.WARN: "some of them", Verdict.INVALID: "all of them"},
    loads=frozenset({LoadKind.SEARCH}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=Brackets,
    lines=brackets_in_words,
)

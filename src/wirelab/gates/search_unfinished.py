"""Searches for a capacity that ended before their bracket was narrow."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.brackets import Brackets, brackets_in_words, brackets_of
from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.words.translation import N_


def _check(cell: CellFacts) -> Iterator[TypedFinding[Brackets]]:
    """No more probes were allowed, or the run was interrupted: the bracket is wider than asked.

    Warns where some load held; invalid where none was found yet.
    """
    short = [s for s in cell.searches if s.ending in ("probes", "unfinished")]
    if short:
        known = any(s.verified is not None for s in cell.searches)
        yield TypedFinding(Verdict.WARN if known else Verdict.INVALID, brackets_of(short))


GATE = Gate(
    code="search-unfinished",
    title=N_("search not finished"),
    meaning=N_("The bracket between what held and what did not is wider than was asked for."),
    remedy=N_("Finish the run (`./wl run --resume`), or allow more probes in the profile."),
    looks_at="searches whose bracket is wider than asked: interrupted, or out of probes",
    verdicts={Verdict.WARN: "some load held", Verdict.INVALID: "none did"},
    loads=frozenset({LoadKind.SEARCH}),
    blames=(Blame.HARNESS,),
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=Brackets,
    lines=brackets_in_words,
)

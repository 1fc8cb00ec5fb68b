"""Gates on searches for a capacity: was there a load that held, and is the end of it known?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.capacity import Search
from wirelab.model.result import Finding, Verdict


def no_load_held(cell: CellFacts) -> Iterator[Finding]:
    """Not even the lowest load held, in any search: invalid. In some of them: warns."""
    without = [s for s in cell.searches if s.verified is None and s.ending != "unfinished"]
    if without:
        verdict = Verdict.INVALID if len(without) == len(cell.searches) else Verdict.WARN
        yield Finding(gate="no-load-held", verdict=verdict, evidence=_evidence(without))


def at_least(cell: CellFacts) -> Iterator[Finding]:
    """Above what was verified it was not the contender that failed, or nothing did: warns.

    The generator was at its limit, the host was not there, or the highest load held: the capacity
    is at least what was verified.
    """
    without_end = [s for s in cell.searches if s.verified is not None and s.is_at_least]
    if without_end := [s for s in without_end if s.ending != "unfinished"]:
        yield Finding(gate="at-least", verdict=Verdict.WARN, evidence=_evidence(without_end))


def search_unfinished(cell: CellFacts) -> Iterator[Finding]:
    """No more probes were allowed, or the run was interrupted: the bracket is wider than asked.

    Warns where some load held; invalid where none was found yet.
    """
    short = [s for s in cell.searches if s.ending in ("probes", "unfinished")]
    if short:
        known = any(s.verified is not None for s in cell.searches)
        verdict = Verdict.WARN if known else Verdict.INVALID
        yield Finding(gate="search-unfinished", verdict=verdict, evidence=_evidence(short))


def _evidence(searches: list[Search]) -> dict[str, Any]:
    """What is needed to say it: ends of the bracket, and the probe at its upper one."""
    return {
        "searches": [
            {
                "ending": search.ending,
                "verified": search.verified,
                "failed": search.failed,
                "limited_by": search.limited_by,
                "probes": len(search.probes),
                "decisive": search.decisive.model_dump(mode="json") if search.decisive else None,
            }
            for search in searches
        ]
    }

"""Results of searches: brackets, ranks, and the gates on them."""

from __future__ import annotations

from typing import Any

import pytest

from wirelab.capacity.found import REMARK, VERIFIED, bracket_of, shown_worse
from wirelab.cells.ranks import places
from wirelab.gates import at_least, no_load_held, search_unfinished
from wirelab.gates.facts import CellFacts, RunFacts
from wirelab.gates.wording import evidence_lines
from wirelab.model.capacity import CapacityFound, Probe, Search
from wirelab.model.measure import Ranking
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.words.translation import words


def search(verified: int | None, failed: int | None, **changes: Any) -> Search:
    decisive = None
    if failed is not None:
        decisive = Probe(trial="0003", load=failed, outcome="failed", reason="echo.response.p99")
    values = {"limited_by": "contender" if decisive else "", "ending": "found"} | changes
    if verified is None:
        values["ending"] = "none"
    return Search.model_validate(
        {"verified": verified, "failed": failed, "decisive": decisive, "probes": [], **values}
    )


def cell(name: str, *searches: Search) -> Cell:
    known = [s.verified for s in searches if s.verified is not None]
    value = sum(known) / len(known) if known else None
    found = CapacityFound(parameter="users", searches=list(searches))
    return Cell(
        id=name,
        suite="demo",
        scenario="clients",
        contender=name,
        parameters={},
        verdict=Verdict.VALID,
        metrics={VERIFIED: Metric(value=value, unit="users")},
        remarks={REMARK: found.model_dump(mode="json")},
    )


def ranks(*cells: Cell) -> dict[str, int]:
    return places(cells, Ranking(metric=VERIFIED, better="higher"))


def test_brackets_that_overlap_are_not_told_apart() -> None:
    wide, within, below = (
        cell("wide", search(1000, 1300)),
        cell("within", search(1100, 1160)),
        cell("below", search(500, 520)),
    )
    assert ranks(wide, within, below) == {"within": 1, "wide": 1, "below": 3}


def test_brackets_that_touch_are_told_apart() -> None:
    """The load that failed here is the one that held there."""
    assert shown_worse(cell("a", search(195, 205)), cell("b", search(205, 216)))


def test_at_least_is_worse_than_nobody() -> None:
    limited = cell("limited", search(300, 320, limited_by="generator"))
    assert ranks(limited, cell("far", search(2000, 2100))) == {"far": 1, "limited": 1}


def test_a_cell_in_which_nothing_held_has_no_rank() -> None:
    assert ranks(cell("none", search(None, 10)), cell("a", search(20, 21))) == {}


def test_several_searches_span_their_brackets() -> None:
    found = CapacityFound(parameter="users", searches=[search(195, 205), search(185, 195)])
    assert bracket_of(found) == (185.0, 205.0)


def test_a_search_in_which_nothing_held_is_in_the_bracket() -> None:
    """A contender that once held no load is not shown to hold more than another one."""
    once = cell("once", search(None, 10), search(400, 420))
    assert bracket_of(CapacityFound.model_validate(once.remarks[REMARK])) == (0.0, 420.0)
    assert ranks(once, cell("steady", search(300, 310))) == {"once": 1, "steady": 1}


def facts(*searches: Search) -> CellFacts:
    """Facts that gates see of searches, whatever the scenario."""
    return CellFacts(
        "clients",
        None,
        (),
        {},
        (),
        {},
        RunFacts(2, None),
        searches=searches,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("searches", "spoken"),
    [
        ([search(195, 205)], {}),
        ([search(None, 10)], {"no-load-held": Verdict.INVALID}),
        ([search(None, 10), search(20, 21)], {"no-load-held": Verdict.WARN}),
        ([search(400, None, ending="highest")], {"at-least": Verdict.WARN}),
        ([search(195, 205, limited_by="generator")], {"at-least": Verdict.WARN}),
        ([search(195, 400, ending="probes")], {"search-unfinished": Verdict.WARN}),
        ([search(195, None, ending="unfinished")], {"search-unfinished": Verdict.WARN}),
    ],
)
def test_gates_speak_of_searches(searches: list[Search], spoken: dict[str, Verdict]) -> None:
    gates = (no_load_held.GATE, at_least.GATE, search_unfinished.GATE)
    found = [finding for gate in gates for finding in gate.findings(facts(*searches))]
    assert {finding.gate: finding.verdict for finding in found} == spoken
    for finding in found:
        for language in ("en", "ko"):
            lines = evidence_lines(finding, "a cell", words(language))
            assert lines
            assert not any("{" in line for line in lines)


def test_the_evidence_says_at_least() -> None:
    (finding,) = at_least.GATE.findings(facts(search(195, 205, limited_by="generator")))
    (line,) = evidence_lines(finding, "a cell", words("en"))
    assert line.startswith("at least 195")
    (line,) = evidence_lines(finding, "a cell", words("ko"))
    assert line.startswith("최소 195")

"""Answers that nobody can verify."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import EVERY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict, Text
from wirelab.words.translation import N_, Words


class Unverified(Strict):
    """The reason, as the suite gives it."""

    reason: Text


def _check(cell: CellFacts) -> Iterator[TypedFinding[Unverified]]:
    """Answers come from a server whose values nobody can recompute: a warning."""
    if (reason := cell.scenario.unverified) is not None:
        yield TypedFinding(Verdict.WARN, Unverified(reason=reason))


def _lines(evidence: Unverified, words: Words) -> list[str]:
    return [evidence.reason.of(words.language)]


GATE = Gate(
    code="unverified",
    title=N_("answers that cannot be verified"),
    meaning=N_("A client that answered from a cache, or wrongly, would not have been found out."),
    remedy=N_("Measure against wirelab's own server as well (without --target)."),
    looks_at="whether the suite can recompute the answers",
    verdicts={Verdict.WARN: "the suite says that it cannot"},
    loads=EVERY,
    blames=(Blame.HARNESS,),
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=Unverified,
    lines=_lines,
)

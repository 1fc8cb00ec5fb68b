"""Answers of which the contender knew beforehand that they would be verified."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class Announced(Strict):
    """Number of answers that were announced, over all trials."""

    verified: int


def _check(cell: CellFacts) -> Iterator[TypedFinding[Announced]]:
    """A contender that records for itself by contract 1: a remark.

    It was told which of its answers would be verified, and could have been right in those alone.
    """
    if cell.scenario.roles[cell.scenario.measured_role].provider != "contender":
        return
    before = sum(operation.preflight for operation in cell.scenario.operations.values())
    told = {
        key: record.verified - before
        for key, record in cell.records.items()
        if record.asked is None and record.verified > before
    }
    if told:
        yield TypedFinding(Verdict.VALID, Announced(verified=sum(told.values())), list(told))


def _lines(evidence: Announced, words: Words) -> list[str]:
    said = words.gettext("{count} answers were announced before they were verified")
    return [said.format(count=f"{evidence.verified:,}")]


GATE = Gate(
    code="announced",
    title=N_("answers that were announced"),
    meaning=N_(
        "The contender knew beforehand which answers would be verified. Of all others nobody knows "
        "that they were right."
    ),
    remedy=N_("Move it to version 2 of the worker contract: docs/how-to/move-to-contract-2.md"),
    looks_at="whether answers are asked for after their operation",
    verdicts={Verdict.VALID: "the contender speaks version 1 of the contract"},
    loads=ORDINARY,
    blames=(),
    concerns=Concern.NOTHING,
    check=_check,
    evidence=Announced,
    lines=_lines,
)

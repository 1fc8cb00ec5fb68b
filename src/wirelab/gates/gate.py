"""A gate: one check of the method, with all that is to be said of it in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from wirelab.gates.facts import CellFacts
from wirelab.gates.loads import LoadKind
from wirelab.model.mistake import MistakeError
from wirelab.model.result import Finding, Verdict
from wirelab.words.translation import Words


class Blame(StrEnum):
    """The party that a finding speaks against."""

    CONTENDER = "contender"
    """The library under measurement, its worker, its server."""

    GENERATOR = "generator"
    """The maker of the load, which in a client's scenario is the contender's own worker."""

    HOST = "host"
    """The machine, its hypervisor, and what else ran there."""

    HARNESS = "harness"
    """wirelab itself, or how long and how often it was told to measure."""


class Concern(StrEnum):
    """The metrics that a finding is about: ``wirelab.cells.verdicts`` asks this, together with
    what a metric can suffer from, for the verdict of each figure."""

    EVERYTHING = "everything"
    """Every metric of the cell: other work was done, or by another load, or too little of it."""

    TIMES = "times"
    """Figures of a clock: latencies, response times, rates, and counts held against a deadline.
    Answers, sizes, bytes on the wire and counted instructions are not among them."""

    RESOURCES = "resources"
    """Processor time and memory of the roles."""

    NAMED = "named by the evidence"
    """Metrics of the operations in ``evidence.operations``, or those in ``evidence.metrics``."""

    NOTHING = "nothing"
    """No metric suffers: the finding explains one."""


E = TypeVar("E", bound=BaseModel)


@dataclass(frozen=True)
class TypedFinding(Generic[E]):
    """A finding before it is stored: its evidence still has its type."""

    verdict: Verdict
    evidence: E
    trials: Sequence[str] = ()
    """Trials it concerns; empty: the whole cell."""


class EvidenceError(MistakeError):
    """Stored evidence of a gate that is not of the form this gate writes."""

    def __init__(self, gate: str, cell: str, problem: str) -> None:
        super().__init__(
            f"the evidence of gate {gate} in cell {cell} cannot be read: {problem}; "
            "analyse the run again (./wl analyse)"
        )


@dataclass(frozen=True, kw_only=True)
class Gate(Generic[E]):
    """One check: what it looks at, what it says, and what follows from it."""

    code: str
    """Reason code, as it is stored and shown."""

    title: str
    meaning: str
    """Consequence of a finding for the figures."""

    remedy: str

    looks_at: str
    """For the documentation, with ``verdicts``; English alone."""

    verdicts: Mapping[Verdict, str]
    """The verdicts it can give, each with when it does."""

    loads: frozenset[LoadKind]
    """Loads it is asked of."""

    blames: tuple[Blame, ...]
    """The parties that a finding may speak against, the usual one first; empty: nobody."""

    concerns: Concern

    check: Callable[[CellFacts], Iterator[TypedFinding[E]]]
    evidence: type[E]
    lines: Callable[[E, Words], list[str]]
    """Evidence in words, a sentence or figure a line."""

    whom: Callable[[E], Blame] | None = None
    """The one a finding speaks against, by its evidence, where ``blames`` names several."""

    withholds: bool = False
    """An invalid finding takes every figure of the cell away, rather than its rank alone."""

    is_outcome: bool = False
    """An invalid finding against the contender is an outcome by itself: it was not the work that
    was asked for. A run that has it newly is worse than the one before. Without this, an invalid
    cell can only not be compared: a clock, or a lowest load that was too much, tells nothing of
    how the contender's answers changed.
    """

    has_bounds: bool = False
    """A search for a capacity has bounds of its own on what this gate looks at. They decide
    there: a load that loses one message in a thousand may hold a bound that allows it.
    """

    beside_its_figure: bool = False
    """A remark of it stands where the figure stands, and not among the other remarks."""

    def findings(self, cell: CellFacts) -> Iterator[Finding]:
        """Say what there is to say of a cell, in the form in which it is stored."""
        for found in self.check(cell):
            yield Finding(
                gate=self.code,
                verdict=found.verdict,
                evidence=found.evidence.model_dump(mode="json", exclude_unset=True),
                trials=list(found.trials),
            )

    def read(self, evidence: Mapping[str, Any], cell: str) -> E:
        """Stored evidence with its type; raises EvidenceError, which names gate, cell and key."""
        try:
            return self.evidence.model_validate(evidence)
        except ValidationError as error:
            problems = (
                f"{'.'.join(map(str, one['loc'])) or 'all of it'}: {one['msg']}"
                for one in error.errors()
            )
            raise EvidenceError(self.code, cell, ", ".join(problems)) from error

    def blamed(self, finding: Finding, cell: str) -> Blame | None:
        """The one that a finding of this gate speaks against."""
        if self.whom is not None:
            return self.whom(self.read(finding.evidence, cell))
        return self.blames[0] if self.blames else None

    def in_words(self, finding: Finding, cell: str, words: Words) -> list[str]:
        """The evidence of a finding of this gate, line by line."""
        return self.lines(self.read(finding.evidence, cell), words)

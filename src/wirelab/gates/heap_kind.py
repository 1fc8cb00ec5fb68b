"""The meaning of the heap figure, which differs between runtimes."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Concern, Gate, TypedFinding
from wirelab.gates.loads import EVERY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class HeapKinds(Strict):
    """Kinds of heap figure, in the words of the runtimes."""

    kinds: list[str]


def _check(cell: CellFacts) -> Iterator[TypedFinding[HeapKinds]]:
    """Say what ``heap.max`` is a figure of, which differs between runtimes: a remark, no fault."""
    if kinds := sorted({trial.heap_kind for trial in cell.trials if trial.heap_kind}):
        yield TypedFinding(Verdict.VALID, HeapKinds(kinds=kinds))


def _lines(evidence: HeapKinds, _words: Words) -> list[str]:
    return [", ".join(evidence.kinds)]


GATE = Gate(
    code="heap-kind",
    title=N_("kind of heap figure"),
    meaning=N_("What the runtime means by heap."),
    remedy=N_("Compare heaps only between contenders of one runtime."),
    looks_at="what the runtime says its heap figure is",
    verdicts={Verdict.VALID: "any runtime that says it"},
    loads=EVERY,
    blames=(),
    concerns=Concern.NOTHING,
    beside_its_figure=True,
    check=_check,
    evidence=HeapKinds,
    lines=_lines,
)

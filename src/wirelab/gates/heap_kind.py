"""The meaning of the heap figure, which differs between runtimes."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Concern, Gate, TypedFinding
from wirelab.gates.loads import EVERY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words

TOLD = (
    N_("anonymous RSS, an upper bound"),
    N_("anonymous RSS of the worker processes, an upper bound"),
    N_("V8 heap in use"),
    N_("objects on the heap, those not swept yet included"),
    N_("GC.GetTotalMemory, garbage not yet collected included"),
    N_("used heap (MemoryMXBean), garbage not yet collected included"),
    N_("malloc in use"),
)
"""Kinds that the SDKs and contenders of the tree tell; those of strangers are quoted."""


class HeapKinds(Strict):
    """Kinds of heap figure, in the words of the runtimes."""

    kinds: list[str]


def _check(cell: CellFacts) -> Iterator[TypedFinding[HeapKinds]]:
    """Say what ``heap.max`` is a figure of, which differs between runtimes: a remark, no fault."""
    if kinds := sorted({trial.heap_kind for trial in cell.trials if trial.heap_kind}):
        yield TypedFinding(Verdict.VALID, HeapKinds(kinds=kinds))


def _lines(evidence: HeapKinds, words: Words) -> list[str]:
    return [", ".join(words.gettext(kind) if kind in TOLD else kind for kind in evidence.kinds)]


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

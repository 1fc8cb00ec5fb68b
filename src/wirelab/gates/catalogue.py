"""All gates, in the order in which a reader should hear of them, and what they say together.

Every module of this package that has a ``GATE`` is one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from wirelab import gates as room
from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Gate
from wirelab.gates.loads import load_of
from wirelab.model.result import Finding, Verdict

READ_FIRST = (
    "trial-failed",
    "wrong-answer",
    "unverified",
    "fast-not-found",
    "loss-or-error",
    "left-out",
    "loop-failed",
    "below-floor",
    "between-batches",
    "between-operations",
    "between-ticks",
    "made-when-asked",
    "duplicated",
    "reordered",
    "held-back",
    "less-traffic",
    "not-on-the-wire",
    "sent-before-start",
    "not-served",
    "asked-too-often",
    "never-synced",
    "more-connections",
    "shared-connection",
    "answered-while-down",
    "another-version",
    "generator-saturated",
    "generator-ceiling",
    "clock",
    "rate-missed",
    "late-start",
    "unstable",
    "order-bias",
    "not-steady",
    "stood-still",
    "never-settled",
    "still-compiling",
    "batch-outliers",
    "not-repeating",
    "no-load-held",
    "at-least",
    "search-unfinished",
    "too-few-samples",
    "steal",
    "host-disturbed",
    "disturbed-seconds",
    "lost-trials",
    "noisy-neighbour",
    "own-scheduling",
    "not-pinned",
    "free-syncs",
    "unwatched",
    "unwitnessed",
    "resource-sanity",
    "harness-cost",
    "heap-kind",
)
"""Codes in the order of their gates; a gate that is not among them comes after these."""

GRAVITY = (Verdict.VALID, Verdict.WARN, Verdict.INVALID)
"""From the lightest verdict to the gravest."""


@cache
def every_gate() -> tuple[Gate[Any], ...]:
    """All gates, in order."""
    modules = (
        importlib.import_module(f"{room.__name__}.{found.name}")
        for found in sorted(pkgutil.iter_modules(room.__path__), key=lambda found: found.name)
    )
    found = [gate for module in modules if (gate := getattr(module, "GATE", None)) is not None]
    places = {code: place for place, code in enumerate(READ_FIRST)}
    return tuple(sorted(found, key=lambda gate: places.get(gate.code, len(places))))


@cache
def _by_code() -> Mapping[str, Gate[Any]]:
    return {gate.code: gate for gate in every_gate()}


def findings_of(cell: CellFacts) -> list[Finding]:
    """Ask the gates of the cell's load, in their order."""
    load = load_of(cell.scenario)
    return [
        finding for gate in every_gate() if load in gate.loads for finding in gate.findings(cell)
    ]


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """The gravest of verdicts; valid without any."""
    return max(verdicts, key=GRAVITY.index, default=Verdict.VALID)


def withholding(findings: Iterable[Finding]) -> str:
    """The first gate that takes all figures of the cell away; empty where none does."""
    withheld = (f.gate for f in findings if (gate := gate_of(f.gate)) and gate.withholds)
    return next(withheld, "")


def gate_of(code: str) -> Gate[Any] | None:
    """The gate of a reason code; None for one of another version of wirelab."""
    return _by_code().get(code)


def blamed(finding: Finding, cell: str) -> Blame | None:
    """The one a finding speaks against; nobody where its gate is not known."""
    gate = gate_of(finding.gate)
    return gate.blamed(finding, cell) if gate else None

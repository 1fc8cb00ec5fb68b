"""All gates, in the order in which a reader should hear of them, and what they say together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wirelab.gates import (
    at_least,
    batch_outliers,
    below_floor,
    clock,
    duplicated,
    fast_not_found,
    generator_ceiling,
    generator_saturated,
    harness_cost,
    heap_kind,
    late_start,
    less_traffic,
    loop_failed,
    loss_or_error,
    never_settled,
    no_load_held,
    noisy_neighbour,
    not_pinned,
    not_repeating,
    not_steady,
    order_bias,
    rate_missed,
    reordered,
    resource_sanity,
    search_unfinished,
    steal,
    stood_still,
    too_few_samples,
    trial_failed,
    unstable,
    wrong_answer,
)
from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Gate
from wirelab.gates.loads import load_of
from wirelab.model.result import Finding, Verdict

GATES: tuple[Gate[Any], ...] = (
    trial_failed.GATE,
    wrong_answer.GATE,
    fast_not_found.GATE,
    loss_or_error.GATE,
    loop_failed.GATE,
    below_floor.GATE,
    duplicated.GATE,
    reordered.GATE,
    less_traffic.GATE,
    generator_saturated.GATE,
    generator_ceiling.GATE,
    clock.GATE,
    rate_missed.GATE,
    late_start.GATE,
    unstable.GATE,
    order_bias.GATE,
    not_steady.GATE,
    stood_still.GATE,
    never_settled.GATE,
    batch_outliers.GATE,
    not_repeating.GATE,
    no_load_held.GATE,
    at_least.GATE,
    search_unfinished.GATE,
    too_few_samples.GATE,
    steal.GATE,
    noisy_neighbour.GATE,
    not_pinned.GATE,
    resource_sanity.GATE,
    harness_cost.GATE,
    heap_kind.GATE,
)

_BY_CODE: Mapping[str, Gate[Any]] = {gate.code: gate for gate in GATES}


def findings_of(cell: CellFacts) -> list[Finding]:
    """Ask the gates of the cell's load, in their order."""
    load = load_of(cell.scenario)
    return [finding for gate in GATES if load in gate.loads for finding in gate.findings(cell)]


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """The gravest verdict of all findings; valid without any."""
    gravity = [Verdict.VALID, Verdict.WARN, Verdict.INVALID]
    return max((finding.verdict for finding in findings), key=gravity.index, default=Verdict.VALID)


def withholding(findings: Iterable[Finding]) -> str:
    """The first gate that takes all figures of the cell away; empty where none does."""
    withheld = (f.gate for f in findings if (gate := gate_of(f.gate)) and gate.withholds)
    return next(withheld, "")


def gate_of(code: str) -> Gate[Any] | None:
    """The gate of a reason code; None for one of another version of wirelab."""
    return _BY_CODE.get(code)


def blamed(finding: Finding, cell: str) -> Blame | None:
    """The one a finding speaks against; nobody where its gate is not known."""
    gate = gate_of(finding.gate)
    return gate.blamed(finding, cell) if gate else None

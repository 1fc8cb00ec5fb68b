"""All gates, in the order in which a reader should hear of them, and the verdict they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wirelab.gates import (
    answers,
    batches,
    capacity,
    clock,
    deliveries,
    generator,
    host,
    instructions,
    resources,
    samples,
    schedule,
    stability,
    steadiness,
    traffic,
)
from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

Gate = Callable[[CellFacts], Iterable[Finding]]

GATES: tuple[Gate, ...] = (
    answers.trial_failed,
    answers.wrong_answer,
    answers.fast_not_found,
    answers.loss_or_error,
    batches.loop_failed,
    batches.below_floor,
    deliveries.duplicated,
    deliveries.reordered,
    traffic.less_traffic,
    generator.generator_saturated,
    generator.generator_ceiling,
    clock.clock,
    schedule.rate_missed,
    schedule.late_start,
    stability.unstable,
    stability.order_bias,
    steadiness.not_steady,
    deliveries.stood_still,
    batches.never_settled,
    batches.batch_outliers,
    samples.too_few_samples,
    host.steal,
    host.noisy_neighbour,
    host.not_pinned,
    resources.resource_sanity,
    resources.harness_cost,
)


OF_SEARCHES: tuple[Gate, ...] = (
    answers.wrong_answer,
    answers.fast_not_found,
    capacity.no_load_held,
    capacity.at_least,
    capacity.search_unfinished,
    host.noisy_neighbour,
    host.not_pinned,
    resources.harness_cost,
)
"""Gates of a capacity's cell. Each of its probes has been through those of a load by itself, and
what one of them failed is a part of the search."""


OF_COUNTS: tuple[Gate, ...] = (
    answers.trial_failed,
    answers.wrong_answer,
    batches.loop_failed,
    instructions.not_repeating,
)
"""Gates of a cell whose instructions were counted: what disturbs times changes no count."""


def findings_of(cell: CellFacts) -> list[Finding]:
    """What the gates have to say of a cell, in their order."""
    gates = OF_SEARCHES if cell.scenario.capacity is not None else GATES
    gates = OF_COUNTS if cell.scenario.counts_instructions else gates
    return [finding for gate in gates for finding in gate(cell)]


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """The gravest verdict of all findings; valid without any."""
    gravity = [Verdict.VALID, Verdict.WARN, Verdict.INVALID]
    return max((finding.verdict for finding in findings), key=gravity.index, default=Verdict.VALID)

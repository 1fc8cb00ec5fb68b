"""All gates, in the order in which a reader should hear of them, and the verdict they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wirelab.gates import (
    answers,
    batches,
    clock,
    deliveries,
    generator,
    host,
    resources,
    samples,
    schedule,
    stability,
    steadiness,
)
from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

Gate = Callable[[CellFacts], Iterable[Finding]]

GATES: tuple[Gate, ...] = (
    answers.trial_failed,
    answers.wrong_answer,
    answers.loss_or_error,
    batches.loop_failed,
    batches.below_floor,
    deliveries.duplicated,
    deliveries.reordered,
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


def findings_of(cell: CellFacts) -> list[Finding]:
    """What the gates have to say of a cell, in their order."""
    return [finding for gate in GATES for finding in gate(cell)]


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """The gravest verdict of all findings; valid without any."""
    gravity = [Verdict.VALID, Verdict.WARN, Verdict.INVALID]
    return max((finding.verdict for finding in findings), key=gravity.index, default=Verdict.VALID)

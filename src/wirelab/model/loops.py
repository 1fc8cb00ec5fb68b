"""Loops of operations in batches, as a profile of ``suite.toml`` asks for them."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.units import Duration, Strict, Term


class Loops(Strict):
    """Repetition of operations in batches.

    ``docs/reference/worker-contract.md`` defines it under *Batch loops*.
    """

    rounds: int = Field(
        default=0,
        ge=0,
        description="iterations of each batch, the first one cold; 0: calibrated, warmed up",
    )
    more: int = Field(
        default=0, ge=0, description="callgrind: iterations that the second process of a pair adds"
    )
    fewer: dict[Term, int] = Field(
        default={}, description="callgrind: by step, what both numbers of iterations are divided by"
    )
    batch: Duration = Field(default=100_000_000, gt=0, description="what a batch takes")
    count: int = Field(default=20, ge=0, description="batches that count; 0: nothing is timed")
    warmup: Duration = Field(default=3_000_000_000, ge=0, description="of each operation, at most")
    agree: float = Field(
        default=0.02, gt=0, lt=1, description="three batches this close to their median are warm"
    )

"""The spec's words on batches: how they are made, and the answers that others gave before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """The way in which batches are made, with times in nanoseconds.

    ``iterations`` 0 means calibrated; the spec's key for it is ``rounds``.
    ``counted``: somebody counts the instructions, so nothing may depend on time.
    """

    steps: tuple[str, ...]
    iterations: int
    batch_ns: int
    count: int
    warmup_ns: int
    agree: float
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """The answers of a contender in another scenario, and what it said of itself there."""

    contender: str
    facts: Mapping[str, Any]
    answers: Path


def plan_of(document: Mapping[str, Any]) -> BatchPlan | None:
    """The plan of a spec; None where nothing is repeated in batches."""
    batches = document.get("batches")
    if batches is None:
        return None
    return BatchPlan(
        steps=tuple(batches["steps"]),
        iterations=int(batches["rounds"]),
        batch_ns=int(batches["batch_ns"]),
        count=int(batches["count"]),
        warmup_ns=int(batches["warmup_ns"]),
        agree=float(batches["agree"]),
        counted=bool(batches.get("counted", False)),
    )


def inputs_of(document: Mapping[str, Any]) -> tuple[Input, ...]:
    """The answers that a spec passes on."""
    return tuple(
        Input(one["contender"], one["facts"], Path(one["answers"]))
        for one in document.get("inputs", ())
    )

"""What the spec says beyond the SDK's reading of it: batches, inputs, the batch file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirelab_sdk import SpecError


@dataclass(frozen=True, slots=True)
class Plan:
    """How batches are made; ``rounds`` 0 means calibrated, times are in nanoseconds.

    ``counted``: somebody counts the instructions, so nothing may depend on time.
    """

    rounds: int
    batch_ns: int
    count: int
    warmup_ns: int
    agree: float
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """The answers of a contender in another scenario."""

    contender: str
    format: str
    answers: Path


@dataclass(frozen=True, slots=True)
class Request:
    """What a worker of the codec suite is asked for."""

    steps: tuple[str, ...]
    plan: Plan
    timed: tuple[str, ...]
    answered: frozenset[str]
    inputs: tuple[Input, ...]
    batches: Path

    @classmethod
    def from_environment(cls) -> Request:
        """Of the spec that the SDK has read before; SpecError says what is wrong with it."""
        path = os.environ["WIRELAB_SPEC"]
        try:
            return _request(json.loads(Path(path).read_bytes()))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SpecError(f"{path} has no usable batches: {error!r}") from error


def _request(document: Mapping[str, Any]) -> Request:
    batches = document["batches"]
    operations = document["operations"]
    return Request(
        steps=tuple(batches["steps"]),
        plan=Plan(
            rounds=int(batches["rounds"]),
            batch_ns=int(batches["batch_ns"]),
            count=int(batches["count"]),
            warmup_ns=int(batches["warmup_ns"]),
            agree=float(batches["agree"]),
            counted=bool(batches.get("counted", False)),
        ),
        timed=tuple(name for name, entry in operations.items() if entry["record"] == "batches"),
        answered=frozenset(
            name for name, entry in operations.items() if entry["record"] != "batches"
        ),
        inputs=tuple(
            Input(one["contender"], one["facts"]["format"], Path(one["answers"]))
            for one in document.get("inputs", ())
        ),
        batches=Path(document["paths"]["batches"]),
    )

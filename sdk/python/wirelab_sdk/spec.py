"""The core's request to this process: the JSON file that ``WIRELAB_SPEC`` names."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from wirelab_sdk.batch_spec import BatchPlan, Input, inputs_of, plan_of

CONTRACT = 2
"""Version of the worker contract that is spoken."""

_FROM_ENVIRONMENT = re.compile(r"\$\{(WIRELAB_[A-Z0-9_]+)\}")

T = TypeVar("T", bool, int, float, str)


class SpecError(ValueError):
    """The spec is missing, is not JSON, or is not what the contract says."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A kind of timed call."""

    name: str
    code: int
    every: int
    items: int
    deadline_ns: int | None
    when: str = "tick"
    """`tick`, `join` (once, when the user connects) or `step` (once a step of a closed loop)."""
    record: str = "samples"
    """Kind of its record: `samples`, `intervals` or `batches`."""

    def due(self, tick: int) -> bool:
        """Whether the operation is to be performed at ``tick``."""
        return self.when == "tick" and tick % self.every == 0


Scalar = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the schedule: ``count`` ticks from ``first`` on, ``settle`` of them left out."""

    name: str
    first: int
    count: int
    settle: int
    users: int
    lanes: int
    join_ns: int
    parameters: Mapping[str, Scalar]

    @property
    def settling(self) -> range:
        """The ticks that are in no figure."""
        return range(self.first, self.first + self.settle)

    @property
    def counting(self) -> range:
        """The ticks that are in the figures."""
        return range(self.first + self.settle, self.first + self.count)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Absolute times of the ticks, relative to the start.

    In a closed ``loop`` they have none: a lane performs the next one when the last one's result
    is there, step by step.
    """

    first_ns: int
    period_ns: int
    count: int
    warmup: int
    loop: str = "open"
    steps: tuple[Step, ...] = ()
    cycle: tuple[int, int] = (1, 1)
    """Length in ticks, and for how many of them a lane is due."""

    @property
    def is_closed(self) -> bool:
        """Whether lanes wait for their results; batches, which are closed too, have no lanes."""
        return self.loop == "closed" and bool(self.steps)

    def intended(self, start_ns: int, tick: int) -> int:
        """CLOCK_MONOTONIC nanoseconds at which ``tick`` is due."""
        return start_ns + self.first_ns + tick * self.period_ns


@dataclass(frozen=True, slots=True)
class Verification:
    """The operations that are performed, and answered, before timing."""

    preflight: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Paths:
    """Files of this worker."""

    samples: Path
    answers: Path
    scratch: Path
    intervals: Path = Path()
    batches: Path = Path()
    stacks: Path = Path()


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits, in nanoseconds."""

    ready_ns: int
    operation_ns: int
    stop_ns: int


@dataclass(frozen=True, slots=True)
class OwnTarget:
    """A server of the user's own, and what its stand-in is to do there."""

    program: str
    address: str
    fill: bool
    task: str
    path: str = ""
    """Path of its endpoint, with the slash before it; empty: none."""
    items: Sequence[str] = ()
    """Items that clients are to read there, as the user listed them."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One role of one trial."""

    trial: str
    suite: str
    scenario: str
    variant: str
    contender: str
    role: str
    seed: int
    parameters: Mapping[str, Scalar]
    listen: str
    endpoints: Mapping[str, str]
    facts: Mapping[str, Mapping[str, Any]]
    operations: Mapping[str, Operation]
    schedule: Schedule
    verify: Verification
    paths: Paths
    limits: Limits
    target: OwnTarget | None = None
    batches: BatchPlan | None = None
    """The way in which operations are repeated in batches; None where they are not."""
    inputs: tuple[Input, ...] = ()

    def parameter(self, name: str, default: T, step: Step | None = None) -> T:
        """The parameter ``name`` in the type of ``default``; SpecError when it has another.

        What a ``step`` says itself counts before what the spec says.
        """
        own = step.parameters if step is not None else {}
        value = own.get(name, self.parameters.get(name, default))
        if isinstance(default, float) and type(value) is int:
            value = float(value)
        if type(value) is not type(default):
            expected = type(default).__name__
            raise SpecError(f"parameter {name} must be {expected}, found {value!r}")
        return value

    @classmethod
    def from_environment(cls) -> Spec:
        """The spec of this process; SpecError says what is wrong with it."""
        path = os.environ.get("WIRELAB_SPEC")
        if not path:
            raise SpecError("WIRELAB_SPEC is not set: this program is started by wirelab")
        try:
            document = json.loads(Path(path).read_bytes())
        except OSError as error:
            raise SpecError(f"cannot read the spec: {error}") from error
        except ValueError as error:
            raise SpecError(f"{path} is not JSON: {error}") from error
        if not isinstance(document, dict) or document.get("contract") != CONTRACT:
            raise SpecError(f"{path} is not a spec of worker contract {CONTRACT}")
        try:
            return _spec(document)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SpecError(f"{path} breaks the contract: {error!r}") from error


def _spec(document: Mapping[str, Any]) -> Spec:
    paths, limits, schedule = document["paths"], document["limits"], document["schedule"]
    verify = document.get("verify", {})
    return Spec(
        trial=str(document["trial"]),
        suite=str(document["suite"]),
        scenario=str(document["scenario"]),
        variant=str(document.get("variant", "")),
        contender=str(document.get("contender", "")),
        role=str(document["role"]),
        seed=int(document.get("seed", 0)),
        parameters=dict(document["parameters"]),
        listen=str(document.get("listen", "127.0.0.1:0")),
        endpoints={
            role: _with_login(endpoint) for role, endpoint in document.get("endpoints", {}).items()
        },
        facts=dict(document.get("facts", {})),
        operations={
            name: _operation(name, entry) for name, entry in document["operations"].items()
        },
        schedule=Schedule(
            int(schedule["first_ns"]),
            int(schedule["period_ns"]),
            int(schedule["count"]),
            int(schedule["warmup"]),
            str(schedule.get("loop", "open")),
            tuple(_step(entry) for entry in schedule.get("steps", ())),
            _cycle(schedule.get("cycle", {})),
        ),
        verify=Verification(preflight=dict(verify.get("preflight", {}))),
        paths=Paths(
            Path(paths["samples"]),
            Path(paths["answers"]),
            Path(paths["scratch"]),
            Path(paths.get("intervals", "")),
            Path(paths.get("batches", "")),
            Path(paths.get("stacks", "")),
        ),
        limits=Limits(int(limits["ready_ns"]), int(limits["operation_ns"]), int(limits["stop_ns"])),
        target=OwnTarget(**document["target"]) if "target" in document else None,
        batches=plan_of(document),
        inputs=inputs_of(document),
    )


def _with_login(endpoint: str) -> str:
    """An endpoint with user and password in the place of their names.

    Endpoints are recorded; a login for a server of the user's own is in the environment alone.
    """
    return _FROM_ENVIRONMENT.sub(lambda m: quote(os.environ.get(m[1], ""), safe=""), endpoint)


def _cycle(entry: Mapping[str, Any]) -> tuple[int, int]:
    return int(entry.get("length", 1)), int(entry.get("active", 1))


def _step(entry: Mapping[str, Any]) -> Step:
    return Step(
        name=str(entry["name"]),
        first=int(entry["first"]),
        count=int(entry["count"]),
        settle=int(entry["settle"]),
        users=int(entry["users"]),
        lanes=int(entry["lanes"]),
        join_ns=int(entry["join_ns"]),
        parameters=dict(entry.get("parameters", {})),
    )


def _operation(name: str, entry: Mapping[str, Any]) -> Operation:
    deadline = entry.get("deadline_ns")
    return Operation(
        name=name,
        code=int(entry["code"]),
        every=int(entry.get("every", 1)),
        items=int(entry.get("items", 1)),
        deadline_ns=None if deadline is None else int(deadline),
        when=str(entry.get("due", "tick")),
        record=str(entry.get("record", "samples")),
    )

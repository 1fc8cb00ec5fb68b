"""The spec file of a role: what the contract tells a worker before it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from wirelab.model.events import CONTRACT
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.several import process_name
from wirelab.samples.stacks import STACKS
from wirelab.schedule import Schedule
from wirelab.trial.askings import unforeseen
from wirelab.trial.load import TrialLoad, load_of

_VERIFIED_AT_LEAST = 3


@dataclass(frozen=True)
class OwnTarget:
    """A server of the user's own, and what its stand-in is to do there."""

    program: str
    address: str
    path: str = ""
    items: list[str] = field(default_factory=list)
    fill: bool = False
    task: Literal["check", "serve", "remove"] = "serve"


@dataclass
class Surroundings:
    """Facts about the other roles when a role starts."""

    endpoints: dict[str, str] = field(default_factory=dict)
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    inputs: list[dict[str, Any]] = field(default_factory=list)
    """Answers that contenders gave in another scenario of the run."""


def spec_of(
    trial: PlannedTrial,
    scenario: Scenario,
    role: str,
    surroundings: Surroundings,
    *,
    mark: str,
    folder: Path,
    listen: str,
    outputs: Path | None = None,
    target: OwnTarget | None = None,
    process: int = 0,
) -> dict[str, Any]:
    """The spec of ``role``; only the measured role has a schedule and answers to give.

    ``outputs`` is the folder that it writes its files to, where that is not ``folder``; ``process``
    its number where it is one of several of its role.
    """
    measured = scenario.roles[role].measured
    outputs, name = outputs or folder, process_name(role, process)
    operations = {name: scenario.operations[name] for name in trial.operations}
    load = load_of(trial, scenario)
    idle = {} if measured else {"count": 0, "warmup": 0, "steps": []}
    spec: dict[str, Any] = {
        "contract": CONTRACT,
        "trial": mark,
        "suite": trial.suite,
        "scenario": trial.scenario,
        "variant": trial.variant,
        "contender": trial.contender,
        "role": role,
        "seed": trial.seed,
        "parameters": trial.parameters,
        "listen": listen,
        "endpoints": dict(surroundings.endpoints),
        "facts": dict(surroundings.facts),
        "operations": {name: _operation(operation) for name, operation in operations.items()},
        "schedule": {
            "first_ns": _first_ns(trial, process),
            **load.schedule(),
            **idle,
        },
        "verify": _verification(
            operations, load if measured else None, told=is_told(scenario, role)
        ),
        "paths": {
            "samples": str(outputs / f"{name}.samples"),
            "answers": str(outputs / f"{name}.answers.jsonl"),
            "intervals": str(outputs / f"{name}.intervals.jsonl"),
            "scratch": str(folder / name),
        },
        "limits": {
            "ready_ns": scenario.ready_limit,
            "operation_ns": scenario.operation_limit,
            "stop_ns": scenario.stop_limit,
        },
    }
    if scenario.stacks_of == role:
        spec["paths"]["stacks"] = str(folder / name / STACKS)
    if target is not None:
        spec["target"] = asdict(target)
    if measured and (batches := load.batches()) is not None:
        spec["batches"] = batches
        spec["inputs"] = surroundings.inputs
        spec["paths"]["batches"] = str(outputs / f"{role}.batches.jsonl")
    return spec


def _first_ns(trial: PlannedTrial, process: int) -> int:
    """The shift of the one lane of a process of several: they are spread as lanes of one are."""
    if not process or not isinstance(trial.load, PlannedSchedule):
        return 0
    lane = np.array([process - 1])
    return int(Schedule.of(trial.load).shifts(lane)[0])


def _operation(operation: Operation) -> dict[str, Any]:
    return {
        "code": operation.code,
        "every": operation.every,
        "items": operation.items,
        "due": operation.due,
        "record": operation.record,
        "deadline_ns": operation.deadline,
    }


def is_told(scenario: Scenario, role: str) -> bool:
    """Whether a role knows beforehand which answers it is to write: a generator, which measures
    others and is not judged. A contender is asked afterwards.
    """
    return not scenario.roles[role].is_contenders


def _verification(
    operations: Mapping[str, Operation], load: TrialLoad | None, *, told: bool
) -> dict[str, Any]:
    """The preflight, and what else a role is told of what will be verified."""
    if load is None or load.is_judged:
        return {"preflight": {}} | ({"ticks": {}} if told else {})
    ticks = {"ticks": drawn(operations, load.verified_ticks())} if told else {}
    return {"preflight": preflight(operations)} | ticks


def preflight(operations: Mapping[str, Operation]) -> dict[str, int]:
    """Calls of each operation that are verified before timing."""
    return {name: one.preflight for name, one in operations.items() if one.preflight}


def asked_for(operations: Mapping[str, Operation]) -> list[str]:
    """Operations whose answers may be asked for: what is not due at ticks has none."""
    return [
        name
        for name, operation in operations.items()
        if operation.verify_ratio > 0 and (operation.due, operation.record) == ("tick", "samples")
    ]


def drawn(operations: Mapping[str, Operation], possible: Sequence[int]) -> dict[str, list[int]]:
    """A part of the ``possible`` ticks of each operation, whose answers are to be written.

    Nothing follows from the run's seed: servers know that. What is not due at ticks has none.
    """
    chance = unforeseen()
    ticks: dict[str, list[int]] = {}
    for name in asked_for(operations):
        operation = operations[name]
        due = [tick for tick in possible if tick % operation.every == 0]
        wanted = max(_VERIFIED_AT_LEAST, round(len(due) * operation.verify_ratio))
        ticks[name] = sorted(chance.sample(due, min(wanted, len(due))))
    return ticks

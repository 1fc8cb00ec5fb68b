"""Trials of a faults scenario: what a caller sees while the server goes away and comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from synthetic.behaviour import MS, SECOND, Caller, Client
from synthetic.folder import SAMPLE_TYPES, SyntheticRun, Trial
from synthetic.load import load_trial
from synthetic.manifests import faults_scenario, run_of
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.scenario import Scenario


def faults_run(
    callers: Mapping[str, Caller], *, trials: int = 1, seed: int = 7, suite: str = "demo"
) -> SyntheticRun:
    """A run of the faults scenario: every variant for every contender."""
    scenario = faults_scenario()
    clients = {name: Client(median_ms=1.0) for name in callers}
    plan: list[PlannedTrial] = []
    for block in range(trials):
        for variant_name, variant in scenario.variants.items():
            for name in sorted(callers):
                plan.append(
                    PlannedTrial(
                        id=f"{len(plan):04d}-faults-{variant_name}-{name}",
                        position=len(plan),
                        block=block,
                        suite=suite,
                        scenario="faults",
                        variant=variant_name,
                        contender=name,
                        included=True,
                        seed=seed + len(plan),
                        parameters=variant.parameters,
                        load=PlannedSchedule(
                            period_ns=scenario.period, count=variant.count or 60, warmup=0
                        ),
                        operations=variant.operations,
                        faults=variant.faults,
                    )
                )
    built = SyntheticRun(
        run_of(
            suite, "quick", scenarios={"faults": scenario}, clients=clients, plan=plan, seed=seed
        )
    )
    begins = 1_000 * SECOND
    for planned in plan:
        trial = faults_trial(planned, scenario, callers[planned.contender], begins)
        built.trials.append(trial)
        begins = trial.record["ended_ns"] + 5 * SECOND
    return built


def faults_trial(
    planned: PlannedTrial, scenario: Scenario, caller: Caller, begins_ns: int
) -> Trial:
    """One trial of a faults variant, as the caller's behaviour makes it."""
    base = load_trial(planned, scenario, Client(median_ms=1.0, heap_mb=None), begins_ns)
    tick0 = base.record["tick0_ns"]
    operation = planned.operations[0]
    applied, down, back = _applied(planned, begins_ns, tick0)
    outcome = _per_tick(planned, scenario, caller, tick0=tick0, down=down, back=back)
    code = scenario.operations[operation].code
    columns = np.array(
        [(i, s, e, 0, code, status, 0) for i, s, e, status in outcome], dtype=np.int64
    ).reshape(-1, 7)
    base.samples = {name: columns[:, at] for at, name in enumerate(SAMPLE_TYPES)}
    base.record["faults"] = applied
    last = max((end for _, _, end, _ in outcome), default=0)
    base.record["ended_ns"] = max(base.record["ended_ns"], last + SECOND // 2)
    if len(columns) < planned.load.count:
        base.record["ended_ns"] += scenario.operation_limit + 10 * SECOND
        base.record["detail"] = "stopped by the core 14 s after the end of its schedule"
    base.record["roles"]["client"]["done"]["records"] = len(columns)
    errors = [
        _error(caller, operation, intended, end, status)
        for intended, _, end, status in outcome
        if status and not (status == 5 and caller.silent)
    ]
    base.record["roles"]["client"]["errors"] = [e["event"] for e in errors]
    base.events["client"][-1:-1] = errors
    return base


def _applied(
    planned: PlannedTrial, begins: int, tick0: int
) -> tuple[list[dict[str, Any]], int | None, int | None]:
    """Faults as carried out, when the server went away and when it was back."""
    applied: list[dict[str, Any]] = []
    down = back = None
    for fault in planned.faults:
        at = begins + 100 * MS if fault.at == "before-client" else tick0 + int(fault.at)
        entry: dict[str, Any] = {"action": fault.action, "role": fault.role, "monotonic_ns": at}
        if fault.action in ("stop", "kill"):
            down = at
        else:
            back = at + (60 * MS if fault.action == "restart" else 0)
        if fault.action == "restart":
            entry["ready_ns"] = back
        applied.append(entry)
    return applied, down, back


def _per_tick(
    planned: PlannedTrial,
    scenario: Scenario,
    caller: Caller,
    *,
    tick0: int,
    down: int | None,
    back: int | None,
) -> list[tuple[int, int, int, int]]:
    """(intended, start, end, status) of each operation; one call at a time."""
    variant = scenario.variants[planned.variant]
    stopped = any(fault.action == "stop" for fault in planned.faults)
    refused = any(fault.at == "before-client" for fault in planned.faults)
    good_from = None
    if back is not None and caller.recovery_ms is not None:
        good_from = back + round(caller.recovery_ms * MS)
    outcome: list[tuple[int, int, int, int]] = []
    free = 0
    for tick in range(planned.load.count):
        intended = tick0 + tick * planned.load.period_ns
        start = max(intended, free) + 20_003
        fine = down is None or start < down or (good_from is not None and start >= good_from)
        if variant.expects == "item-error":
            end, status = start + MS, (0 if caller.silent else 5)
        elif fine:
            end, status = start + MS, 0
        elif caller.hang:
            break
        elif stopped and caller.frozen and back is not None and start < back:
            end, status = back + MS, 0
        elif stopped:
            end, status = start + round(caller.timeout_ms * MS), 2
        else:
            end, status = start + round(caller.error_ms * MS), (4 if refused else 3)
        outcome.append((intended, start, end, status))
        free = end
    return outcome


def _error(caller: Caller, operation: str, intended: int, end: int, status: int) -> dict[str, Any]:
    event = {
        "event": "error",
        "class": caller.error_class,
        "status": caller.status_name,
        "message": f"{caller.status_name}: the call failed",
        "scope": "item" if status == 5 else "call",
        "operation": operation,
        "intended_ns": int(intended),
        "monotonic_ns": int(end),
    }
    return {"received_ns": int(end) + MS, "event": event}

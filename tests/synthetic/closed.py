"""Trials in closed loops: users who each do the next thing when the last one is done, step by step.

Every user is a lane. ``rtt`` is what a lane repeats; each brings ``FANOUT`` deliveries, which are
counted; ``all`` is done once by every user in every step, and ends when the user has everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from synthetic.behaviour import MS, SECOND, Client
from synthetic.crowd import delivery_line
from synthetic.folder import SyntheticRun, Trial
from synthetic.load import load_trial
from synthetic.manifests import run_of
from wirelab.model.planned import PlannedClosed, PlannedSchedule, PlannedStep, PlannedTrial
from wirelab.model.scenario import Scenario

FANOUT = 3
BYTES = 10  # of a delivery
TICKS, SETTLING = 600, 20
RTT, CONNECT, ALL = 1, 3, 4


def closed_scenario(**changes: Any) -> Scenario:
    """Steps of 2 and 4 users; keys of ``changes`` replace."""
    return Scenario.model_validate(
        {
            "title": {"en": "Echo by users", "ko": "사용자별 에코"},
            "load": {"type": "closed", "at_most": "10ms"},
            "operation_limit": "5s",
            "roles": {
                "server": {"provider": "service:server"},
                "client": {"provider": "contender", "measured": True},
            },
            "operations": {
                "rtt": {"code": RTT, "item": "message", "marks": [100, 1000]},
                "delivery": {"code": 2, "item": "message", "record": "intervals"},
                "connect": {"code": CONNECT, "item": "connection", "due": "join"},
                "all": {"code": ALL, "item": "message", "due": "step"},
            },
            "steps": {
                "few": {"title": {"en": "2 users", "ko": "사용자 2명"}, "users": 2},
                "more": {"title": {"en": "4 users", "ko": "사용자 4명"}, "users": 4},
            },
            "profiles": {"quick": {"trials": 3, "count": TICKS + SETTLING, "settle": SETTLING}},
            "bounds": {"cv_operation": "rtt"},
            "rankings": [{"metric": "step.elapsed"}, {"metric": "rtt.latency.p50"}],
            **changes,
        }
    )


def closed_run(
    clients: Mapping[str, Client],
    *,
    scenario: Scenario | None = None,
    trials: int = 3,
    ticks: int = TICKS,
    seed: int = 13,
) -> SyntheticRun:
    """Trials of each client, all fine; ``ticks`` count in each step."""
    scenario = scenario or closed_scenario()
    plan = [
        _planned((len(clients) * block + number, block, name), scenario, ticks, seed)
        for block in range(trials)
        for number, name in enumerate(sorted(clients))
    ]
    run = run_of(
        "demo", "quick", scenarios={"closed": scenario}, clients=clients, plan=plan, seed=seed
    )
    built = SyntheticRun(run)
    begins = 1_000 * SECOND
    for planned in plan:
        trial = _trial(planned, scenario, clients[planned.contender], begins)
        built.trials.append(trial)
        begins = trial.record["ended_ns"] + 5 * SECOND
    return built


def _planned(
    place: tuple[int, int, str], scenario: Scenario, ticks: int, seed: int
) -> PlannedTrial:
    position, block, contender = place
    each = SETTLING + ticks
    steps = [
        PlannedStep(
            name=name,
            first=number * each,
            count=each,
            settle=SETTLING,
            users=int(step.users),
            lanes=int(step.users),
        )
        for number, (name, step) in enumerate(scenario.steps.items())
    ]
    return PlannedTrial(
        id=f"{position:04d}-closed-{contender}",
        position=position,
        block=block,
        suite="demo",
        scenario="closed",
        variant="",
        contender=contender,
        included=True,
        seed=seed + position,
        parameters={},
        load=PlannedClosed(at_most_ns=scenario.period, steps=steps),
        operations=list(scenario.operations),
    )


def _trial(planned: PlannedTrial, scenario: Scenario, client: Client, begins: int) -> Trial:
    one = scenario.model_copy(
        update={"operations": {"rtt": scenario.operations["rtt"]}, "steps": {}}
    )
    longest = round(2 * client.median_ms * MS) + MS
    load = PlannedSchedule(period_ns=longest, count=planned.load.count, warmup=0)
    update = {"operations": ["rtt"], "load": load}
    trial = load_trial(planned.model_copy(update=update), one, client, begins)
    trial.planned = planned
    rng = np.random.default_rng([planned.seed, 3])
    rows, trial.record["steps"] = _carried_out(rng, planned, client, trial.record["tick0_ns"])
    columns = np.array(rows, dtype=np.int64)
    order = np.argsort(columns[:, 1], kind="stable")
    start, end, op, lane = columns[order].T
    trial.samples = {
        "intended_ns": start,
        "start_ns": start,
        "end_ns": end,
        "size": np.where(op == RTT, 100, 0),
        "op": op,
        "status": np.zeros(len(op), dtype=np.int64),
        "lane": lane,
    }
    trial.intervals = [
        line for name in trial.record["steps"] for line in _deliveries(rng, trial, name, client)
    ]
    return trial


def _carried_out(
    rng: np.random.Generator, planned: PlannedTrial, client: Client, tick0: int
) -> tuple[list[tuple[int, int, int, int]], dict[str, tuple[int, int]]]:
    """(start, end, op, lane) of everything, and where each step began and ended."""
    rows: list[tuple[int, int, int, int]] = []
    said: dict[str, tuple[int, int]] = {}
    at, before = tick0, 0
    factor = float(np.exp(rng.normal(0, client.trial_spread)))

    def lanes(users: int, ticks: int, since: int) -> list[int]:
        ends = []
        for lane in range(users):
            took = np.exp(rng.normal(np.log(client.median_ms * factor), client.spread, ticks)) * MS
            edges = since + np.concatenate([[0], np.cumsum(took.astype(np.int64) + 1_000)])
            rows.extend((int(a), int(b) - 1_000, RTT, lane) for a, b in pairwise(edges))
            ends.append(int(edges[-1]))
        return ends

    for step in planned.load.steps:
        for user in range(before, step.users):
            rows.append((at, at + MS, CONNECT, user))
            at += MS
        settled = max(lanes(step.users, step.settle, at)) + 5 * MS
        ends = lanes(step.users, step.count - step.settle, settled + 1_000)
        rows.extend((settled, end + lane * MS, ALL, lane) for lane, end in enumerate(ends))
        stop = max(end + lane * MS for lane, end in enumerate(ends)) + MS
        said[step.name] = (settled, stop)
        at, before = stop + MS, step.users
    return rows, said


def _deliveries(
    rng: np.random.Generator, trial: Trial, step: str, client: Client
) -> list[dict[str, Any]]:
    begin, stop = trial.record["steps"][step]
    start, op = trial.samples["start_ns"], trial.samples["op"]
    own = start[(op == RTT) & (start >= begin) & (start < stop)] - trial.record["tick0_ns"]
    seconds, sends = np.unique(own // SECOND, return_counts=True)
    lines = []
    for second, sent in zip(seconds.tolist(), sends.tolist(), strict=True):
        count = sent * FANOUT
        line = delivery_line(rng, second, count, count, client.median_ms * 1.2)
        counts = {**line["counts"], "bytes": count * BYTES}
        lines.append({**line, "counts": counts, "step": step, "response": ""})
    return lines

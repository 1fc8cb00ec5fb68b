"""Trials in which a generator drives many users of a server, step by step.

Every user sends once a second to a board of ``BOARD`` members; round trips are samples,
deliveries are recorded by the second. The contender is the server, the measured role
(``client``) the generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram

from synthetic.behaviour import MS, SECOND, Client
from synthetic.folder import SyntheticRun, Trial
from synthetic.load import load_trial
from synthetic.manifests import run_of
from wirelab.model.planned import PlannedSchedule, PlannedTrial, ScheduledStep
from wirelab.model.scenario import Scenario
from wirelab.samples.intervals import encoded
from wirelab.schedule import Schedule

BOARD = 5
STEP_TICKS, SETTLE = 12, 2


def crowd_scenario(**changes: Any) -> Scenario:
    """Two steps of 10 and 20 users; keys of ``changes`` replace."""
    return Scenario.model_validate(
        {
            "title": {"en": "Many users", "ko": "여러 사용자"},
            "load": {"type": "open", "period": "1s"},
            "operation_limit": "5s",
            "roles": {
                "broker": {
                    "provider": "service:broker",
                    "optional": True,
                    "colocated_with": "server",
                },
                "server": {"provider": "contender", "subject": True},
                "client": {"provider": "engine:websocket", "measured": True},
            },
            "operations": {
                "rtt": {"code": 1, "item": "message"},
                "delivery": {"code": 2, "item": "message", "record": "intervals"},
                "connect": {"code": 3, "item": "connection", "due": "join"},
            },
            "steps": {
                "few": {"title": {"en": "10 users"}, "users": 10},
                "more": {"title": {"en": "20 users"}, "users": 20},
            },
            "profiles": {"quick": {"trials": 2, "count": 2 * STEP_TICKS, "settle": SETTLE}},
            "bounds": {"cv_operation": "rtt"},
            "rankings": [{"metric": "rtt.response.p50"}, {"metric": "delivery.response.p50"}],
            **changes,
        }
    )


def crowd_run(
    servers: Mapping[str, Client],
    *,
    scenario: Scenario | None = None,
    seed: int = 11,
    trials: int = 2,
    ticks: int = STEP_TICKS,
) -> SyntheticRun:
    """Two trials of each server, all fine, with so many ticks in each step."""
    scenario = scenario or crowd_scenario()
    plan = [
        _planned(len(servers) * block + number, block, name, scenario, seed, ticks=ticks)
        for block in range(trials)
        for number, name in enumerate(sorted(servers))
    ]
    run = run_of(
        "demo", "quick", scenarios={"crowd": scenario}, clients=servers, plan=plan, seed=seed
    )
    built = SyntheticRun(run)
    begins = 1_000 * SECOND
    for planned in plan:
        trial = _trial(planned, scenario, servers[planned.contender], begins)
        built.trials.append(trial)
        begins = trial.record["ended_ns"] + 5 * SECOND
    return built


def _planned(
    position: int, block: int, contender: str, scenario: Scenario, seed: int, *, ticks: int
) -> PlannedTrial:
    sizes = {name: step.users for name, step in scenario.steps.items()}
    steps = [
        ScheduledStep(
            name=name,
            first=number * ticks,
            count=ticks,
            settle=SETTLE,
            users=int(users),
            lanes=int(users),
            join_ns=SECOND,
        )
        for number, (name, users) in enumerate(sizes.items())
    ]
    return PlannedTrial(
        id=f"{position:04d}-crowd-{contender}",
        position=position,
        block=block,
        suite="demo",
        scenario="crowd",
        variant="",
        contender=contender,
        included=True,
        seed=seed + position,
        parameters={},
        load=PlannedSchedule(
            period_ns=scenario.period, count=len(steps) * ticks, warmup=SETTLE, steps=steps
        ),
        operations=list(scenario.operations),
    )


def _trial(planned: PlannedTrial, scenario: Scenario, client: Client, begins: int) -> Trial:
    plain = scenario.model_copy(
        update={"operations": {"rtt": scenario.operations["rtt"]}, "steps": {}}
    )
    trial = load_trial(planned.model_copy(update={"operations": ["rtt"]}), plain, client, begins)
    trial.planned = planned
    # The server does the work of the synthetic client; its generator is nearly idle.
    trial.probe["server"], trial.probe["client"] = trial.probe["client"], trial.probe["server"]
    trial.events["server"], trial.events["client"] = trial.events["client"], trial.events["server"]
    tick0 = trial.record["tick0_ns"]
    rng = np.random.default_rng([planned.seed, 1])
    trial.samples = _samples(rng, planned, client, tick0)
    trial.intervals = _deliveries(rng, planned, client)
    trial.record["ended_ns"] += SECOND
    return trial


def _samples(
    rng: np.random.Generator, planned: PlannedTrial, client: Client, tick0: int
) -> dict[str, np.ndarray]:
    rows: list[tuple[int, int, int]] = []
    before = 0
    for step in planned.load.steps:
        for user in range(before, step.users):
            share = (user - before) * step.join_ns // (step.users - before)
            rows.append((tick0 + step.first * planned.load.period_ns + share, 3, user))
        before = step.users
    rows += [(tick0 + at, 1, lane) for at, lane in _sends(planned)]
    intended, op, lane = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    start = intended + rng.exponential(client.drift_ms * MS, len(rows)).astype(np.int64)
    service = np.exp(rng.normal(np.log(client.median_ms), client.spread, len(rows))) * MS
    blank = np.zeros(len(rows), dtype=np.int64)
    return {
        "intended_ns": intended,
        "start_ns": start,
        "end_ns": start + service.astype(np.int64),
        "size": blank + 130,
        "op": op,
        "status": blank.copy(),
        "lane": lane,
    }


_known: dict[str, list[tuple[int, int]]] = {}
"""Sends by their load: the trials of a run have the same."""


def _sends(planned: PlannedTrial) -> list[tuple[int, int]]:
    """(ns after tick 0, lane) of every send, by the definition of the schedule."""
    load = planned.load.model_dump_json()
    if load not in _known:
        _known[load] = _sends_of(planned)
    return _known[load]


def _sends_of(planned: PlannedTrial) -> list[tuple[int, int]]:
    schedule = Schedule.of(planned.load)
    lanes = max(step.lanes for step in planned.load.steps)
    shifts = schedule.shifts(np.arange(lanes))
    return [
        (tick * planned.load.period_ns + int(shifts[lane]) % planned.load.period_ns, lane)
        for tick in range(planned.load.count)
        for lane in range(lanes)
        if schedule.is_due(tick, lane)
    ]


def _deliveries(
    rng: np.random.Generator, planned: PlannedTrial, client: Client
) -> list[dict[str, Any]]:
    sent: dict[int, int] = {}
    for at, _ in _sends(planned):
        sent[at // SECOND] = sent.get(at // SECOND, 0) + 1
    lines = []
    for second, sends in sorted(sent.items()):
        expected = sends * (BOARD - 1)
        lines.append(delivery_line(rng, second, expected, expected, client.median_ms * 1.2))
    return lines


def delivery_line(
    rng: np.random.Generator, second: int, expected: int, received: int, median_ms: float
) -> dict[str, Any]:
    """A line of the interval file with lognormal times."""
    took = np.exp(rng.normal(np.log(median_ms), 0.25, received)) * MS
    return line_of(second, expected, took)


def line_of(
    second: int, expected: int, took: np.ndarray, tenth: int | None = None
) -> dict[str, Any]:
    """A line of the interval file with deliveries that took so long, ns."""
    received = len(took)
    service, response = (HdrHistogram(1_000, 120 * SECOND, 3) for _ in range(2))
    for value in took:
        service.record_value(int(value))
        response.record_value(int(value) + 20_000)
    counts = {"expected": expected, "received": received, "duplicates": 0, "reordered": 0}
    return {
        "second": second,
        **({} if tenth is None else {"tenth": tenth}),
        "operation": "delivery",
        "counts": counts | {"wrong": 0, "bytes": received * 130},
        "service": encoded(service),
        "response": encoded(response),
    }

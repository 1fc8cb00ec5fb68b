"""Trials of a load scenario, all fine until a test spoils them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from synthetic.behaviour import MS, PROBE_NS, SECOND, Client
from synthetic.folder import SyntheticRun, Trial
from synthetic.manifests import load_scenario, run_of
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.scenario import Scenario


def load_run(
    clients: Mapping[str, Client],
    *,
    scenario: Scenario | None = None,
    trials: int = 3,
    discard: int = 1,
    count: int = 600,
    warmup: int = 30,
    seed: int = 7,
    suite: str = "demo",
    scenario_name: str = "main",
    profile: str = "quick",
) -> SyntheticRun:
    """A run of a load scenario, blocks interleaved, all trials fine."""
    scenario = scenario or load_scenario()
    measure = Measure(trials=trials, discard=discard, count=count, warmup=warmup)
    plan = _plan(clients, suite, scenario_name, scenario, measure=measure, seed=seed)
    scenarios = {scenario_name: scenario}
    run = run_of(suite, profile, scenarios=scenarios, clients=clients, plan=plan, seed=seed)
    built = SyntheticRun(run)
    begins = 1_000 * SECOND
    for planned in plan:
        trial = load_trial(planned, scenario, clients[planned.contender], begins)
        built.trials.append(trial)
        begins = trial.record["ended_ns"] + 5 * SECOND
    return built


def _plan(
    contenders: Iterable[str],
    suite: str,
    name: str,
    scenario: Scenario,
    *,
    measure: Measure,
    seed: int,
) -> list[PlannedTrial]:
    rng = np.random.default_rng(seed)
    plan: list[PlannedTrial] = []
    for block in range(measure.trials):
        for contender in rng.permutation(sorted(contenders)):
            plan.append(
                PlannedTrial(
                    id=f"{len(plan):04d}-{name}-{contender}",
                    position=len(plan),
                    block=block,
                    suite=suite,
                    scenario=name,
                    variant="",
                    contender=str(contender),
                    included=block >= measure.discard,
                    seed=seed + len(plan),
                    parameters=scenario.parameters,
                    load=PlannedSchedule(
                        period_ns=scenario.period, count=measure.count, warmup=measure.warmup
                    ),
                    operations=list(scenario.operations),
                )
            )
    return plan


def load_trial(planned: PlannedTrial, scenario: Scenario, client: Client, begins_ns: int) -> Trial:
    """One fine trial of a load scenario that starts its processes at ``begins_ns``."""
    rng = np.random.default_rng([planned.seed, planned.position])
    tick0 = begins_ns + round(client.startup_ms * MS) + SECOND
    samples = _samples(rng, planned, scenario, client, tick0)
    ended = tick0 + planned.load.count * planned.load.period_ns + SECOND // 2
    return Trial(
        planned=planned,
        record={
            "tick0_ns": tick0,
            "ended_ns": ended,
            **_record(planned, client, begins_ns, len(samples["op"])),
        },
        samples=samples,
        probe=_probe(rng, client, begins_ns, tick0, ended),
        events=_events(client, begins_ns, tick0, ended, len(samples["op"])),
    )


def _samples(
    rng: np.random.Generator, planned: PlannedTrial, scenario: Scenario, client: Client, tick0: int
) -> dict[str, np.ndarray]:
    factor = np.exp(rng.normal(0, client.trial_spread))
    lateness = rng.exponential(client.drift_ms * MS, planned.load.count)
    parts = []
    for name in planned.operations:
        operation = scenario.operations[name]
        ticks = np.arange(0, planned.load.count, operation.every)
        intended = tick0 + ticks * planned.load.period_ns
        start = intended + lateness[ticks].astype(np.int64)
        log_service = rng.normal(np.log(client.median_ms * factor), client.spread, len(ticks))
        end = start + (np.exp(log_service) * MS).astype(np.int64)
        parts.append((intended, start, end, np.full(len(ticks), operation.code)))
    intended, start, end, op = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(end, kind="stable")
    blank = np.zeros(len(op), dtype=np.int64)
    return {
        "intended_ns": intended[order],
        "start_ns": start[order],
        "end_ns": end[order],
        "size": blank + 100,
        "op": op[order],
        "status": blank.copy(),
        "lane": blank.copy(),
    }


def _record(planned: PlannedTrial, client: Client, begins: int, records: int) -> dict[str, Any]:
    startup = round(client.startup_ms * MS)
    return {
        "status": "ok",
        "verified": 12,
        "asked": 20,
        "started_at": "2026-01-02T03:04:05+00:00",
        "roles": {
            "server": {
                "role": "server",
                "command": ["./server"],
                "cpus": [0],
                "startup_ns": 50 * MS,
                "ready": {"event": "ready", "contract": 2, "monotonic_ns": begins + 49 * MS},
                "exit_code": 0,
                "owns_socket": True,
            },
            "client": {
                "role": "client",
                "command": [f"./{planned.contender}"],
                "cpus": [1],
                "startup_ns": startup,
                "ready": {**ready_event(client, begins), "started_ns": begins},
                "done": {"event": "done", "records": records, "answers": 0},
                "exit_code": 0,
            },
        },
        "environment": {
            "steal_ratio": 0.0,
            "foreign_cpu": 0.005,
            "psi_cpu": 0.002,
            "canary_ns": 10 * MS,
            "load_before": 0.1,
            "clock_source": "tsc",
        },
    }


def ready_event(client: Client, begins_ns: int) -> dict[str, Any]:
    """Event of the measured role when it is ready, 1 ms before it is received."""
    return {
        "event": "ready",
        "contract": 2,
        "monotonic_ns": begins_ns + round(client.startup_ms * MS) - MS,
        "library": {"name": client.library or "lib", "version": "1.2.3"},
        "runtime": {"name": client.runtime, "version": "3.0"},
        "capabilities": [],
    }


def _events(
    client: Client, begins: int, tick0: int, ended: int, records: int
) -> dict[str, list[dict[str, Any]]]:
    ready = ready_event(client, begins)
    events = [{"received_ns": ready["monotonic_ns"] + MS, "event": ready}]
    for second in range(0, (ended - tick0) // SECOND + 1):
        at = tick0 + second * SECOND
        runtime: dict[str, Any] = {"event": "runtime", "monotonic_ns": at}
        runtime["gc_count"] = second
        runtime["gc_pause_ns"] = round(second * client.gc_ms_per_second * MS)
        if client.allocated_mb_per_second is not None:
            runtime["allocated_bytes"] = round(second * client.allocated_mb_per_second * 1e6)
        if client.heap_mb is not None:
            sawtooth = 0.8 + 0.02 * (second % 10)
            runtime["heap_bytes"] = round(client.heap_mb * sawtooth * 1e6)
            runtime["heap_kind"] = client.heap_kind
        events.append({"received_ns": at + MS, "event": runtime})
    done = {"event": "done", "records": records, "answers": 0, "checksum": "00000000"}
    events.append({"received_ns": ended, "event": done})
    server_ready = {"event": "ready", "contract": 2, "monotonic_ns": begins + 49 * MS}
    server = [{"received_ns": begins + 50 * MS, "event": server_ready}]
    for at in range(tick0 - SECOND, ended + 2 * SECOND, SECOND):
        opened = 1 + sum(at >= tick0 + round(second * SECOND) for second in client.reconnects_s)
        served = {"event": "served", "items": {"connections": opened}, "monotonic_ns": at}
        server.append({"received_ns": at + MS, "event": served})
    return {"client": events, "server": server}


def _probe(
    rng: np.random.Generator, client: Client, begins: int, tick0: int, ended: int
) -> dict[str, dict[str, np.ndarray]]:
    at = np.arange(begins, ended, PROBE_NS)
    measured = np.clip((at - tick0) / (ended - tick0), 0, 1)
    own = client.rss_mb + client.growth_mb * measured
    return {
        "server": _rows(at, _cumulated(rng, len(at), 0.03), np.full(len(at), 8.0)),
        "client": _rows(at, _cumulated(rng, len(at), client.cpu), own),
        "core": _rows(at, _cumulated(rng, len(at), 0.004), np.full(len(at), 70.0)),
        "host": _host_rows(at, _cumulated(rng, len(at), 0.05 + client.cpu)),
    }


def _cumulated(rng: np.random.Generator, rows: int, cores: float) -> np.ndarray:
    return np.cumsum(rng.uniform(0.8, 1.2, rows) * cores * PROBE_NS).astype(np.int64)


def _rows(at: np.ndarray, cpu: np.ndarray, rss_mb: np.ndarray) -> dict[str, np.ndarray]:
    index = np.arange(len(at))
    rss = (rss_mb * 1e6).astype(np.int64)
    return {
        "monotonic_ns": at,
        "cpu_ns": cpu,
        "rss_bytes": rss,
        "anon_bytes": rss // 2,
        "switches_voluntary": index * 25,
        "switches_involuntary": index,
        "processes": np.ones_like(index),
        "threads": np.full_like(index, 4),
        "run_delay_ns": cpu // 100,
        "net_rx_bytes": np.zeros_like(index),
        "net_tx_bytes": np.zeros_like(index),
        "descriptors": np.full_like(index, 12),
    }


def _host_rows(at: np.ndarray, cpu: np.ndarray) -> dict[str, np.ndarray]:
    rows = _rows(at, cpu, np.full(len(at), 2000.0))
    index = np.arange(len(at))
    for idle in ("anon_bytes", "switches_voluntary", "switches_involuntary", "run_delay_ns"):
        rows[idle] = np.zeros_like(index)
    rows["processes"] = rows["threads"] = np.zeros_like(index)
    rows["net_rx_bytes"] = rows["net_tx_bytes"] = index * 20_000
    return rows

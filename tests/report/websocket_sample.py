"""A run of the suite ``websocket`` in little: figures made up, every fate there once.

Servers of the study, those with Redis, one further, the yardstick; a second generator that is
saturated; one server that loses deliveries; the ceiling; strokes, a storm, a crowd, faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from report_build import metric, participant, result

from synthetic.judged import judged
from wirelab.manifest import load_suite
from wirelab.model.participant import Participant
from wirelab.model.result import CallerView, Cell, Finding, Metric, Result, Verdict
from wirelab.model.units import Text

SUITE = Path(__file__).parents[2] / "suites" / "websocket"

# name: title, language, RTT p50 at 100 users (ms), CPU at 1,000 users (%), memory (MB)
SERVERS: dict[str, tuple[str, str, float, float, float]] = {
    "spring-websocket": ("Spring WebSocket", "Java", 0.9, 62.0, 310.0),
    "spring-websocket-naive": ("Spring WebSocket (naive)", "Java", 0.9, 58.0, 300.0),
    "spring-stomp": ("Spring STOMP", "Java", 1.6, 94.0, 380.0),
    "node-ws": ("Node.js ws", "JavaScript", 0.5, 38.0, 82.0),
    "node-ws-cluster-redis": ("Node.js cluster + Redis", "JavaScript", 0.9, 55.0, 190.0),
    "node-ws-cluster-redis-global": ("Node.js cluster + Redis, global", "JavaScript", 1.3, 71, 195),
    "fastapi": ("FastAPI", "Python", 1.4, 71.0, 74.0),
    "fastapi-workers-redis": ("FastAPI workers + Redis", "Python", 2.2, 88.0, 160.0),
    "fastapi-workers-redis-global": ("FastAPI workers + Redis, global", "Python", 2.9, 97.0, 162.0),
    "axum": ("axum", "Rust", 0.3, 12.0, 9.0),
    "null": ("Null server", "Rust", 0.2, 9.0, 6.0),
}
_USERS = {"crowd": {"users": 10_000}, "stroke": {"users": 100, "writers": 10}}
REDIS = (
    *("node-ws-cluster-redis", "node-ws-cluster-redis-global"),
    *("fastapi-workers-redis", "fastapi-workers-redis-global"),
)
STEPS = {"users-100": 100, "users-300": 300, "users-500": 500, "users-700": 700, "users-1000": 1000}


@cache
def sample() -> Result:
    """The result; it has no series, so no lines over time."""
    suite = load_suite(SUITE / "suite.toml")
    cells = [*_ramp(), *_k6(), *_ceiling(), *_scenes(), *_faults()]
    return result(
        cells,
        scenarios=suite.scenarios,
        participants={name: _participant(name) for name in (*SERVERS, "phoenix")},
        suite="websocket",
        suite_title=suite.title,
        run="20260102-030405-websocket-quick",
        services={"redis": suite.services["redis"].library},
        generators=suite.generators,
    )


TUNED = {
    "fastapi-gather": ("fastapi", 1.5),
    "fastapi-max-size": ("fastapi", 1.0),
    "fastapi-workers-redis": ("fastapi", 1.2),
    "fastapi-nginx": ("fastapi", 2.0),
    "fastapi-pings": ("fastapi", 1.1),
    "fastapi-replicas-nginx": ("fastapi-workers-redis", 1.6),
    "node-ws-cluster-redis-one": ("node-ws-cluster-redis", 0.8),
    "node-ws-cluster-redis-four": ("node-ws-cluster-redis", 1.4),
    "node-ws-cluster-redis-global-one": ("node-ws-cluster-redis-global", 0.5),
    "node-ws-cluster-redis-global-four": ("node-ws-cluster-redis-global", 2.0),
    "node-ws-bufferutil": ("node-ws", 1.0),
    "node-ws-strings": ("node-ws", 1.2),
    "spring-websocket-parallel": ("spring-websocket", 0.9),
    "spring-websocket-zgc": ("spring-websocket", 1.3),
    "spring-websocket-threads": ("spring-websocket", 1.1),
    "spring-websocket-jetty": ("spring-websocket", 0.9),
    "spring-websocket-buffers": ("spring-websocket", 1.0),
    "spring-websocket-max-size": ("spring-websocket", 1.0),
    "spring-stomp-channel": ("spring-stomp", 1.3),
    "spring-stomp-rabbitmq": ("spring-stomp", 2.5),
    "spring-stomp-activemq": ("spring-stomp", 2.2),
    "spring-stomp-sockjs": ("spring-stomp", 1.8),
}
"""Tunings: the server they are of, and how many times as much processor time they take."""


def with_tunings(found: Result) -> Result:
    """The result with tunings beside the unchanged servers, and with sensors."""
    untuned = {base: (base, 1.0) for base, _cost in TUNED.values()}
    cells = [*found.cells]
    for name, (base, cost) in {**untuned, **TUNED}.items():
        own = _metrics(base, 1000)
        for metric_name in ("cpu.mean", "total.cpu.mean", "redis.cpu.mean"):
            if metric_name in own:
                own[metric_name] = about((own[metric_name].value or 0.0) * cost, "%")
        own["delivery.per.cpu"] = about((own["delivery.per.cpu"].value or 0.0) / cost, "message/s")
        cells.append(_cell("tuning", "busy", name, own))
    for name in ("spring-websocket", "spring-stomp", "node-ws", "fastapi"):
        own = {n: m for n, m in _metrics(name, 500).items() if not n.startswith("delivery.")}
        cells.append(_cell("sensors", "sending", name, own))
    added = {name: _tuned(name) for name in TUNED if name not in found.participants}
    participants = {**found.participants, **added}
    return judged(found.model_copy(update={"cells": cells, "participants": participants}))


INSTEAD = {"fastapi-sse": "fastapi", "node-sse": "node-ws"}
"""Servers without WebSocket: the one of the same library that speaks it."""


def with_streams(found: Result) -> Result:
    """The result with those that take twice the processor time, beside those that speak it."""
    cells = [*found.cells]
    for step, users in (("users-100", 100), ("users-500", 500)):
        for name, base in INSTEAD.items():
            own = _metrics(base, users)
            cells.append(_cell("streams", step, base, own))
            own["total.cpu.mean"] = about((own["total.cpu.mean"].value or 0.0) * 2, "%")
            other = _cell("streams", step, name, own)
            cells.append(other.model_copy(update={"mode": "events"}))
    participants = dict(found.participants)
    for name, base in INSTEAD.items():
        like = participants[base]
        title = Text(en=f"{like.manifest.title.en} by events")
        update = {"title": title, "contender": name, "mode": "events"}
        manifest = like.manifest.model_copy(update=update)
        participants[name] = like.model_copy(update={"manifest": manifest})
    modes = load_suite(SUITE / "suite.toml").modes
    update = {"cells": cells, "participants": participants, "modes": modes}
    return judged(found.model_copy(update=update))


def _tuned(name: str) -> Participant:
    base = _participant(TUNED[name][0])
    update = {"title": Text(en=f"{base.manifest.title.en}, {name}"), "contender": name}
    return base.model_copy(update={"manifest": base.manifest.model_copy(update=update)})


def without(found: Result, **left_out: Iterable[str]) -> Result:
    """The result without the cells whose field has one of these values."""
    kept = [
        cell
        for cell in found.cells
        if not any(getattr(cell, field) in values for field, values in left_out.items())
    ]
    return found.model_copy(update={"cells": kept})


def changed(found: Result, contender: str, **update: Any) -> Result:
    """The result with every cell of the ramp of a contender changed."""
    cells = [
        cell.model_copy(update=update)
        if cell.contender == contender and cell.scenario == "ramp"
        else cell
        for cell in found.cells
    ]
    return judged(found.model_copy(update={"cells": cells}))


def with_metric(found: Result, contender: str, name: str, value: Metric) -> Result:
    """The result with one figure of a contender's ramp replaced, in every step."""
    cells = [
        cell.model_copy(update={"metrics": {**cell.metrics, name: value}})
        if cell.contender == contender and cell.scenario == "ramp" and not cell.generator
        else cell
        for cell in found.cells
    ]
    return found.model_copy(update={"cells": cells})


def _participant(name: str) -> Participant:
    title, language, *_ = SERVERS.get(name, ("Phoenix", "Elixir", 0, 0, 0))
    base = participant(name, lines=60 + 7 * len(name))
    update: dict[str, Any] = {"title": Text(en=title), "language": language, "roles": ["server"]}
    update["reference"] = name == "null"
    changes: dict[str, Any] = {"manifest": base.manifest.model_copy(update=update)}
    if name == "phoenix":
        changes |= {"ownership": None, "unavailable": "no Elixir here", "remedy": "none known"}
    return base.model_copy(update=changes)


def about(value: float, unit: str = "ms", spread: float = 0.04) -> Metric:
    """A figure with an interval."""
    return metric(value, unit, (value * (1 - spread), value * (1 + spread)), 30_000)


def _ramp() -> list[Cell]:
    found = []
    for name in SERVERS:
        for step, users in {**STEPS, "": 520}.items():
            lost = 0.02 if name == "spring-websocket-naive" and users > 500 else 0.0
            found.append(_cell("ramp", step, name, _metrics(name, users, lost), lost))
    return ranked(found)


def _cell(
    scenario: str,
    step: str,
    name: str,
    metrics: Mapping[str, Metric],
    lost: float = 0.0,
    *,
    generator: str = "",
) -> Cell:
    findings = []
    if lost:
        owed = int(metrics["delivery.expected.count"].value or 0)
        gone = int(metrics["delivery.loss.count"].value or 0)
        evidence = {
            "operations": {
                "delivery": {
                    "failed": gone,
                    "sent": owed,
                    "statuses": {"ok": owed - gone, "lost": gone},
                    "lost": gone,
                    "expected": owed,
                }
            },
            "ratio": lost,
            "bound": 0.0,
        }
        findings.append(Finding(gate="loss-or-error", verdict=Verdict.INVALID, evidence=evidence))
    place = "/".join(part for part in ("websocket", scenario, step, name) if part)
    return Cell(
        id=f"{place}@{generator}" if generator else place,
        suite="websocket",
        scenario=scenario,
        step=step,
        contender=name,
        generator=generator,
        parameters={"board_size": 50, "message_bytes": 130, **_USERS.get(scenario, {})},
        verdict=Verdict.INVALID if findings else Verdict.VALID,
        findings=findings,
        metrics=dict(metrics),
        trials=[f"0001-{scenario}-{name}", f"0002-{scenario}-{name}"],
        statuses={"rtt": {"ok": 60_000}},
    )


def _metrics(name: str, users: int, lost: float = 0.0) -> dict[str, Metric]:
    _title, _language, middle, cpu, memory = SERVERS[name]
    load = users / 1000
    p50 = middle * (1 + load)
    used = max(cpu * load, 0.4)
    redis = 22.0 * load * (2.0 if name.endswith("global") else 1.0) if name in REDIS else None
    owed = round(users * 49 * 110)
    metrics = {
        f"{operation}.{kind}.{stat}": about(p50 * factor * more, spread=0.04 * factor**0.5)
        for operation, more in (("rtt", 1.0), ("delivery", 1.2), ("connect", 4.0))
        for kind in ("latency", "response")
        for stat, factor in (("mean", 1.2), ("p50", 1.0), ("p95", 2.4), ("p99", 5.0), ("p99.9", 9))
    }
    for operation, more in (("rtt", 30), ("delivery", 38), ("connect", 50)):
        for kind in ("latency", "response"):
            metrics[f"{operation}.{kind}.max"] = metric(p50 * more, "ms", per_trial=[p50 * more])
    total, beside = used + (redis or 0), 8.4 if redis else 0.0
    return metrics | {
        "rtt.rate": about(users, "message/s", 0.001),
        "rtt.attainment": metric(100.0, "%"),
        "rtt.error.count": metric(0, "count"),
        "delivery.rate": about(users * 49 * (1 - lost), "message/s", 0.001),
        "delivery.expected.count": metric(owed, "count"),
        "delivery.received.count": metric(round(owed * (1 - lost)), "count"),
        "delivery.loss.count": metric(owed - round(owed * (1 - lost)), "count"),
        "delivery.loss.ratio": metric(100 * lost, "%", n=owed, per_trial=[100 * lost, 100 * lost]),
        "delivery.duplicate.count": metric(0, "count"),
        "delivery.reorder.count": metric(0, "count"),
        "delivery.traffic": about(users * 50 * 130 / 1e6, "MB/s", 0.001),
        "delivery.network.in": about(users * 138 / 1e6, "MB/s", 0.001),
        "delivery.network.out": about(users * 50 * 134 / 1e6, "MB/s", 0.001),
        "delivery.traffic.max": metric(users * 50 * 150 / 1e6, "MB/s"),
        "delivery.per.cpu": about(users * 49 / total * 100, "message/CPU-s"),
        "connect.error.count": metric(0, "count"),
        "connect.drop.count": metric(0, "count"),
        "tick.drift.p99": about(0.2 + load, spread=0.1),
        "cpu.mean": about(used, "%"),
        "cpu.max": metric(used * 1.2, "%", per_trial=[used * 1.1, used * 1.2]),
        "rss.max": metric(memory, "MB", None, None, [memory, memory * 0.99]),
        **(
            {"redis.cpu.mean": about(redis, "%"), "redis.rss.max": metric(8.4, "MB")}
            if redis is not None
            else {}
        ),
        "total.cpu.mean": about(total, "%"),
        "total.rss.max": metric(
            memory + beside, "MB", None, None, [memory + beside, memory * 0.99 + beside]
        ),
        "generator.cpu.mean": about(36 * load, "%"),
        "generator.rss.max": metric(14.2, "MB"),
        "generator.per.cpu": about(150_000, "message/CPU-s"),
        "gc.pause.total": metric(61.0, "ms") if "spring" in name else Metric(value=None, unit="ms"),
    }


_HIGHER = ("delivery.per.cpu",)
_RANKED = ("delivery.response.p50", "delivery.response.p95", "delivery.response.p99")
_RANKED += ("delivery.response.max", "delivery.loss.ratio", "delivery.per.cpu", "total.cpu.mean")
_RANKED += ("total.rss.max", "connect.response.p95")


def ranked(cells: list[Cell]) -> list[Cell]:
    """Places by value; what is within a tenth of the one before shares its rank."""
    found = []
    for cell in cells:
        beside = [
            other
            for other in cells
            if (other.scenario, other.step, other.generator, other.mode)
            == (cell.scenario, cell.step, cell.generator, cell.mode)
            and other.verdict is not Verdict.INVALID
            and other.contender != "null"
        ]
        ranks = {}
        for name in _RANKED if cell.metrics and cell in beside else ():
            own = cell.metrics[name].value or 0.0
            values = [other.metrics[name].value or 0.0 for other in beside]
            better = [v > own * 1.1 if name in _HIGHER else v < own / 1.1 for v in values]
            ranks[name] = 1 + sum(better)
        found.append(cell.model_copy(update={"ranks": ranks}))
    return found


def _k6() -> list[Cell]:
    """The second generator on one server: full from 500 users on."""
    found = []
    for step, users in STEPS.items():
        own = _metrics("node-ws", users)
        slow = 1.0 if users < 500 else 900 * users / 1000
        own |= {n: about((m.value or 0) * slow, "ms") for n, m in own.items() if ".latency." in n}
        cpu = min(99.0, 0.2 * users)
        own["generator.cpu.mean"] = about(cpu, "%", 0.01)
        own["generator.rss.max"] = metric(900.0, "MB")
        own["generator.per.cpu"] = about(26_000, "message/CPU-s")
        cell = _cell("ramp", step, "node-ws", own, generator="k6")
        if cpu > 80:
            signs = {"trials": {cell.trials[0]: {"cpu_share": cpu / 100, "lag_p99_ms": 412.0}}}
            saturated = Finding(gate="generator-saturated", verdict=Verdict.INVALID, evidence=signs)
            cell = cell.model_copy(update={"findings": [saturated], "verdict": Verdict.INVALID})
        found.append(cell)
    return found


def _ceiling() -> list[Cell]:
    found = []
    for asked in (25, 50, 100, 150, 200, 300):
        # Asked for more, a queue grows: what comes out of it late is counted all the same.
        reached = min(asked * 980, 171_000)
        own = _metrics("null", 250) | {
            "delivery.rate": about(reached, "message/s", 0.002),
            "rtt.attainment": metric(100.0 * reached / (asked * 980), "%"),
            "generator.cpu.mean": about(min(99.0, reached / 1750), "%", 0.01),
            "rtt.latency.p50": about(0.3 if reached == asked * 980 else 900.0),
        }
        found.append(_cell("ceiling", f"rate-{asked}k", "null", own))
    return found


def _scenes() -> list[Cell]:
    found = []
    for scenario, steps in (
        ("stroke", ("drawing",)),
        ("join-storm", ("before", "storm")),
        ("crowd", ("crowd",)),
    ):
        for name in ("spring-websocket", "node-ws", "fastapi", "axum"):
            for at, step in enumerate(steps):
                found.append(_cell(scenario, step, name, _metrics(name, 200 + 500 * at)))
    return ranked(found)


def _faults() -> list[Cell]:
    found = []
    for variant, name, outcome in (
        ("server-restart", "node-ws", "recovered"),
        ("server-restart", "fastapi", "not-recovered"),
        ("redis-restart", "node-ws-cluster-redis", "recovered"),
    ):
        view = CallerView.model_validate(
            {"trial": "0009", "outcome": outcome, "outage_ms": 1240.0, "failed_operations": 12}
        )
        cell = _cell("faults", "", name, {})
        update = {"variant": variant, "caller": [view], "id": f"{cell.id}/{variant}"}
        found.append(cell.model_copy(update=update))
    return found

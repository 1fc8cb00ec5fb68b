"""The load engine beside other generators: what a message costs, memory, what it adds to RTT."""

from __future__ import annotations

from math import hypot
from typing import Any

from wirelab.bench.figure import BenchFigure
from wirelab.bench.targets import (
    CROWD_MB,
    CROWD_USERS,
    ENGINE_ADDED_US,
    ENGINE_MB,
    ENGINE_RATIO,
    ENGINE_USERS,
)
from wirelab.bench.trials import MeasuredSuite
from wirelab.gates import clock, rate_missed
from wirelab.model.result import Cell, Finding, Metric
from wirelab.stats.ratio import ratio

BENCHMARK = "engine"
SCENARIOS = ("engine", "engine-crowd")

_LOAD, _CROWD = SCENARIOS
_ENGINE, _BARE, _OTHER = "engine", "epoll", "k6"
_COST = "delivery.per.cpu"
_RTT = "rtt.latency.p50"
_US = 1000.0


def figures(measured: MeasuredSuite) -> list[BenchFigure]:
    """Costs and their ratio, memory, round trips and lateness; then 10,000 connections."""
    users, crowd = _users(measured, _LOAD), _users(measured, _CROWD)
    # A smaller load meets targets that say nothing about it.
    whole, whole_crowd = users >= ENGINE_USERS, crowd >= CROWD_USERS
    return [
        *(_cost(measured, name) for name in (_ENGINE, _BARE, _OTHER)),
        _cost_ratio(measured, _OTHER, ENGINE_RATIO if whole else None),
        _cost_ratio(measured, _BARE, None),
        _memory(measured, _LOAD, _ENGINE, users, ENGINE_MB if whole else None),
        _memory(measured, _LOAD, _BARE, users, None),
        _memory(measured, _LOAD, _OTHER, users, None),
        *(_micros(measured, name, _RTT, "rtt.p50", "RTT p50") for name in (_ENGINE, _BARE)),
        _added(measured, ENGINE_ADDED_US if whole else None),
        *(
            _micros(measured, name, "tick.drift.p95", "lag.p95", "send lag p95")
            for name in (_ENGINE, _BARE)
        ),
        _server(measured),
        _lost(measured, _LOAD, users, 0.0),
        _memory(measured, _CROWD, _ENGINE, crowd, CROWD_MB if whole_crowd else None),
        _memory(measured, _CROWD, _BARE, crowd, None),
        _sustained(measured, crowd, CROWD_USERS if whole_crowd else None),
        _lost(measured, _CROWD, crowd, 0.0),
    ]


def _users(measured: MeasuredSuite, scenario: str) -> int:
    """Users of the scenario in this run; 0 where it was not carried out."""
    found = (c.parameters["users"] for c in measured.result.cells if c.scenario == scenario)
    return int(next(found, 0))


def _rests_on_no_schedule(finding: Finding, cell: Cell) -> bool:
    """Whether a gate speaks of nothing but when messages were due.

    k6 keeps no schedule: it names the time of sending as the intended one, which is at no tick,
    and sends less than it was asked to once it is at its limit. Neither is in the count of what
    it received, nor in the processor time it used meanwhile. Stamps that cannot be right
    otherwise (another clock, an end before its start) still leave it without a figure.
    """
    if finding.gate == rate_missed.GATE.code:
        return True
    return finding.gate == clock.GATE.code and clock.rests_on_ticks_alone(
        clock.GATE.read(finding.evidence, cell.id)
    )


def _per_cpu(measured: MeasuredSuite, contender: str) -> tuple[Metric | None, str]:
    return measured.metric(_LOAD, contender, _COST, despite=_rests_on_no_schedule)


def _cost(measured: MeasuredSuite, contender: str) -> BenchFigure:
    metric, why_not = _per_cpu(measured, contender)
    return _figure(
        metric,
        name=f"engine.{contender}.cost",
        what=f"messages received a CPU-second, {contender}",
        unit="/CPU-s",
        why_not=why_not,
    )


def _cost_ratio(measured: MeasuredSuite, other: str, target: float | None) -> BenchFigure:
    metric, why_not = _per_cpu(measured, _ENGINE)
    base, why_no_base = _per_cpu(measured, other)
    found = ratio(metric, base) if metric is not None and base is not None else None
    reasons = list(dict.fromkeys(why for why in (why_not, why_no_base) if why))
    if found is None and not reasons:
        reasons = ["too few trials for an interval"]
    return BenchFigure(
        benchmark=BENCHMARK,
        name=f"engine.{other}.ratio",
        what=f"the same, engine over {other}",
        unit="x",
        value=found.value if found else None,
        interval=(found.low, found.high) if found else None,
        target=target,
        better="higher",
        why_not="; ".join(reasons),
    )


def _memory(
    measured: MeasuredSuite, scenario: str, contender: str, users: int, target: float | None
) -> BenchFigure:
    metric, why_not = measured.metric(scenario, contender, "rss.max", despite=_rests_on_no_schedule)
    return _figure(
        metric,
        name=f"{scenario}.{contender}.memory",
        what=f"highest memory at {users:,} connections, {contender}",
        unit="MB",
        target=target,
        why_not=why_not,
    )


def _micros(
    measured: MeasuredSuite, contender: str, metric: str, name: str, what: str
) -> BenchFigure:
    found, why_not = measured.metric(_LOAD, contender, metric)
    return _figure(
        found,
        _US,
        name=f"engine.{contender}.{name}",
        what=f"{what}, {contender}",
        unit="us",
        why_not=why_not,
    )


def _added(measured: MeasuredSuite, target: float | None) -> BenchFigure:
    metric, why_not = measured.metric(_LOAD, _ENGINE, _RTT)
    base, why_no_base = measured.metric(_LOAD, _BARE, _RTT)
    reasons = list(dict.fromkeys(why for why in (why_not, why_no_base) if why))
    found = difference(metric, base) if metric is not None and base is not None else None
    if found is None and not reasons:
        reasons = ["too few trials for an interval"]
    return BenchFigure(
        benchmark=BENCHMARK,
        name="engine.rtt.added",
        what="RTT p50, engine more than epoll",
        unit="us",
        value=found[0] * _US if found else None,
        interval=(found[1] * _US, found[2] * _US) if found else None,
        target=target,
        why_not="; ".join(reasons),
    )


def difference(figure: Metric, base: Metric) -> tuple[float, float, float] | None:
    """``figure - base`` with the 95 % interval that follows from those of both (MOVER, as of the
    ratio in ``wirelab.stats.ratio``); None when a value or an interval is absent.
    """
    if figure.value is None or base.value is None:
        return None
    if figure.interval is None or base.interval is None:
        return None
    value = figure.value - base.value
    down = hypot(figure.value - figure.interval[0], base.interval[1] - base.value)
    up = hypot(figure.interval[1] - figure.value, base.value - base.interval[0])
    return value, value - down, value + up


def _server(measured: MeasuredSuite) -> BenchFigure:
    metric, why_not = measured.metric(_LOAD, _ENGINE, "server.cpu.mean")
    return _figure(
        metric,
        name="engine.server.cpu",
        what="CPU of the null server beside the engine",
        unit="%",
        why_not=why_not,
    )


def _lost(measured: MeasuredSuite, scenario: str, users: int, target: float) -> BenchFigure:
    metric, why_not = measured.metric(scenario, _ENGINE, "delivery.loss.count")
    return _figure(
        metric,
        name=f"{scenario}.loss",
        what=f"messages lost at {users:,} connections, engine",
        unit="messages",
        target=target,
        why_not=why_not,
    )


def _sustained(measured: MeasuredSuite, users: int, target: float | None) -> BenchFigure:
    """Connections that came to be and were there until the end, in the trial that had fewest."""
    joined, why_not = measured.metric(_CROWD, _ENGINE, "connect.attainment")
    # No count: none was dropped.
    dropped, _ = measured.metric(_CROWD, _ENGINE, "connect.drop.count")
    fields: dict[str, Any] = {
        "benchmark": BENCHMARK,
        "name": "engine-crowd.connections",
        "what": "connections sustained, engine",
        "unit": "connections",
        "target": target,
        "better": "higher",
    }
    if joined is None:
        return BenchFigure(value=None, why_not=why_not, **fields)
    lost = dropped.per_trial if dropped is not None else [0.0] * len(joined.per_trial)
    each = [
        share * users / 100 - (gone or 0.0)
        for share, gone in zip(joined.per_trial, lost, strict=True)
        if share is not None
    ]
    return BenchFigure(value=min(each), each=list(each), **fields)


def _figure(metric: Metric | None, scale: float = 1.0, **fields: Any) -> BenchFigure:
    return BenchFigure.of_metric(metric, scale, benchmark=BENCHMARK, **fields)

"""The sample whose reports are kept as golden files: a run of the suite ``opcua`` in little.

One contender of each fate: valid, warned about, invalid, unavailable; a tie; a metric without
samples enough; faults with every outcome. The figures are made up.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from report_build import cell, metric, participant, result, too_few

from wirelab.manifest import load_suite
from wirelab.model.participant import Participant
from wirelab.model.result import (
    CallerView,
    Cell,
    CellSeries,
    Curve,
    Finding,
    Metric,
    Result,
    Series,
    Timeline,
    Verdict,
)
from wirelab.model.spikes import Coinciding, SpikeCause, Spikes
from wirelab.model.stacks import SampledPlace, SampledStacks
from wirelab.model.units import Text

SUITE = Path(__file__).parents[2] / "suites" / "opcua"

MS = 1_000_000
_TIMES = {"asyncua": (22.0, 9.8), "milo": (2.8, 1.6), "open62541": (0.82, 0.2)}
_CPU = {"asyncua": 24.1, "milo": 4.0, "open62541": 0.4}
_RSS = {"asyncua": 66.9, "milo": 202.0, "open62541": 6.1}
_PERCENTILES = (0.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 100.0)


@cache
def sample() -> tuple[Result, Series]:
    """The result and its series."""
    suite = load_suite(SUITE / "suite.toml")
    cells = [_load(name) for name in _TIMES] + _faults() + [_sampled()]
    found = result(
        cells,
        scenarios=suite.scenarios,
        participants=_participants(),
        suite="opcua",
        suite_title=suite.title,
        run="20260102-030405-opcua-quick",
        services={"server": suite.services["server"].library},
        complete=False,
    )
    drawn = {f"demo/s7/{name}": _series(name) for name in _TIMES}
    return found, Series(cells=drawn)


def _participants() -> dict[str, Participant]:
    titles = {
        "asyncua": ("asyncua (Python)", "Python", "asyncua", "2.1.0", "LGPL-3.0-or-later", 210),
        "milo": ("Eclipse Milo (Java)", "Java", "Eclipse Milo", "1.1.2", "EPL-2.0", 340),
        "open62541": ("open62541 (C)", "C", "open62541", "1.5.10", "MPL-2.0", 340),
        "gopcua": ("gopcua (Go)", "Go", "gopcua", "0.8.0", "MIT", 0),
    }
    found = {}
    for name, (title, language, library, version, licence, lines) in titles.items():
        base = participant(name, lines=lines)
        manifest = base.manifest.model_copy(
            update={
                "title": Text(en=title),
                "language": language,
                "library": base.manifest.library.model_copy(
                    update={"name": library, "version": version, "licence": licence}
                ),
            }
        )
        found[name] = base.model_copy(update={"manifest": manifest})
    found["gopcua"] = found["gopcua"].model_copy(
        update={
            "ownership": None,
            "unavailable": "go is not installed",
            "remedy": "apt-get install golang",
        }
    )
    return found


def _about(value: float, spread: float = 0.03, unit: str = "ms", n: int = 1140) -> Metric:
    interval = (value * (1 - spread), value * (1 + spread))
    return metric(value, unit, interval, n, [value * 0.99, value * 1.01])


def _load(name: str) -> Cell:
    middle, tail = _TIMES[name]
    metrics: dict[str, Metric] = {}
    for operation, share in (("read", 1.0), ("write", 0.7)):
        enough = operation == "read"
        for kind, more in (("latency", 0.0), ("response", 0.1)):
            p50, p95 = middle * share + more, (middle + tail) * share + more
            metrics[f"{operation}.{kind}.mean"] = _about(p50 * 1.05)
            metrics[f"{operation}.{kind}.p50"] = _about(p50)
            metrics[f"{operation}.{kind}.p95"] = _about(p95) if enough else too_few(114, 130)
            metrics[f"{operation}.{kind}.p99"] = _about(p95 * 1.3) if enough else too_few(114, 662)
            metrics[f"{operation}.{kind}.max"] = metric(p95 * 1.9, n=1140)
        items = 2000 if enough else 200
        count = 1140 if enough else 114
        metrics[f"{operation}.rate"] = metric(items * 10 if enough else items, "tag/s")
        metrics[f"{operation}.attainment"] = metric(100.0, "%", n=count)
        metrics[f"{operation}.miss.count"] = metric(0, "count")
        metrics[f"{operation}.miss.ratio"] = metric(0, "%", n=count)
        metrics[f"{operation}.error.count"] = metric(0, "count")
    metrics["tick.drift.mean"] = _about(0.2)
    metrics["tick.drift.p95"] = _about(0.33, 0.2)
    metrics["tick.drift.max"] = metric(1.4, n=1140)
    metrics["read.cv"] = metric(1.4, "%", (0.62, 44.7), 2)
    metrics["cpu.mean"] = _about(_CPU[name], unit="%")
    metrics["cpu.p95"] = _about(_CPU[name] * 1.3, unit="%")
    metrics["rss.start"] = _about(_RSS[name] * 0.95, 0.01, "MB")
    metrics["rss.max"] = metric(_RSS[name], "MB", None, None, [_RSS[name], _RSS[name] * 0.99])
    metrics["rss.growth"] = metric(_RSS[name] * 0.05, "MB", (-0.4, _RSS[name] * 0.09))
    metrics["heap.max"] = (
        metric(_RSS[name] * 0.4, "MB") if name != "open62541" else Metric(value=None, unit="MB")
    )
    metrics["startup.time"] = _about(640, 0.04)
    found = cell(
        name,
        metrics,
        ranks=_ranks(name),
        verdict=_verdict(name),
        findings=_findings(name),
        scenario_name="s7",
        other_trials={f"0000-s7-{name}": "session-warm-up"},
        parameters={"tags": 2000, "write_tags": 200, "security": "None"},
    )
    return found.model_copy(update={"suite": "opcua", "spikes": {"read": _spikes(name)}})


def _spikes(name: str) -> Spikes:
    """The slowest reads: of asyncua beside collections, of milo placed loosely, of open62541, which
    has no runtime, on the wire."""
    own = {
        "asyncua": ({"collection": 9, "host": 1}, {"collection": 120, "host": 60}, 4.1, 0.3),
        "milo": (
            {"collection": 1, "compilation": 2, "host": 1},
            {"collection": 30, "compilation": 200, "host": 60},
            0.2,
            0.05,
        ),
        "open62541": ({"host": 1, "wire": 11}, {"host": 60, "wire": 57}, None, None),
    }
    slowest, everything, collected, of_all = own[name]
    middle, tail = _TIMES[name]
    outs = {"asyncua": [SpikeCause.COLLECTION], "open62541": [SpikeCause.WIRE], "milo": []}
    seen = name == "open62541"

    def coinciding(n: int, mean: float, with_: dict[str, int], ms: float | None) -> Coinciding:
        return Coinciding(
            operations=n,
            mean_ms=mean,
            collected_ms=ms,
            on_the_wire_ms=mean * 0.8 if seen else None,
            coincided={SpikeCause(cause): count for cause, count in with_.items()},
            alone=n - max(with_.values()),
        )

    return Spikes(
        from_ms=(middle + tail) * 1.2,
        slowest=coinciding(11, (middle + tail) * 1.4, slowest, collected),
        all=coinciding(1140, middle * 1.05, everything, of_all),
        stands_out=outs[name],
        placed_ms={SpikeCause.COLLECTION: 18.4} if name == "milo" else {},
        untold=3 if name == "asyncua" else 0,
    )


def _sampled() -> Cell:
    """The processor time of asyncua by module and by function."""

    def places(*own: tuple[str, int, int]) -> list[SampledPlace]:
        return [SampledPlace(name=n, own_ns=ms * MS, within_ns=all_ * MS) for n, ms, all_ in own]

    stacks = SampledStacks(
        samples=3_200,
        sampled_ns=12_900 * MS,
        process_ns=13_000 * MS,
        main_thread_ns=12_950 * MS,
        heap_bytes=21_400_000,
        modules=places(
            ("asyncua.ua.ua_binary", 7_100, 8_200),
            ("asyncua.common.connection", 2_000, 11_000),
            ("asyncio.events", 1_900, 12_800),
            ("__main__", 1_900, 12_900),
        ),
        functions=places(
            ("asyncua.ua.ua_binary:variant_from_binary", 4_100, 7_000),
            ("asyncio.events:Handle._run", 1_900, 12_800),
        ),
    )
    metrics = {"read.error.count": metric(0, "count")}
    found = cell("asyncua", metrics, scenario_name="processor-time")
    return found.model_copy(update={"suite": "opcua", "stacks": stacks})


def _verdict(name: str) -> Verdict:
    fates = {"asyncua": Verdict.WARN, "milo": Verdict.VALID, "open62541": Verdict.INVALID}
    return fates[name]


def _ranks(name: str) -> dict[str, int]:
    """milo before asyncua, a tie in drift and cv; on a stolen processor, memory alone is ranked."""
    if name == "open62541":
        return {"rss.max": 1}
    apart = ["read.latency.p50", "read.latency.p95", "read.latency.p99", "write.latency.p50"]
    apart.append("cpu.mean")
    ranks = dict.fromkeys(apart, 1 if name == "milo" else 2)
    ranks["rss.max"] = 2 if name == "asyncua" else 3
    return ranks | {"tick.drift.p95": 1, "read.cv": 1}


def _findings(name: str) -> list[Finding]:
    if name == "asyncua":
        evidence = {"metrics": {"write.latency.p95": {"has": 114, "needs": 130}}}
        return [Finding(gate="too-few-samples", verdict=Verdict.WARN, evidence=evidence)]
    if name == "open62541":
        steal = {"0001-open62541": 0.07}
        return [
            Finding(
                gate="steal",
                verdict=Verdict.INVALID,
                evidence={"steal": steal, "worst": 0.07},
                trials=list(steal),
            )
        ]
    return []


def _faults() -> list[Cell]:
    seen: dict[tuple[str, str], CallerView] = {
        ("server-down", "asyncua"): _view("error", "ConnectionRefusedError", error=1.2),
        ("server-down", "milo"): _view(
            "error", "UaException", "Bad_ConnectionRejected", "refused | <b>loudly</b>", error=520
        ),
        ("unknown-node", "asyncua"): _view("silent"),
        ("unknown-node", "milo"): _view("item-error", "DataValue", "Bad_NodeIdUnknown", good=True),
        ("request-timeout", "asyncua"): _view(
            "not-recovered", "TimeoutError", error=2995, timeout="ignored"
        ),
        ("request-timeout", "milo"): _view(
            "recovered", "UaException", "Bad_Timeout", error=1010, outage=3041, timeout="fired"
        ),
        ("server-restart", "asyncua"): _view("recovered", "ConnectionError", outage=2750),
        ("server-restart", "milo"): _view("hang", error=3990),
    }
    return [
        cell(name, scenario_name="faults", variant=variant, caller=[view]).model_copy(
            update={"suite": "opcua", "statuses": {}}
        )
        for (variant, name), view in seen.items()
    ]


def _view(
    outcome: str,
    error_class: str = "",
    status: str = "",
    message: str = "",
    *,
    error: float | None = None,
    outage: float | None = None,
    timeout: str | None = None,
    good: bool | None = None,
) -> CallerView:
    return CallerView.model_validate(
        {
            "trial": "0009-faults",
            "outcome": outcome,
            "error_class": error_class,
            "error_status": status,
            "error_message": message,
            "time_to_error_ms": error,
            "timeout": timeout,
            "timeout_ms": 1000 if timeout else None,
            "blocked_ms": {"fired": 1010, "ignored": 2995}.get(timeout or ""),
            "late_ticks": 15 if timeout else None,
            "outage_ms": outage,
            "failed_operations": 0 if outcome == "silent" else 4,
            "good_items": good,
        }
    )


def _series(name: str) -> CellSeries:
    middle, tail = _TIMES[name]
    values = [middle * 0.6 + (tail + middle) * (p / 100) ** 6 for p in _PERCENTILES]
    curve = Curve(percentiles=list(_PERCENTILES), values=[round(v, 4) for v in values])
    late = Curve(percentiles=list(_PERCENTILES), values=[round(v + 0.1, 4) for v in values])
    drift = Curve(percentiles=list(_PERCENTILES), values=[0.01 * (1 + p) for p in _PERCENTILES])
    return CellSeries(
        latency={"read": curve},
        response={"read": late},
        drift=drift,
        operations={"read": [_timeline(middle, {"p50": 1.0, "p95": 1.5})]},
        resources={"client": [_timeline(_CPU[name], {"cpu": 1.0, "rss": 10.0})]},
    )


def _timeline(level: float, factors: dict[str, float]) -> Timeline:
    seconds = [float(second) for second in range(6)]
    return Timeline(
        trial="0001",
        seconds=seconds,
        values={
            key: [round(level * factor * (1 + 0.1 * math.sin(s)), 3) for s in seconds]
            for key, factor in factors.items()
        },
    )

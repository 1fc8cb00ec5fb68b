"""``result.json``: cells with figures, gates and ranks; ``series.json``: what charts draw."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from wirelab.model.disclosure import Disclosure
from wirelab.model.file_system import FileSystem
from wirelab.model.make_up import LostTrials
from wirelab.model.metrics import MetricKey, OwnMetric
from wirelab.model.participant import Participant
from wirelab.model.parts import Mode
from wirelab.model.scenario import Scenario
from wirelab.model.schema_version import SCHEMA_VERSION
from wirelab.model.spikes import Spikes
from wirelab.model.stacks import SampledStacks
from wirelab.model.suite import Generator
from wirelab.model.units import (
    FileName,
    Name,
    OptionalName,
    OptionalTerm,
    Scalar,
    Strict,
    Text,
)
from wirelab.model.until import TableWidth, Until


class Unsupported(Strict):
    """The reason why a metric has no value."""

    code: str = Field(description="too-few-samples, not-measured, wrong-answer, …")
    has: float | None = None
    needs: float | None = None


class Verdict(StrEnum):
    """Verdict of the gates on a figure, and on a cell by its main figures."""

    VALID = "valid"
    WARN = "warn"
    INVALID = "invalid"


class ByBlock(Strict):
    """Values of a figure by block, for ratios to figures that met the same hours."""

    of: str = Field(description="run and scenario whose blocks they are")
    values: dict[int, dict[int, float]] = Field(
        description="number of neighbouring blocks made one: first of them: value; no number at "
        "which some of them have too few samples"
    )


class Metric(Strict):
    """One figure. ``value`` is None when the samples or the gates do not support it."""

    value: float | None
    unit: str = Field(description="ms, ops/s, tag/s, %, MB, count, ratio, …")
    interval: tuple[float, float] | None = Field(default=None, description="95 % interval")
    n: int | None = Field(default=None, description="samples it rests on")
    effective_n: float | None = Field(default=None, description="corrected for autocorrelation")
    per_trial: list[float | None] = Field(
        default=[], description="value of each included trial, in the order of ``trials``"
    )
    by_block: ByBlock | None = Field(
        default=None, description="none: stored before, or a figure that no block has"
    )
    unsupported: Unsupported | None = None
    at_least: bool = Field(
        default=False,
        description="operations were cut off where others disturbed the host, before it was "
        "reached: it is this or more",
    )
    uncensored: float | None = Field(
        default=None,
        description="the same with what others disturbed; none: nothing was left out",
    )
    verdict: Verdict = Field(
        default=Verdict.VALID, description="of the findings that concern this metric"
    )
    gates: list[str] = Field(default=[], description="codes of the findings that gave it that")

    @property
    def is_usable(self) -> bool:
        """Whether it may be ranked, compared and drawn."""
        known = self.value is not None and not self.at_least
        return known and self.verdict is not Verdict.INVALID

    def scaled(self, factor: float, unit: str) -> Metric:
        """The same figure in another unit: so many times as much."""
        interval = (self.interval[0] * factor, self.interval[1] * factor) if self.interval else None
        return self.model_copy(
            update={
                "value": None if self.value is None else self.value * factor,
                "unit": unit,
                "interval": interval,
                "per_trial": [None if v is None else v * factor for v in self.per_trial],
                "uncensored": None if self.uncensored is None else self.uncensored * factor,
                "by_block": self.by_block and _scaled(self.by_block, factor),
            }
        )


def _scaled(by_block: ByBlock, factor: float) -> ByBlock:
    values = {
        merged: {block: value * factor for block, value in own.items()}
        for merged, own in by_block.values.items()
    }
    return ByBlock(of=by_block.of, values=values)


class Finding(Strict):
    """A gate that spoke."""

    gate: str = Field(description="reason code, such as late-start")
    verdict: Verdict
    evidence: dict[str, Any] = Field(description="the figures it rests on, for the wording")
    trials: list[FileName] = Field(
        default=[], description="trials it concerns; empty: the whole cell"
    )


TimeoutSeen = Literal["fired", "late", "ignored", "not-reached"]
"""Fate of the timeout that calls were asked for: a call gave up in time, gave up late, did not
give up, or none took that long."""

TIMEOUT_IGNORED = "timeout-ignored"
"""An outage that is in no figure: a call that ignored its timeout is the first to be answered."""


class CallerView(Strict):
    """A caller's view of one faults trial."""

    trial: FileName
    outcome: Literal["error", "item-error", "silent", "hang", "recovered", "not-recovered", "ok"]
    error_class: str = ""
    error_status: str = ""
    error_message: str = ""
    scope: str = ""
    time_to_error_ms: float | None = Field(
        default=None, description="from the fault (or the call, when there is none) to the error"
    )
    timeout: TimeoutSeen | None = Field(
        default=None, description="of the timeout asked for; empty: none was"
    )
    timeout_ms: float | None = Field(default=None, description="the timeout asked for")
    blocked_ms: float | None = Field(
        default=None, description="longest call since the fault, from its start to its end"
    )
    late_ticks: int | None = Field(
        default=None, description="ticks since the fault whose operation ended too late"
    )
    outage_ms: float | None = Field(
        default=None,
        description="from the fault to the first operation that succeeded on time: within its "
        "deadline, or before it was due again; 0: none failed or was late",
    )
    disturbed_ms: dict[Literal["error", "block", "outage"], float] = Field(
        default={},
        description="how much of these times others disturbed the host: what is left of each is "
        "the least that it is",
    )
    failed_operations: int = 0
    good_items: bool | None = Field(
        default=None, description="item errors: whether the other items arrived"
    )


class Cell(Strict):
    """All trials of one contender in one scenario with one set of parameters."""

    id: str
    suite: Name
    scenario: Name
    variant: OptionalName = ""
    step: OptionalTerm = Field(default="", description="step of the schedule; empty: all of it")
    contender: Name
    generator: OptionalName = Field(
        default="", description="who made the load; empty: as the suite says"
    )
    mode: str = Field(default="", description="only cells of one mode are ranked together")
    parameters: dict[str, Scalar]
    verdict: Verdict = Field(description="of its main metrics: the ranked ones, misses, errors")
    findings: list[Finding] = []
    metrics: dict[str, Metric] = {}
    ranks: dict[str, int] = Field(
        default={}, description="by metric; cells that tie share a rank; none for invalid figures"
    )
    trials: list[FileName] = Field(default=[], description="included trials, in order")
    other_trials: dict[FileName, str] = Field(
        default={}, description="trials in no figure: failed, interrupted, session warm-up; why"
    )
    stderr: dict[FileName, str] = Field(
        default={}, description="by failed trial: the end of what its roles wrote there"
    )
    reruns: int = 0
    statuses: dict[str, dict[str, int]] = Field(
        default={}, description="operation: status name: count, over the windows of included trials"
    )
    caller: list[CallerView] = []
    spikes: dict[str, Spikes] = Field(
        default={}, description="by operation: its slowest, and what went on meanwhile"
    )
    stacks: SampledStacks | None = Field(
        default=None, description="where processor time went, in trials that sample it"
    )
    remarks: dict[str, Any] = Field(
        default={}, description="what the suite's judge says of a step, for the suite's report"
    )

    def usable(self, metric: str) -> Metric | None:
        """A figure that may be ranked, compared and drawn; None without one."""
        found = self.metrics.get(metric)
        return found if found is not None and found.is_usable else None


class Result(Strict):
    """``result.json``."""

    schema_version: int = SCHEMA_VERSION
    run: FileName
    suite: Name
    suite_title: Text
    profile: Name
    complete: bool = Field(description="false: interrupted, trials of the plan are missing")
    metrics: dict[MetricKey, OwnMetric] | None = Field(
        default=None, description="the suite's own; none: stored before suites declared them"
    )
    modes: dict[Name, Mode] = Field(
        default={}, description="the suite's own; none: stored before suites declared them"
    )
    scenarios: dict[Name, Scenario]
    services: dict[str, dict[str, str]]
    generators: dict[Name, Generator] = {}
    participants: dict[Name, Participant]
    runtimes: dict[Name, str] = Field(
        default={}, description="by contender: runtime and version, as its worker reported them"
    )
    cells: list[Cell]
    until: Until | None = Field(default=None, description="the rule by which blocks were added")
    widths: list[TableWidth] = Field(
        default=[], description="with such a rule: how closely the ratios are known"
    )
    lost: list[LostTrials] = Field(
        default=[], description="trials that the host took, by contender; none: it took none"
    )
    file_systems: list[FileSystem] = Field(
        default=[],
        description="that roles of its trials wrote to; none: stored before it was asked",
    )
    disclosure: Disclosure

    @property
    def file_system_types(self) -> list[str]:
        """The types of these file systems, each once: two may differ in what a sync does."""
        return list(dict.fromkeys(one.type for one in self.file_systems))


class Curve(Strict):
    """A distribution: ``values[i]`` (ms) at percentile ``percentiles[i]``."""

    percentiles: list[float]
    values: list[float]


class Timeline(Strict):
    """Figures of each second of a trial; ``None`` where a second holds nothing."""

    trial: FileName
    seconds: list[float] = Field(description="since tick 0")
    values: dict[str, list[float | None]] = Field(description="name: one value a second")


class Split(Strict):
    """Parts of operations around percentiles of the service time: ``before[i]`` ms from the caller
    to the wire at ``percentiles[i]``, ``server[i]`` on it, ``after[i]`` back to the caller.
    """

    percentiles: list[float]
    before: list[float]
    server: list[float]
    after: list[float]


class CellSeries(Strict):
    """Series that the charts of a cell draw."""

    latency: dict[str, Curve] = Field(default={}, description="by operation: service time")
    response: dict[str, Curve] = {}
    drift: Curve | None = None
    split: dict[str, Split] = Field(
        default={}, description="by operation that was seen on the wire"
    )
    operations: dict[str, list[Timeline]] = Field(
        default={},
        description="by operation; values p50, p95, max (service, ms), rate (items/s, by the "
        "second in which they were due), lost (items/s, likewise; of those recorded by the second)",
    )
    resources: dict[str, list[Timeline]] = Field(
        default={}, description="by role; values cpu (% of one core), rss (MB), heap (MB)"
    )
    network: list[Timeline] = Field(
        default=[],
        description="values in, out (MB/s that sockets of the clients took, and that clients read "
        "from them), loopback (MB/s of all packets on it, headers included)",
    )


class Series(Strict):
    """``series.json``."""

    schema_version: Literal[1] = 1
    cells: dict[str, CellSeries]

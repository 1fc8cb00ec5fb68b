"""Figures of live metrics at one moment: plain values, without a way to print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from wirelab.model.planned import PlannedTrial


@dataclass(frozen=True)
class OperationFigures:
    """One operation of a trial so far; durations of its newest second in ns, by percentile."""

    name: str
    statuses: Mapping[str, int] = field(default_factory=dict)
    """Samples by status; empty for an operation without samples."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Counts of the interval file by their names."""
    durations: Mapping[str, Mapping[float, float]] = field(default_factory=dict)
    """``service`` and ``response``."""

    @property
    def totals(self) -> dict[str, int]:
        """Counts by name. What the interval file says goes before what samples add up to."""
        recorded = {}
        if self.statuses:
            recorded = {"sent": sum(self.statuses.values()), "received": self.statuses.get("ok", 0)}
        return {**recorded, **self.counts}

    @property
    def lost(self) -> int | None:
        """Expected and neither received so far nor said to be left out; None where nobody says
        what is expected.
        """
        if "expected" not in self.counts:
            return None
        came = self.counts.get("received", 0) + self.counts.get("shed", 0)
        return max(0, self.counts["expected"] - came)


@dataclass(frozen=True)
class RoleFigures:
    """A role: its process tree, and what it says of itself."""

    cpu_ns: int = 0
    rss_bytes: int = 0
    processes: int = 0
    progress: Mapping[str, float] = field(default_factory=dict)
    """Numbers of its last ``progress`` event."""
    runtime: Mapping[str, float] = field(default_factory=dict)
    """Numbers of its last ``runtime`` event."""


@dataclass(frozen=True)
class TrialFigures:
    """A trial so far."""

    run: str
    profile: str
    planned: PlannedTrial
    step: str
    under_way: bool
    elapsed_ns: int
    operations: Sequence[OperationFigures]
    roles: Mapping[str, RoleFigures]

    def at_rest(self) -> TrialFigures:
        """Its totals alone, for whoever scrapes after it has ended."""
        return replace(
            self,
            operations=[replace(operation, durations={}) for operation in self.operations],
            roles={n: replace(r, rss_bytes=0, processes=0) for n, r in self.roles.items()},
        )


@dataclass(frozen=True)
class RunFigures:
    """A run so far: trials planned, and ended by status."""

    run: str
    suite: str
    planned: int
    ended: Mapping[str, int]


@dataclass(frozen=True)
class LiveCost:
    """Resources that live metrics themselves took so far."""

    cpu_ns: int = 0
    pushed: int = 0
    failed: int = 0


@dataclass(frozen=True)
class LiveFigures:
    """Everything there is to show now."""

    run: RunFigures | None = None
    trial: TrialFigures | None = None
    cost: LiveCost = LiveCost()

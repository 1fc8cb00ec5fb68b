"""Behaviour of synthetic contenders, and its units."""

from __future__ import annotations

from dataclasses import dataclass

MS = 1_000_000
SECOND = 1_000_000_000
PROBE_NS = SECOND // 10
HOST_CPUS = 2


@dataclass(frozen=True)
class Client:
    """Behaviour of a synthetic contender: service times are lognormal, drift exponential."""

    median_ms: float = 2.0
    spread: float = 0.25  # sigma of the logarithm of the service time
    trial_spread: float = 0.01  # sigma of the logarithm of a trial's own factor
    drift_ms: float = 0.02  # mean of start - intended
    cpu: float = 0.05  # cores
    rss_mb: float = 60.0
    growth_mb: float = 4.0
    reconnects_s: tuple[float, ...] = ()  # times since tick 0
    heap_mb: float | None = 20.0
    heap_kind: str = "used"
    gc_ms_per_second: float = 0.2
    allocated_mb_per_second: float | None = None
    startup_ms: float = 400.0
    mode: str = ""
    title: str = ""
    language: str = "Python"
    library: str = ""
    runtime: str = "runtime"


@dataclass(frozen=True)
class Caller:
    """The caller's view of a synthetic contender in every variant of the faults scenario."""

    error_class: str = "DemoError"
    status_name: str = "BadDemo"
    error_ms: float = 30.0  # a refused call; a stopped server: the request timeout
    timeout_ms: float = 1000.0
    recovery_ms: float | None = 250.0  # None: never again
    silent: bool = False  # item errors are not seen
    hang: bool = False  # the operation under way at the fault never ends
    frozen: bool = False  # no timeout: a call of a stopped server ends when it is back

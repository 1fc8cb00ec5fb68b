"""Sections that any report may have, a module each."""

from wirelab.report.sections import (
    capacity,
    conditions,
    errors,
    latency,
    limits,
    microbenchmark,
    operability,
    overview,
    reliability,
    resources,
    scheduler,
    summary,
    throughput,
    versions,
    wire,
)

__all__ = [
    "capacity",
    "conditions",
    "errors",
    "latency",
    "limits",
    "microbenchmark",
    "operability",
    "overview",
    "reliability",
    "resources",
    "scheduler",
    "summary",
    "throughput",
    "versions",
    "wire",
]

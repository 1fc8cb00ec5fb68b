"""Sections that any report may have, a module each."""

from wirelab.report.sections import (
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
)

__all__ = [
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
]

"""Sections that any report may have, a module each."""

from wirelab.report.sections import (
    batch_conditions,
    batches,
    conditions,
    errors,
    instructions,
    latency,
    limits,
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
    "batch_conditions",
    "batches",
    "conditions",
    "errors",
    "instructions",
    "latency",
    "limits",
    "operability",
    "overview",
    "reliability",
    "resources",
    "scheduler",
    "summary",
    "throughput",
    "versions",
]

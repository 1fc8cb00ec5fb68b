"""Sections that any report may have, a module each.

The last screen of a run needs some of them, and no chart: they load charts where they draw, since
what draws takes a while to load.
"""

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
    spikes,
    stacks,
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
    "spikes",
    "stacks",
    "summary",
    "throughput",
    "versions",
    "wire",
]

"""Limits on what the harness may cost, which the project sets for itself.

They are upper bounds at which the harness does not show in the figures of a suite: a read of
2,000 tags takes milliseconds, a paced trial has tens of operations a second.
"""

from __future__ import annotations

RECORDER_NS = {
    "c": 100.0,
    "csharp": 100.0,
    "csharp-lanes": 100.0,
    "java": 100.0,
    "java-lanes": 100.0,
    "python": 1000.0,
}
"""Nanoseconds of recording one sample, by contender of the suite ``harness``."""

ITERATION_NS = {"java-batches": 5.0, "python-batches": 100.0}
"""Nanoseconds of an iteration that has nothing to do: at most a twentieth of the shortest
operations that microbenchmarks measure in that language."""

DRIFT_RATIO = {
    "c": 1.2,
    "csharp": 1.5,
    "csharp-lanes": 1.5,
    "java": 1.5,
    "java-lanes": 1.5,
    "python": 2.5,
}
"""p95 of the drift over that of a bare ``clock_nanosleep(TIMER_ABSTIME)`` loop."""

HARNESS_CPU = 1.0
"""% of one core that probe and core may use together while a trial is measured."""

ANALYSIS_SAMPLES = 10_000_000
ANALYSIS_SECONDS = 5.0
ANALYSIS_MB = 1000.0
"""For ``ANALYSIS_SAMPLES`` samples; MB = 10**6 bytes."""

ENGINE_RATIO = 6.0
"""Messages received for a CPU-second of the load engine, over those of k6, at the least."""

ENGINE_ADDED_US = 50.0
"""Microseconds that the engine may add to the median round trip of a bare epoll client."""

WITNESS_CPU = 3.0
"""% of one core that the witness of the wire may use at up to 20,000 packets a second."""

WITNESS_MATCHED = 99.9
"""% of the requests that it can speak of for which it has to find their packets."""

SANDBOX_LATENCY = (0.95, 1.05)
"""Median latency of a role in a sandbox over that of the same without: the least and the most."""

HTTP_RATIO = 0.8
"""Requests for a CPU-second of the HTTP generator, over those of wrk and of oha, at the least."""

ENGINE_USERS = 1_000
ENGINE_MB = 20.0
CROWD_USERS = 10_000
CROWD_MB = 100.0
"""Highest resident memory of the engine at that many connections; MB = 10**6 bytes."""

ECHO_RATIO = 1.05
"""p50 of an echo through the harness of the suite ``messaging``, over a bare loop's."""

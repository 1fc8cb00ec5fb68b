"""What the harness may cost, as the project demands it of itself .

They are upper bounds at which the harness does not show in the figures of a suite: a read of
2,000 tags takes milliseconds, a paced trial has tens of operations a second.
"""

from __future__ import annotations

RECORDER_NS = {"c": 100.0, "java": 100.0, "python": 1000.0}
"""Nanoseconds of recording one sample, by contender of the suite ``harness``."""

DRIFT_RATIO = {"c": 1.2, "java": 1.5, "python": 2.5}
"""p95 of the drift over that of a bare ``clock_nanosleep(TIMER_ABSTIME)`` loop."""

HARNESS_CPU = 1.0
"""% of one core that probe and core may use together while a trial is measured."""

ANALYSIS_SAMPLES = 10_000_000
ANALYSIS_SECONDS = 5.0
ANALYSIS_MB = 1000.0
"""For ``ANALYSIS_SAMPLES`` samples; MB = 10**6 bytes."""

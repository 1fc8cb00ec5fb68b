"""Time and memory that the analysis of ten million samples takes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wirelab.bench.figure import BenchError, BenchFigure, Interval
from wirelab.bench.synthesis import Shape, write_run
from wirelab.bench.targets import ANALYSIS_MB, ANALYSIS_SECONDS
from wirelab.stats.trials import trials_interval

BENCHMARK = "analysis"

SHAPES = {
    "smoke": (Shape(trials=2, ticks=20_000, period_ns=330_000), 1),
    "quick": (Shape(), 5),
    "publish": (Shape(), 10),
}
"""By profile: what is analysed, and how often."""


@dataclass(frozen=True)
class Analysed:
    """One analysis: its own time, that of its process, and the process's peak memory."""

    seconds: float
    process_seconds: float
    peak_mb: float


def figures(profile: str) -> list[BenchFigure]:
    """Draw a run, analyse it in processes of their own, and say what that took."""
    shape, times = SHAPES[profile]
    with tempfile.TemporaryDirectory(prefix="wirelab-bench-") as temporary:
        folder = Path(temporary) / "run"
        write_run(folder, shape)
        analysed = [analyse_once(folder, shape.samples) for _ in range(times)]
    # A smaller run meets targets that say nothing about it.
    whole = shape.samples >= Shape().samples
    return [
        _figure(
            "seconds",
            f"analysing {shape.samples:,} samples",
            "s",
            [one.seconds for one in analysed],
            ANALYSIS_SECONDS if whole else None,
        ),
        _figure(
            "memory",
            "its highest resident memory",
            "MB",
            [one.peak_mb for one in analysed],
            ANALYSIS_MB if whole else None,
        ),
        _figure(
            "process",
            "its process, Python's start and imports included",
            "s",
            [one.process_seconds for one in analysed],
            None,
        ),
    ]


def analyse_once(folder: Path, expected: int) -> Analysed:
    """Analyse the run in ``folder`` in a fresh process; raises BenchError when it fails or
    did not do what it is timed for: ``expected`` samples, percentiles with intervals.
    """
    began = time.perf_counter()
    child = subprocess.run(
        [sys.executable, "-m", "wirelab.bench.analysing", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    took = time.perf_counter() - began
    if child.returncode != 0:
        raise BenchError(f"the analysis ended with {child.returncode}: {child.stderr[-2000:]}")
    said = json.loads(child.stdout)
    if said["samples"] != expected:
        raise BenchError(f"{said['samples']} of {expected} samples are in the figures")
    if said["unsupported"]:
        raise BenchError(f"no intervals: {', '.join(said['unsupported'])}")
    return Analysed(said["seconds"], took, said["peak_bytes"] / 1e6)


def _figure(
    name: str, what: str, unit: str, values: Sequence[float], target: float | None
) -> BenchFigure:
    value = sum(values) / len(values)
    interval: Interval | None = trials_interval(value, values)
    return BenchFigure(
        benchmark=BENCHMARK,
        name=f"{BENCHMARK}.{name}",
        what=what,
        unit=unit,
        value=value,
        interval=interval,
        each=list(values),
        target=target,
    )

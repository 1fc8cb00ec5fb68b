"""The harness measures itself: tickers, recorders, probe and core, engine, analysis."""

from wirelab.bench.benchmarks import BENCHMARKS, PROFILES, Bench, measure_harness
from wirelab.bench.figure import BenchError, BenchFigure, BenchVerdict, Findings
from wirelab.bench.page import PAGE, write_page
from wirelab.bench.table import print_findings

__all__ = [
    "BENCHMARKS",
    "PAGE",
    "PROFILES",
    "Bench",
    "BenchError",
    "BenchFigure",
    "BenchVerdict",
    "Findings",
    "measure_harness",
    "print_findings",
    "write_page",
]

"""Cost of a sandbox: the same trials with it and without, and figures of known pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from known_results import cell, measured

from cli.command_lines import piped
from wirelab.bench.figure import BenchFigure, BenchVerdict
from wirelab.bench.sandbox import MeasuredSandbox, SandboxedLoad, SandboxPair, figures_of
from wirelab.model.result import ByBlock, Metric, Result

LOAD = SandboxedLoad("harness", "ticks", ("c", "java"))
KEY = "nothing.latency.p50"


def result_of(medians: Sequence[float], run: str, **others: Metric) -> Result:
    """A run of ``c`` with these medians in its blocks."""
    of_blocks = ByBlock(of=f"{run}/ticks", values={1: dict(enumerate(medians))})
    median = Metric(value=medians[0], unit="ms", by_block=of_blocks)
    return measured(cell("ticks", "c", {KEY: median, **others})).result


def figures(inside: Sequence[float], outside: Sequence[float], **more) -> dict[str, BenchFigure]:
    """Figures of pairs whose medians, with a sandbox and without, are known."""
    fields = {
        "pairs": {
            "c": [SandboxPair((3.0, 1.0), (40.0, 20.0)), SandboxPair((5.0, 1.0), (50.0, 20.0))]
        },
        "results": (result_of(inside, "with"), result_of(outside, "without")),
        "missing": {"java": "no JDK; install one"},
    }
    found = figures_of(MeasuredSandbox(LOAD, **fields), **({"whole": True} | more))
    return {figure.name: figure for figure in found}


RATIO = f"sandbox.harness.c.{KEY}"
TEN = [1.0, 1.1, 0.9, 1.2, 1.0, 1.3, 0.8, 1.0, 1.1, 0.9]


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(1.01, BenchVerdict.MET), (1.08, BenchVerdict.MISSED), (0.9, BenchVerdict.MISSED)],
)
def test_a_ratio_is_taken_pair_by_pair_and_held_on_both_sides(
    factor: float, verdict: BenchVerdict
) -> None:
    found = figures([factor * one for one in TEN], TEN)[RATIO]
    assert found.value == pytest.approx(factor)
    assert (found.target, found.least, found.verdict) == (1.05, 0.95, verdict)


def test_pairs_that_disagree_decide_nothing() -> None:
    found = figures([one * (1.2 if n % 2 else 0.85) for n, one in enumerate(TEN)], TEN)[RATIO]
    assert found.interval is not None
    low, high = found.interval
    assert low < 0.95
    assert high > 1.05
    assert found.verdict is BenchVerdict.UNDECIDED


def test_two_pairs_of_a_smoke_profile_are_held_against_nothing() -> None:
    assert figures(TEN[:2], TEN[:2], whole=False)[RATIO].verdict is BenchVerdict.NO_TARGET


def test_what_a_start_takes_longer_is_the_mean_of_the_pairs() -> None:
    found = figures(TEN, TEN)
    assert found["sandbox.harness.c.ready"].each == [2.0, 4.0]
    assert found["sandbox.harness.c.ready"].value == pytest.approx(3.0)
    assert found["sandbox.harness.c.trial"].value == pytest.approx(25.0)


def test_who_is_missing_says_what_would_help() -> None:
    found = figures(TEN, TEN)
    missing = [figure for name, figure in found.items() if ".java." in name]
    assert {figure.why_not for figure in missing} == {"no JDK; install one", "not in this run"}
    assert all(figure.value is None for figure in missing)


@pytest.mark.e2e
@pytest.mark.long(3)
@pytest.mark.needs("bwrap", "cargo", "cmake")
@pytest.mark.left_to_all
def test_the_command_measures_pairs_of_trials(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    words = ("sandbox", "--profile", "smoke", "--json", str(path))
    ended = piped("bench", *words, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    written = json.loads(path.read_text())["figures"]
    found = {figure["name"]: figure for figure in written}
    assert found["sandbox.opcua.asyncua.ready"]["value"] is not None
    assert len(found["sandbox.opcua.open62541.trial"]["each"]) == 2
    ratios = [figure for figure in found.values() if figure["name"].endswith("latency.p50")]
    assert {figure["name"].split(".")[2] for figure in ratios} == {"asyncua", "open62541", "axum"}
    # Two trials of a host that is not quiet may leave nothing of a median, which is said.
    assert all(figure["interval"] or figure["why_not"] for figure in ratios)
    of_cpu = [figure for name, figure in found.items() if name.endswith(".server.cpu.mean")]
    assert len(of_cpu) == 2
    assert all(figure["interval"] for figure in of_cpu)
    assert len(found) == len(written)

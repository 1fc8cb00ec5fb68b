from __future__ import annotations

from pathlib import Path

import pytest

from wirelab.bench import analysis
from wirelab.bench.figure import BenchError, BenchVerdict
from wirelab.bench.synthesis import Shape, write_run
from wirelab.bench.targets import ANALYSIS_SAMPLES
from wirelab.cells.analysis import analyse
from wirelab.model.result import Verdict as CellVerdict

SMALL = Shape(trials=2, ticks=10_000, period_ns=330_000)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    write_run(folder, SMALL)
    return folder


def test_the_whole_shape_has_as_many_samples_as_the_target_names():
    assert Shape().samples >= ANALYSIS_SAMPLES


def test_a_drawn_run_is_a_run_without_fault(drawn: Path):
    result, series = analyse(drawn)
    (cell,) = result.cells
    assert cell.verdict is CellVerdict.VALID, cell.findings
    assert len(cell.trials) == SMALL.trials
    assert cell.metrics["read.latency.p50"].n == SMALL.trials * SMALL.ticks
    assert cell.metrics["read.latency.p99"].interval is not None
    assert cell.metrics["tick.drift.p95"].value is not None
    assert cell.metrics["core.cpu.mean"].value == pytest.approx(0.5)
    assert series.cells[cell.id].latency["read"].values


def test_the_same_shape_is_drawn_alike_each_time(drawn: Path, tmp_path: Path):
    again = tmp_path / drawn.name  # figures by block name their run
    write_run(again, SMALL)
    assert analyse(again)[0].cells[0].metrics == analyse(drawn)[0].cells[0].metrics


def test_an_analysis_is_measured_in_a_process_of_its_own(drawn: Path):
    once = analysis.analyse_once(drawn, SMALL.samples)
    assert 0 < once.seconds < once.process_seconds
    assert once.peak_mb > 10


def test_an_analysis_that_leaves_samples_out_is_no_result(drawn: Path):
    with pytest.raises(BenchError, match=f"{SMALL.samples} of {SMALL.samples + 1} samples"):
        analysis.analyse_once(drawn, SMALL.samples + 1)


def test_an_analysis_that_fails_says_why(tmp_path: Path):
    with pytest.raises(BenchError, match="holds no run"):
        analysis.analyse_once(tmp_path, 1)


def test_a_small_run_meets_no_target():
    found = analysis.figures("smoke")
    assert [figure.name for figure in found] == [
        "analysis.seconds",
        "analysis.memory",
        "analysis.process",
    ]
    assert all(figure.value for figure in found)
    assert {figure.verdict for figure in found} == {BenchVerdict.NO_TARGET}

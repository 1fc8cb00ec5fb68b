"""The echo through the messaging suite's harness, beside a bare loop."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pyarrow.parquet as pq
import pytest
from known_results import ROOT, SUITE, cell, measured, metric, of_one_trial
from rich.console import Console

from wirelab.bench import echo
from wirelab.bench.figure import BenchFigure, BenchVerdict
from wirelab.bench.trials import MeasuredSuite, measure_suite
from wirelab.build.part import contender_part
from wirelab.build.permission import if_allowed
from wirelab.model.result import Metric
from wirelab.samples.run_folder import RunFolder

LOOPS = (echo.BARE, echo.HARNESS)


@pytest.fixture(scope="module")
def echoes(tmp_path_factory: pytest.TempPathFactory) -> MeasuredSuite:
    """A smoke run of both loops, with the builds of the repository."""
    return measure_suite(
        [echo.SCENARIO],
        profile="smoke",
        seed=1,
        repository=ROOT,
        results=tmp_path_factory.mktemp("results"),
        may_install=if_allowed,
        console=Console(file=io.StringIO()),
    )


@pytest.mark.needs("javac")
def test_both_loops_do_the_same_number_of_echoes(echoes: MeasuredSuite):
    folder = RunFolder(echoes.folder)
    rows = {}
    for planned in folder.read_run().plan:
        record = folder.read_record(planned.id)
        assert record is not None
        assert (record.status, record.detail) == ("ok", "")
        table = pq.read_table(folder.trials / planned.id / "client.parquet")
        assert set(table["size"].to_pylist()) == {2000}
        rows[planned.contender] = table.num_rows
    assert rows == dict.fromkeys(LOOPS, 600)


@pytest.mark.needs("javac")
def test_the_figures_find_their_cells_and_metrics(echoes: MeasuredSuite):
    there = {(c.contender, c.step): set(c.metrics) for c in echoes.result.cells}
    for name in LOOPS:
        assert "echo.latency.p50" in there[name, "steady"]
    reasons = {figure.why_not for figure in echo.figures(echoes)}
    assert not {"not in this run", "not measured"} & reasons


def test_what_the_loops_share_is_in_the_key_of_their_build():
    messaging = ROOT / "suites" / "messaging"
    for name in LOOPS:
        needs = contender_part(SUITE, SUITE.contenders[name]).needs()
        assert {need.source.resolve() for need in needs} == {
            messaging / "libraries" / "java",
            messaging / "contenders" / "socket",
        }


def test_the_loops_differ_in_their_program_alone():
    bare, harness = (SUITE.contenders[name].manifest for name in LOOPS)
    options = [part for part in bare.run.command if not part.startswith("io.wirelab")]
    assert options == [part for part in harness.run.command if not part.startswith("io.wirelab")]
    assert (bare.roles, bare.tuning) == (harness.roles, harness.tuning)


# ------------------------------------------------------------------- figures of known cells


def figures(medians: Mapping[str, Metric]) -> dict[str, BenchFigure]:
    """Medians of cells, known beforehand."""
    cells = [
        cell(echo.SCENARIO, name, {"echo.latency.p50": median}, part="steady")
        for name, median in medians.items()
    ]
    return {figure.name: figure for figure in echo.figures(measured(*cells))}


def near(value: float) -> Metric:
    return metric(value, value * 0.999, value * 1.001)


def test_the_ratio_is_judged_with_its_interval():
    met = figures({echo.BARE: near(0.05), echo.HARNESS: near(0.051)})
    assert met["echo.echo-bare.p50"].value == pytest.approx(50)
    assert met["echo.ratio"].verdict is BenchVerdict.MET
    missed = figures({echo.BARE: near(0.05), echo.HARNESS: near(0.055)})
    assert missed["echo.ratio"].verdict is BenchVerdict.MISSED


def test_one_trial_has_medians_and_no_ratio():
    found = figures(dict.fromkeys(LOOPS, of_one_trial(0.05)))
    assert found["echo.echo-harness.p50"].value == pytest.approx(50)
    assert found["echo.ratio"].why_not == "too few trials for an interval"


def test_without_the_bare_loop_there_is_no_ratio():
    found = figures({echo.HARNESS: near(0.05)})
    assert found["echo.ratio"].why_not == "not in this run"

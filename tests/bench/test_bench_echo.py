"""The echo through the messaging suite's harness, beside a bare loop."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from wirelab.bench import echo
from wirelab.bench.figure import BenchError, Figure, Verdict
from wirelab.bench.trials import MeasuredSuite, harness_suite, measure_suite
from wirelab.build.part import contender_part
from wirelab.model.result import Metric
from wirelab.run.folder import RunFolder

pytestmark = pytest.mark.alone

ROOT = Path(__file__).parents[2]
LOOPS = (echo.BARE, echo.HARNESS)


@pytest.fixture(scope="module")
def echoes(tmp_path_factory: pytest.TempPathFactory) -> MeasuredSuite:
    """A smoke run of both loops, with the builds of the repository."""
    try:
        return measure_suite(
            [echo.SCENARIO],
            profile="smoke",
            seed=1,
            repository=ROOT,
            results=tmp_path_factory.mktemp("results"),
            console=Console(file=io.StringIO()),
        )
    except BenchError as missing:
        pytest.skip(str(missing))


def figures(measured: MeasuredSuite, medians: Mapping[str, Metric]) -> dict[str, Figure]:
    """Of cells whose median is known."""
    cells = [
        cell.model_copy(
            update={
                "verdict": "valid",
                "findings": [],
                "metrics": {"echo.latency.p50": medians[cell.contender]},
            }
        )
        for cell in measured.result.cells
        if cell.contender in medians
    ]
    result = measured.result.model_copy(update={"cells": cells})
    return {f.name: f for f in echo.figures(MeasuredSuite(result, Path("results/one")))}


def near(value: float) -> Metric:
    return Metric(value=value, unit="ms", interval=(value * 0.999, value * 1.001))


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


def test_what_the_loops_share_is_in_the_key_of_their_build():
    suite = harness_suite(ROOT)
    messaging = ROOT / "suites" / "messaging"
    for name in LOOPS:
        needs = contender_part(suite, suite.contenders[name]).needs()
        assert {need.source.resolve() for need in needs} == {
            messaging / "libraries" / "java",
            messaging / "contenders" / "socket",
        }


def test_the_loops_differ_in_their_program_alone():
    bare, harness = (harness_suite(ROOT).contenders[name].manifest for name in LOOPS)
    options = [part for part in bare.run.command if not part.startswith("io.wirelab")]
    assert options == [part for part in harness.run.command if not part.startswith("io.wirelab")]
    assert (bare.roles, bare.tuning) == (harness.roles, harness.tuning)


def test_the_ratio_is_judged_with_its_interval(echoes: MeasuredSuite):
    met = figures(echoes, {echo.BARE: near(0.05), echo.HARNESS: near(0.051)})
    assert met["echo.echo-bare.p50"].value == pytest.approx(50)
    assert met["echo.ratio"].verdict is Verdict.MET
    missed = figures(echoes, {echo.BARE: near(0.05), echo.HARNESS: near(0.055)})
    assert missed["echo.ratio"].verdict is Verdict.MISSED


def test_one_trial_has_medians_and_no_ratio(echoes: MeasuredSuite):
    alone = Metric(value=0.05, unit="ms", per_trial=[0.05])
    found = figures(echoes, dict.fromkeys(LOOPS, alone))
    assert found["echo.echo-harness.p50"].value == pytest.approx(50)
    assert found["echo.ratio"].why_not == "too few trials for an interval"


def test_without_the_bare_loop_there_is_no_ratio(echoes: MeasuredSuite):
    found = figures(echoes, {echo.HARNESS: near(0.05)})
    assert found["echo.ratio"].why_not == "not in this run"

"""The figures that a gate takes: by what it concerns, and by whom it speaks against."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from synthetic import Client, SyntheticRun, load_run
from synthetic.manifests import load_scenario
from wirelab.cells.analysis import analyse
from wirelab.cells.verdicts import Verdicts
from wirelab.cli import app
from wirelab.metrics.catalogue import CORE
from wirelab.model.result import Cell, Finding, Metric, Verdict
from wirelab.samples.run_folder import read_result

STEADY = Client(median_ms=2.0, trial_spread=0.002)
HOST = Finding(gate="steal", verdict=Verdict.INVALID, evidence={"steal": {}, "worst": 0.2})
GENERATOR = Finding(gate="generator-saturated", verdict=Verdict.INVALID, evidence={"trials": {}})
ANSWERS = Finding(gate="less-traffic", verdict=Verdict.INVALID, evidence={"trials": {}})
RESOURCES = Finding(gate="resource-sanity", verdict=Verdict.INVALID, evidence={})


def two() -> SyntheticRun:
    return load_run({"swift": STEADY, "slow": Client(median_ms=4.0, rss_mb=200)}, trials=6)


def cells_of(run: SyntheticRun, folder: Path) -> dict[str, Cell]:
    return {cell.contender: cell for cell in analyse(run.write(folder))[0].cells}


def test_a_stolen_processor_takes_times_and_leaves_the_rest(tmp_path: Path) -> None:
    run = two()
    run.trial("swift").record["environment"]["steal_ratio"] = 0.2
    folder = run.write(tmp_path / "run")
    assert CliRunner().invoke(app, ["analyse", str(folder)]).exit_code == 0
    swift, slow = (
        next(cell for cell in read_result(folder).cells if cell.contender == name)
        for name in ("swift", "slow")
    )
    assert swift.verdict is Verdict.INVALID
    assert slow.verdict is Verdict.VALID
    taken = {key for key, metric in swift.metrics.items() if metric.verdict is Verdict.INVALID}
    assert {"read.latency.p50", "read.response.p95", "read.rate", "cpu.mean"} <= taken
    assert not {"read.error.count", "read.miss.ratio", "read.attainment", "rss.max"} & taken
    assert swift.metrics["read.latency.p50"].gates == ["steal"]
    assert swift.metrics["rss.max"].verdict is Verdict.WARN
    assert "read.latency.p50" not in swift.ranks
    assert (swift.ranks["rss.max"], slow.ranks["rss.max"]) == (1, 2)


def test_figures_are_the_same_with_and_without_a_verdict(tmp_path: Path) -> None:
    quiet, noisy = two(), two()
    noisy.trial("swift").record["environment"]["steal_ratio"] = 0.2
    before = cells_of(quiet, tmp_path / "quiet")["swift"].metrics
    after = cells_of(noisy, tmp_path / "noisy")["swift"].metrics
    assert len(before) > 50
    assert {key: metric.value for key, metric in before.items()} == {
        key: metric.value for key, metric in after.items()
    }


@pytest.mark.parametrize(
    ("finding", "key", "value", "verdict"),
    [
        (HOST, "read.latency.p99", 2.0, Verdict.INVALID),
        (HOST, "read.error.count", 0.0, Verdict.VALID),
        (HOST, "read.error.count", 1.0, Verdict.INVALID),
        (HOST, "read.attainment", 100.0, Verdict.VALID),
        (HOST, "read.attainment", 99.0, Verdict.INVALID),
        (HOST, "rss.max", 60.0, Verdict.WARN),
        (HOST, "gc.count", 6.0, Verdict.VALID),
        # What was never sent cannot fail, and needs no memory.
        (GENERATOR, "read.error.count", 0.0, Verdict.INVALID),
        (GENERATOR, "rss.max", 60.0, Verdict.INVALID),
        (GENERATOR, "gc.count", 6.0, Verdict.VALID),
        (ANSWERS, "gc.count", 6.0, Verdict.INVALID),
        (RESOURCES, "read.latency.p99", 2.0, Verdict.VALID),
        (RESOURCES, "cpu.mean", 2.0, Verdict.INVALID),
    ],
)
def test_what_a_finding_says_of_a_figure(
    finding: Finding, key: str, value: float, verdict: Verdict
) -> None:
    verdicts = Verdicts.of(load_scenario(), CORE)
    assert key in verdicts.known
    unit = verdicts.known[key].unit_in(load_scenario())
    metrics, _ = verdicts.judged({key: Metric(value=value, unit=unit)}, [finding], "a cell")
    assert metrics[key].verdict is verdict
    assert metrics[key].gates == ([] if verdict is Verdict.VALID else [finding.gate])


def test_named_evidence_takes_the_named_alone() -> None:
    verdicts = Verdicts.of(load_scenario(), CORE)
    evidence = {"metrics": {"read.latency.p99": {"has": 1, "needs": 2}}}
    few = Finding(gate="too-few-samples", verdict=Verdict.WARN, evidence=evidence)
    figures = {
        name: Metric(value=1.0, unit="ms") for name in ("read.latency.p99", "read.latency.p50")
    }
    metrics, _ = verdicts.judged(figures, [few], "a cell")
    assert [m.verdict for m in metrics.values()] == [Verdict.WARN, Verdict.VALID]


def test_a_finding_of_another_version_takes_everything() -> None:
    verdicts = Verdicts.of(load_scenario(), CORE)
    unknown = Finding(gate="moon-phase", verdict=Verdict.INVALID, evidence={})
    metrics, cell = verdicts.judged({"gc.count": Metric(value=1, unit="count")}, [unknown], "a")
    assert metrics["gc.count"].verdict is cell is Verdict.INVALID


def test_a_cell_without_figures_is_invalid_by_what_concerns_all() -> None:
    verdicts = Verdicts.of(load_scenario(), CORE)
    assert verdicts.judged({}, [ANSWERS], "a")[1] is Verdict.INVALID
    assert verdicts.judged({}, [], "a")[1] is Verdict.VALID

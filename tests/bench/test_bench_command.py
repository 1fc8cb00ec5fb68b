from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from wirelab.bench.figure import BenchError
from wirelab.cli import bench as command
from wirelab.model.known_name import UnknownNameError


def wl_bench(*arguments: str):
    app = typer.Typer()
    app.command()(command.bench)
    return CliRunner().invoke(app, arguments)


def test_figures_are_shown_and_written(tmp_path: Path):
    path = tmp_path / "deep" / "figures.json"
    done = wl_bench("--only", "analysis", "--profile", "smoke", "--json", str(path))
    assert done.exit_code == 0, done.output
    assert "analysing 44,000 samples" in done.output
    written = json.loads(path.read_text())
    assert [figure["name"] for figure in written["figures"]] == [
        "analysis.seconds",
        "analysis.memory",
        "analysis.process",
    ]
    assert written["profile"] == "smoke"
    assert written["host"]["kernel"]
    assert written["run"] is None


def test_benchmarks_may_be_named_without_an_option(tmp_path: Path):
    path = tmp_path / "figures.json"
    done = wl_bench("analysis", "--profile", "smoke", "--json", str(path))
    assert done.exit_code == 0, done.output
    written = json.loads(path.read_text())
    assert {figure["benchmark"] for figure in written["figures"]} == {"analysis"}


def test_a_missed_target_is_no_failure_of_the_command(monkeypatch):
    monkeypatch.setattr(
        "wirelab.bench.analysis.SHAPES", {"quick": _small_that_must_meet_the_target()}
    )
    monkeypatch.setattr("wirelab.bench.analysis.ANALYSIS_SECONDS", 1e-9)
    monkeypatch.setattr(
        "wirelab.bench.analysis.Shape", lambda: _small_that_must_meet_the_target()[0]
    )
    done = wl_bench("--only", "analysis")
    assert done.exit_code == 0, done.output
    assert "missed: analysing" in done.output


def _small_that_must_meet_the_target():
    from wirelab.bench.synthesis import Shape

    return Shape(trials=2, ticks=10_000), 1


def test_an_unknown_benchmark_names_the_nearest():
    done = wl_bench("--only", "recoder")
    assert isinstance(done.exception, UnknownNameError)
    assert done.exception.nearest[0] == "recorder"


def test_an_unknown_profile_names_those_there_are():
    done = wl_bench("--profile", "overnight", "--only", "analysis")
    assert isinstance(done.exception, UnknownNameError)
    assert done.exception.known == ["publish", "quick", "smoke"]


def test_what_cannot_be_measured_is_said_in_a_sentence(monkeypatch):
    def fail(*_: object) -> None:
        raise BenchError("44 of 45 samples are in the figures")

    monkeypatch.setattr("wirelab.bench.analysis.figures", fail)
    done = wl_bench("--only", "analysis")
    assert done.exit_code == 1
    assert "44 of 45 samples" in done.output + done.stderr

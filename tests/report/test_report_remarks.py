"""Remarks, warnings and invalid cells are told apart, on the terminal and in the report."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from report_sample import SUITE
from typer.testing import CliRunner

from synthetic import Client, SyntheticRun, load_run
from wirelab.cli import app
from wirelab.manifest import load_suite

NAMES = {"clean": "valid", "costly": "valid", "disturbed": "warning", "stolen": "invalid"}


def run_of(names: Iterable[str]) -> SyntheticRun:
    """Contenders of these names, all alike, in the study's scenario."""
    return load_run(
        {name: Client(median_ms=2.0, title=name.capitalize()) for name in names},
        scenario=load_suite(SUITE / "suite.toml").scenarios["s7"],
        suite="opcua",
        scenario_name="s7",
        count=200,
    )


def reported(run: SyntheticRun, folder: Path) -> tuple[str, str]:
    """Texts of the terminal and the report."""
    run.write(folder)
    wl = CliRunner(env={"COLUMNS": "140"})
    told = wl.invoke(app, ["analyse", str(folder)])
    assert told.exit_code == 0, told.output
    done = wl.invoke(app, ["report", str(folder), "--lang", "en", "--form", "md"])
    assert done.exit_code == 0, done.output
    return told.output, (folder / "report-en.md").read_text("utf-8")


def spoilt() -> SyntheticRun:
    """One contender each: clean, beside a harness at 1.3 %, beside a neighbour, without its CPU."""
    run = run_of(NAMES)
    for trial in run.trials:
        environment = trial.record["environment"]
        if trial.planned.contender == "costly":
            trial.probe["core"]["cpu_ns"] = (trial.probe["core"]["cpu_ns"] * 3.25).astype("int64")
        elif trial.planned.contender == "disturbed":
            environment["foreign_cpu"] = 0.4
        elif trial.planned.contender == "stolen":
            environment["steal_ratio"] = 0.2
    return run


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Texts of the terminal and the report."""
    return reported(spoilt(), tmp_path_factory.mktemp("run"))


def row(text: str, contender: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"| {contender}"))


@pytest.mark.parametrize("contender", NAMES)
def test_the_badge_of_a_cell(analysed: tuple[str, str], contender: str) -> None:
    _told, report = analysed
    shown = row(report, contender.capitalize())
    assert [word for word in ("valid", "warning", "invalid") if f"**{word}**" in shown] == [
        NAMES[contender]
    ]


def test_a_remark_stands_in_the_appendix_without_a_badge(analysed: tuple[str, str]) -> None:
    _told, report = analysed
    appendix = report.split("Validity of the figures")[-1]
    remarks = appendix.split("**Remarks**")[1].split("\n\n**")[0]
    assert "harness-cost" in appendix.split("**Remarks**")[1]
    assert "Costly" in appendix.split("**Remarks**")[1]
    assert "(warning)" not in remarks
    warned = [line for line in report.splitlines() if "To bear in mind (" in line]
    assert any(line.endswith(": Disturbed (Python).") for line in warned)
    assert not any("Costly" in line for line in warned)


def test_warnings_that_all_share_are_said_once_above_the_table(tmp_path: Path) -> None:
    run = run_of(("even", "spread"))
    for trial in run.trials:
        trial.record["environment"]["foreign_cpu"] = 0.4
        writes = (trial.samples["op"] == 2) & (trial.planned.contender == "spread")
        for name in ("start_ns", "end_ns"):
            trial.samples[name][writes] += 1_000_000
    _told, report = reported(run, tmp_path)
    shared = "All contenders share these warnings: other programs were running."
    assert report.index(shared) < report.index("Verdicts and key figures")
    assert "other programs" not in row(report, "Even")
    assert "**warning**<br>operations started late |" in row(report, "Spread")
    assert "To bear in mind (operations started late): Spread (Python)." in report


def test_a_warning_of_a_figure_that_decides_nothing_stays_in_the_appendix(tmp_path: Path) -> None:
    names = ("even", "other")
    run = run_of(names)
    for trial in run.trials:
        # One write of 12: in the mean, by which nobody is ranked, and in no percentile.
        late = np.flatnonzero(trial.samples["op"] == 2)[5::12]
        for name in ("start_ns", "end_ns"):
            trial.samples[name][late] += 50_000_000
    _told, report = reported(run, tmp_path)
    assert [row(report, name.capitalize()).count("**valid**") for name in names] == [1, 1]
    first, _, appendix = report.partition("Validity of the figures")
    assert "operations started late" in appendix
    assert "operations started late" not in first.split("Conditions and environment")[0]


def test_the_terminal_has_no_word_of_caution_for_a_remark(analysed: tuple[str, str]) -> None:
    told, _report = analysed
    assert "harness-cost" not in told
    assert "noisy-neighbour" in told
    assert "steal" in told

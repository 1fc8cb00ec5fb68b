"""Recommendations of every suite rest on valid cells alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from own_reports import OwnReport, instances_of
from suite_sample import sample_of, suites, write_run
from typer.testing import CliRunner

from synthetic.judged import ranked_by_verdicts
from wirelab.cli import app
from wirelab.model.result import Finding, Result, Verdict
from wirelab.report.advice import Choice

RECOMMENDING = ("codec", "kv", "opcua", "websocket")
APART = {"kv"}
"""Suites whose whole report takes ten seconds more, and whose choices have a test of their own
(``test_report_kv_choice``)."""


def invalid(found: Result) -> Result:
    """The same figures from a generator that could not keep up, ranked as the analysis ranks."""
    full = {"trials": {"0001-a": {"cpu_share": 0.99}}}
    said = Finding(gate="generator-saturated", verdict=Verdict.INVALID, evidence=full)
    cells = [
        cell.model_copy(update={"verdict": Verdict.INVALID, "findings": [said]})
        for cell in found.cells
    ]
    manifests = {name: p.manifest for name, p in found.participants.items()}
    return found.model_copy(update={"cells": ranked_by_verdicts(cells, found.scenarios, manifests)})


def wl_report(folder: Path, found: Result) -> str:
    run = write_run(folder, found)
    done = CliRunner().invoke(app, ["report", str(run), "--lang", "en", "--form", "md"])
    assert done.exit_code == 0, done.output
    return (run / "report-en.md").read_text("utf-8")


@pytest.mark.parametrize("suite", suites())
def test_these_suites_recommend(suite: str, own_report: Callable[[str], OwnReport]) -> None:
    assert bool(own_report(suite).choices) is (suite in RECOMMENDING)


@pytest.mark.parametrize("suite", [name for name in RECOMMENDING if name not in APART])
def test_nobody_is_recommended_from_invalid_cells(suite: str, tmp_path: Path) -> None:
    with instances_of(Choice) as made:
        text = wl_report(tmp_path / "run", invalid(sample_of(suite)))
    assert made
    assert [choice.first for choice in made if choice.decided] == []
    assert "First choices" not in text


@pytest.mark.parametrize("suite", RECOMMENDING)
def test_somebody_is_recommended_from_valid_cells(
    suite: str, own_report: Callable[[str], OwnReport]
) -> None:
    assert any(own_report(suite).choices)


@pytest.mark.parametrize("suite", suites())
def test_no_star_stands_at_the_lines_of_a_worker(
    suite: str, own_report: Callable[[str], OwnReport]
) -> None:
    rows = [
        line for line in own_report(suite).text.splitlines() if "code lines" in line and "|" in line
    ]
    assert rows
    ours = [re.sub(r"published[^|(<]*", "", row) for row in rows]
    assert [row for row in ours if "★" in row] == []

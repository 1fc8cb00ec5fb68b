"""The report of a run whose contenders were compared within blocks says what a ratio is then."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_sample import sample_of, write_run
from typer.testing import CliRunner

from wirelab.cli import app
from wirelab.model.result import ByBlock, Cell, Metric, Result

SAID = {"en": "It is not the quotient of the two figures.", "ko": "두 수치를 나눈 값이 아닙니다."}
BLOCKS = range(1, 9)


def in_blocks(found: Result) -> Result:
    """The result, its figures the same in each of eight blocks."""
    return found.model_copy(update={"cells": [_cell(cell) for cell in found.cells]})


def _cell(cell: Cell) -> Cell:
    metrics = {name: _metric(metric, cell.scenario) for name, metric in cell.metrics.items()}
    return cell.model_copy(update={"metrics": metrics})


def _metric(metric: Metric, scenario: str) -> Metric:
    if metric.value is None:
        return metric
    values = {1: dict.fromkeys(BLOCKS, metric.value)}
    return metric.model_copy(update={"by_block": ByBlock(of=f"run/{scenario}", values=values)})


def wl_report(folder: Path, found: Result, language: str) -> str:
    run = write_run(folder, found)
    done = CliRunner().invoke(app, ["report", str(run), "--lang", language, "--form", "md"])
    assert done.exit_code == 0, done.output
    return (run / f"report-{language}.md").read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_ratio_within_blocks_is_explained(tmp_path: Path, language: str) -> None:
    found = sample_of("opcua")
    assert SAID[language] in wl_report(tmp_path / "blocks", in_blocks(found), language)
    assert SAID[language] not in wl_report(tmp_path / "stored", found, language)

"""Cost of a difference, foretold from the scatter of ratios in an earlier run."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from synthetic import Client, SyntheticRun, load_run
from wirelab.cells.analysis import analyse
from wirelab.cli.looks import announce_rule
from wirelab.model.result import Metric
from wirelab.model.until import Until
from wirelab.plan.load import expected_seconds
from wirelab.samples.run_folder import RunFolder, read_result
from wirelab.stats.by_block import log_ratios
from wirelab.stats.stopping import blocks_needed
from wirelab.words.numbers import about

CLIENTS = {name: Client(spread=0.05, trial_spread=0.1) for name in ("swift", "slow")}

STARTING_S = 3.0
NO_BREAK = "\u00a0"


def run_of(metric: str, *, trials: int) -> SyntheticRun:
    made = load_run(CLIENTS, trials=trials, count=130)
    until = Until(width=0.05, at_most_ns=1, figures={"main": metric}, baselines=["swift", "slow"])
    made.run = made.run.model_copy(update={"until": until})
    return made


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A run whose trials do not support p95 one by one: its blocks are made one, two by two."""
    folder = run_of("read.latency.p95", trials=17).write(tmp_path / "1-before")
    analyse(folder)
    return folder


def announced(folder: Path, metric: str) -> str:
    said: list[str] = []
    announce_rule(RunFolder(run_of(metric, trials=2).write(folder)), said.append)
    _, cost = said
    return cost


def figures(folder: Path, metric: str) -> list[Metric]:
    return [cell.metrics[metric] for cell in read_result(folder).cells]


@pytest.mark.parametrize(("metric", "merged"), [("read.latency.p50", 1), ("read.latency.p95", 2)])
def test_it_is_told_by_blocks_as_they_are_measured(
    tmp_path: Path, before: Path, metric: str, merged: int
) -> None:
    logs = log_ratios(*figures(before, metric))
    assert len(logs) == 16 / merged
    cost = announced(tmp_path / "2-now", metric)
    block = [t for t in RunFolder(tmp_path / "2-now").read_run().plan if not t.block]
    assert len(block) == len(CLIENTS)
    seconds = expected_seconds(block) + STARTING_S * len(block)
    scatter = float(np.std(logs, ddof=1)) * sqrt(merged)
    found = f"one of 5.0 % in {about(blocks_needed(0.05, scatter) * seconds)},"
    assert found in cost.replace(NO_BREAK, " ")


@pytest.mark.parametrize("kept", [0, 1000])
def test_a_result_that_was_cut_off_keeps_no_run_from_being_measured(
    tmp_path: Path, before: Path, kept: int
) -> None:
    result = before / "result.json"
    result.write_text(result.read_text("utf-8")[:kept], "utf-8")
    assert "told after 8 blocks" in announced(tmp_path / "2-now", "read.latency.p50")

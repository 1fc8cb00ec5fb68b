"""Widths of the ratios of a run, table by table."""

from __future__ import annotations

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from synthetic import Client, SyntheticRun, crowd_run, load_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Result
from wirelab.model.until import StoppedBy, Until
from wirelab.stats.by_block import log_ratios
from wirelab.stats.signed_rank import location

MEDIAN = "read.latency.p50"
THREE = {"swift": Client(), "slow": Client(median_ms=3.0), "wild": Client(trial_spread=0.3)}


def analysed(run: SyntheticRun, folder: Path, **rule: object) -> Result:
    until = Until.model_validate(
        {
            "width": 0.05,
            "at_most_ns": 1,
            "figures": {"main": MEDIAN},
            "baselines": ["swift", "slow", "wild"],
            **rule,
        }
    )
    run.run = run.run.model_copy(update={"until": until})
    return analyse(run.write(folder))[0]


def test_the_ratio_that_is_known_least_closely_stands_for_its_table(tmp_path: Path) -> None:
    result = analysed(load_run(THREE, trials=9, count=100), tmp_path)
    (width,) = result.widths
    assert (width.baseline, width.contender, width.blocks) == ("swift", "wild", 8)
    figures = {cell.contender: cell.metrics[MEDIAN] for cell in result.cells}
    found = location(log_ratios(figures["wild"], figures["swift"]), 0.96)
    assert found is not None
    assert width.reach == pytest.approx(exp((found.high - found.low) / 2) - 1)
    assert width.scatter is not None
    assert width.scatter > log(1.05)
    # No rule has ended it yet: there may be more to come.
    assert not result.complete


def test_blocks_without_a_figure_leave_the_scatter_of_the_others_as_it_is(tmp_path: Path) -> None:
    run = load_run({name: THREE[name] for name in ("swift", "wild")}, trials=9, count=100)
    for number in (2, 3):
        run.trial("wild", number).record["status"] = "failed"
    result = analysed(run, tmp_path)
    (width,) = result.widths
    logs = log_ratios(*(cell.metrics[MEDIAN] for cell in result.cells))
    assert (width.blocks, len(logs)) == (8, 6)
    assert width.scatter == pytest.approx(np.std(logs, ddof=1))


def test_the_baseline_is_the_first_that_is_in_the_table(tmp_path: Path) -> None:
    rule = {"baselines": ["elsewhere", "slow"], "stopped_by": StoppedBy.NARROW}
    result = analysed(load_run(THREE, trials=9, count=100), tmp_path, **rule)
    assert [width.baseline for width in result.widths] == ["slow"]
    assert result.complete


def test_who_never_has_a_figure_is_named_and_waited_for_by_nobody(tmp_path: Path) -> None:
    run = load_run(THREE, trials=9, count=100)
    for trial in run.of("wild"):
        trial.record["status"] = "failed"
    (width,) = analysed(run, tmp_path).widths
    assert width.without == ["wild"]
    assert width.contender == "slow"
    assert width.reach is not None


def test_of_a_schedule_with_steps_each_step_is_a_table(tmp_path: Path) -> None:
    clients = {"swift": Client(), "slow": Client(median_ms=3.0)}
    result = analysed(crowd_run(clients), tmp_path, figures={"crowd": "rtt.latency.p50"})
    steps = {cell.step for cell in result.cells}
    assert "" in steps
    assert {width.step for width in result.widths} == steps - {""}


def test_a_run_without_such_a_rule_has_no_widths(tmp_path: Path) -> None:
    result, _ = analyse(load_run(THREE, trials=9, count=100).write(tmp_path))
    assert (result.until, result.widths, result.complete) == (None, [], True)

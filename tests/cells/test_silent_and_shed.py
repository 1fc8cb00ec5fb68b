"""Users who fall silent, and what a server leaves out on purpose, against what was counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from synthetic import Client
from synthetic.crowd import crowd_run, crowd_scenario
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell
from wirelab.model.scenario import Scenario

OPERATIONS = {
    "rtt": {"code": 1, "item": "message"},
    "connect": {"code": 3, "item": "connection", "due": "join"},
}
LEFT_OUT = 10
"""Deliveries in each second that are owed, and said to be left out."""


def scenario(*, sheds: bool) -> Scenario:
    delivery = {"code": 2, "item": "message", "record": "intervals", "sheds": sheds}
    rankings = [] if sheds else [{"metric": "delivery.response.p50"}]
    return crowd_scenario(operations=OPERATIONS | {"delivery": delivery}, rankings=rankings)


def analysed(folder: Path, *, sheds: bool) -> Cell:
    run = crowd_run({"swift": Client()}, scenario=scenario(sheds=sheds))
    for trial in run.trials:
        assert trial.intervals
        for line in trial.intervals:
            line["counts"] |= {"expected": line["counts"]["expected"] + LEFT_OUT, "shed": LEFT_OUT}
        silent = {"silent": 4, "ended": 2, "waited_ms": 3_000}
        trial.intervals.append({"second": 5, "operation": "connect", "counts": silent})
    cells = analyse(run.write(folder))[0].cells
    (first,) = [cell for cell in cells if cell.step == "few"]
    return first


def value(cell: Cell, metric: str) -> float | None:
    return cell.metrics[metric].value


def test_what_is_left_out_is_lost_wherever_somebody_is_ranked(tmp_path: Path) -> None:
    ranked = analysed(tmp_path / "ranked", sheds=False)
    lost = value(ranked, "delivery.loss.count")
    assert lost is not None
    # Ten seconds of a step, less or more one at its ends, in two trials.
    assert lost >= 2 * 9 * LEFT_OUT
    assert lost % LEFT_OUT == 0
    assert "delivery.shed.count" not in ranked.metrics
    assert "loss-or-error" in {finding.gate for finding in ranked.findings}
    told = analysed(tmp_path / "told", sheds=True)
    assert value(told, "delivery.shed.count") == lost
    assert value(told, "delivery.loss.count") == 0
    share = value(told, "delivery.shed.ratio")
    expected = value(told, "delivery.expected.count")
    assert expected is not None
    assert share == pytest.approx(100 * lost / expected)
    assert "loss-or-error" not in {finding.gate for finding in told.findings}


def test_the_silent_whose_connection_was_ended(tmp_path: Path) -> None:
    cell = analysed(tmp_path / "run", sheds=True)
    assert value(cell, "connect.silent.count") == 2 * 4
    assert value(cell, "connect.ended.count") == 2 * 2
    assert value(cell, "connect.ended.after") == pytest.approx(1.5)


def test_what_was_tried_after_the_load_is_counted(tmp_path: Path) -> None:
    tried = {
        **{"pings_quoted": 3, "pings_misquoted": 1},
        **{"invalid_named": 2, "invalid_ended": 1, "invalid_kept": 0, "invalid_spread": 0},
    }
    run = crowd_run({"swift": Client()}, scenario=scenario(sheds=True))
    for trial in run.trials:
        assert trial.intervals
        trial.intervals.append({"second": 5, "operation": "connect", "counts": tried})
    cells = analyse(run.write(tmp_path / "run"))[0].cells
    (cell,) = [cell for cell in cells if cell.step == "few"]
    named = {
        "ping.quoted": 3,
        "ping.misquoted": 1,
        "invalid.named": 2,
        "invalid.ended": 1,
        "invalid.kept": 0,
        "invalid.spread": 0,
    }
    found = {name: value(cell, f"connect.{name}.count") for name in named}
    assert found == {name: 2 * count for name, count in named.items()}
    # What a server does there is told of, and accuses nobody.
    assert not {"wrong-answer", "loss-or-error"} & {finding.gate for finding in cell.findings}


def test_nobody_is_ranked_who_may_leave_something_out() -> None:
    delivery = {"code": 2, "item": "message", "record": "intervals", "sheds": True}
    with pytest.raises(ValidationError, match="delivery: a server may leave these out on purpose"):
        crowd_scenario(operations=OPERATIONS | {"delivery": delivery})

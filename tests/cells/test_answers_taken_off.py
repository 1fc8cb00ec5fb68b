"""The time in which lanes of a closed loop give answers that they were asked for."""

from __future__ import annotations

import pytest

from cells.conftest import ResultOf
from synthetic import MS, Client, closed_run
from synthetic.neighbour import every, record_host

TICKS = 200
TAKEN_MS = 500


def test_it_is_in_no_duration_and_no_rate_of_its_step(result_of: ResultOf) -> None:
    run = closed_run({"swift": Client(median_ms=20.0)}, ticks=TICKS)
    before = {cell.step: cell.metrics for cell in result_of(run).cells}
    for trial in run.trials:
        trial.record["paused"] = {"few": TAKEN_MS * MS}
    after = {cell.step: cell.metrics for cell in result_of(run).cells}
    assert after["more"] == before["more"]
    whole, rest = (found["few"]["step.elapsed"].value for found in (before, after))
    assert whole is not None
    assert rest == pytest.approx(whole - TAKEN_MS / 1000)
    slow, fast = (found["few"]["rtt.rate"].value for found in (before, after))
    assert slow is not None
    assert fast == pytest.approx(slow * whole / rest, rel=1e-3)


def test_a_step_that_others_took_has_no_time_of_its_own(
    result_of: ResultOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synthetic.neighbour.BUSY_NS", 200 * MS)
    run = closed_run({"swift": Client(median_ms=20.0)}, ticks=TICKS)
    for trial in run.trials:
        trial.record["paused"] = {"few": TAKEN_MS * MS}
        record_host(trial, every(trial, 1))
    found = next(one for one in result_of(run).cells if one.step == "few").metrics["step.elapsed"]
    assert found.value is None
    assert found.unsupported is not None
    assert found.unsupported.code == "host-disturbed"
    assert found.uncensored is not None
    assert found.uncensored > TAKEN_MS / 1000

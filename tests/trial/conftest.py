"""A planned trial to try parts with."""

from __future__ import annotations

import pytest

from wirelab.model.planned import PlannedSchedule, PlannedTrial


@pytest.fixture
def planned_trial() -> PlannedTrial:
    return PlannedTrial(
        id="0000-s-c",
        position=0,
        block=0,
        suite="mini",
        scenario="s",
        variant="",
        contender="c",
        included=True,
        seed=4711,
        parameters={},
        load=PlannedSchedule(period_ns=100_000_000, count=600, warmup=30),
        operations=["read"],
    )

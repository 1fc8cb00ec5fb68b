"""Calls that hang or throw in lanes of the C# SDK: a lane goes on without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_lanes import ERROR, OK, READ, TIMEOUT, WRITE, lanes_of, recorded
from scripted_worker import compile_worker
from test_python_worker import MILLISECOND, Life

pytestmark = pytest.mark.needs("dotnet")

_IN_TIME = {"operation_ns": 500 * MILLISECOND, "period_ns": 2000 * MILLISECOND}
"""A step may take a period for each of its ticks: so it does not end early on a busy machine."""


@pytest.fixture(scope="module")
def csharp(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted lanes."""
    return [*compile_worker("csharp", tmp_path_factory.mktemp("classes")), "lanes"]


def test_a_lane_goes_on_after_what_hangs(csharp: list[str], tmp_path: Path) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 3}
    worker = lanes_of(csharp, "open", parameters=hanging, operation_ns=200 * MILLISECOND)
    life = Life(tmp_path, worker, 12)
    assert (life.code, life.violations) == (0, [])
    # Lane 1 is due from tick 2 on, with a write at ticks 3, 6 and 9; lane 2 settles until tick 8.
    # At tick 3 both operations hang, each until its limit: then the time is nearly up.
    assert recorded(life, READ).total() == 10 + 10 + 4
    assert recorded(life, WRITE).total() == 3 + 3 + 1
    assert recorded(life, READ)[1, TIMEOUT] >= 1
    said = [error["message"].partition(" after")[0] for error in life.errors]
    assert said[0] == "no end"
    assert set(said) <= {"no end", "not begun when time was up"}


@pytest.mark.parametrize(
    ("lane", "tick", "reads"),
    [
        pytest.param(1, 1, {(0, OK): 24, (1, OK): 23, (2, OK): 12}, id="from-a-step"),
        pytest.param(2, 16, {(0, OK): 24, (1, OK): 24, (2, OK): 11}, id="from-the-next-round"),
    ],
)
def test_a_lane_that_hangs_keeps_nobody(
    csharp: list[str], tmp_path: Path, lane: int, tick: int, reads: dict[tuple[int, int], int]
) -> None:
    hanging = {"hanging_lane": lane, "hanging_tick": tick}
    worker = lanes_of(csharp, "closed", parameters=hanging, **_IN_TIME)
    life = Life(tmp_path, worker, 24)
    assert (life.code, life.violations) == (0, [])
    assert [e["name"] for e in life.events if e["event"] == "step"] == ["few", "more"]
    assert recorded(life, READ) == {(lane, TIMEOUT): 1, **reads}


def test_a_library_that_cancels_by_itself_has_failed(csharp: list[str], tmp_path: Path) -> None:
    throwing = {"throwing_lane": 0, "throwing_tick": 5}
    life = Life(tmp_path, lanes_of(csharp, "closed", parameters=throwing, **_IN_TIME), 24)
    assert (life.code, life.violations) == (0, [])
    assert recorded(life, READ)[0, ERROR] == 1
    assert [error["message"] for error in life.errors] == ["as scripted"]

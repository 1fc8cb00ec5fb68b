"""Calls that hang in lanes of the Java SDK: a thread cannot leave them before they end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scripted_lanes import CONNECT, OK, READ, TIMEOUT, WRITE, lanes_of, recorded
from scripted_worker import compile_worker
from test_python_worker import MILLISECOND, Life

pytestmark = pytest.mark.needs("javac")


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted lanes."""
    return [*compile_worker("java", tmp_path_factory.mktemp("classes")), "lanes"]


def test_what_a_hanging_lane_has_not_begun_is_recorded(java: list[str], tmp_path: Path) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 3}
    limit = {"operation_ns": 100 * MILLISECOND}
    life = Life(tmp_path, lanes_of(java, "open", parameters=hanging, **limit), 12)
    assert (life.code, life.violations) == (0, [])
    # Lane 1 is due from tick 2 on, with a write at ticks 3, 6 and 9; lane 2 settles until tick 8.
    reads = {(0, OK): 10, (1, OK): 1, (1, TIMEOUT): 9, (2, OK): 4}
    assert recorded(life, READ) == reads
    assert recorded(life, WRITE) == {(0, OK): 3, (1, TIMEOUT): 3, (2, OK): 1}
    assert recorded(life, CONNECT) == {(0, OK): 1, (1, OK): 1, (2, OK): 1}
    said = Counter(error["message"].partition(" after")[0] for error in life.errors)
    assert said == {"no end": 1, "not begun when time was up": 11}


def test_a_lane_that_hangs_in_settling_keeps_nobody_from_the_step(
    java: list[str], tmp_path: Path
) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 0}
    limit = {"operation_ns": 100 * MILLISECOND}
    life = Life(tmp_path, lanes_of(java, "closed", parameters=hanging, **limit), 24)
    assert (life.code, life.violations) == (0, [])
    assert [e["name"] for e in life.events if e["event"] == "step"] == ["few", "more"]
    assert recorded(life, READ) == {(0, OK): 24, (1, TIMEOUT): 1, (1, OK): 12, (2, OK): 12}


def test_a_library_that_does_not_let_go_of_a_call_is_told_of(
    java: list[str], tmp_path: Path
) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 5, "abandoning_hangs": True}
    limit = {"operation_ns": 60_000 * MILLISECOND}
    worker = lanes_of(java, "closed", parameters=hanging, **limit)
    life = Life(tmp_path, worker, 24, stop_after=1)
    assert (life.code, life.violations) == (0, [])
    assert life.stderr == "letting go of a call was given up: the library has not returned\n"

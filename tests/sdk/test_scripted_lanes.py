"""Lanes of SDKs: closed loops with and without rounds, open ones, and a stop while a call hangs."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_lanes import COMPLETE, OK, READ, TIMEOUT, lanes_of, recorded
from scripted_worker import LANGUAGES, compile_worker
from test_python_worker import MILLISECOND, Life, failures

from wirelab import conform

PATIENT = 20_000 * MILLISECOND
"""Limit of a call where the end is waited for: a starved machine is given this time, too."""


@pytest.fixture(scope="module", params=LANGUAGES)
def lanes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted lanes."""
    return [*compile_worker(request.param, tmp_path_factory.mktemp("classes")), "lanes"]


def test_a_closed_loop_keeps_the_contract(lanes: list[str]) -> None:
    checks = conform.check(lanes_of(lanes, "closed", operation_ns=PATIENT))
    assert failures(checks) == []
    found = {check.name: check for check in checks}
    # Reads at 12 ticks and writes at 4 of each lane, three joins, and what every user got.
    turns = (12 + 4) * 2 + (12 + 4) * 3 + 3 + 2 + 3
    assert found["schedule"].detail == f"{turns} turns of lanes in 2 steps"


def test_an_open_loop_keeps_the_contract(lanes: list[str]) -> None:
    cycle = {"length": 3, "active": 2}
    checks = conform.check(lanes_of(lanes, "open", cycle=cycle, operation_ns=PATIENT))
    assert failures(checks) == []


def test_a_stop_leaves_behind_what_hangs(lanes: list[str], tmp_path: Path) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 5, "abandoning_hangs": True}
    long = {"operation_ns": 60_000 * MILLISECOND}
    worker = lanes_of(lanes, "closed", parameters=hanging, **long)
    life = Life(tmp_path, worker, 24, stop_after=1)
    assert (life.code, life.violations) == (0, [])
    assert recorded(life, READ)[1, TIMEOUT] == 1
    assert [e["name"] for e in life.events if e["event"] == "step"] == []


def test_what_a_user_did_not_get_is_a_timeout(lanes: list[str], tmp_path: Path) -> None:
    worker = lanes_of(lanes, "closed", parameters={"unserved_user": 2})
    life = Life(tmp_path, worker, 24)
    assert recorded(life, COMPLETE) == {(0, OK): 2, (1, OK): 2, (2, TIMEOUT): 1}

"""Server processes that say they are joined by Redis, and are not; honest ones beside them."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.building import build_engine_behind_others
from e2e.remade import remade
from e2e.whole_runs import cells_of, only, result_of, run_suite

HONEST = "fastapi-workers-redis"
CHEATS = ("beside-redis",)
STROKES = 3 * 100
"""Strokes of 100 users in the three seconds that do not settle."""

pytestmark = [
    *(pytest.mark.e2e, pytest.mark.long(2), pytest.mark.needs("cargo", "redis-server")),
    pytest.mark.left_to_all,
]


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    build_engine_behind_others()
    here = tmp_path_factory.mktemp("beside")
    (name,) = CHEATS
    made = remade(here / "contenders" / name, "websocket", HONEST, ["websocket/beside_redis.py"])
    names = only("--contender", [HONEST, str(made)])
    result = result_of(
        run_suite(here, "websocket", "--scenario", "tuning", "--profile", "check", *names)
    )
    return {
        cell["contender"]: {one["gate"]: one for one in cell["findings"]}
        for cell in cells_of(result, "tuning", "busy")
    }


def test_who_hands_strokes_over_beside_its_broker_is_accused_by_it(
    findings: dict[str, dict[str, Any]],
) -> None:
    assert set(findings) == {HONEST, *CHEATS}
    found = findings["beside-redis"]["not-served"]
    assert found["verdict"] == "invalid"
    ((of,),) = (one.values() for one in found["evidence"]["trials"].values())
    assert 0 < of["claimed"] <= STROKES
    assert of["served"] == 0


def test_who_hands_them_over_through_its_broker_is_not(findings: dict[str, dict[str, Any]]) -> None:
    assert not {"not-served", "wrong-answer", "trial-failed"} & set(findings[HONEST])

"""Streams that a broker of ours has only a part of, by its own count of what was published."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.remade import remade
from e2e.whole_runs import only, result_of, run_suite

HONEST = "python-redis-pubsub"
WAYS = ("joins-messages", "past-the-broker")
CHEATS = tuple(f"streams-{way}" for way in WAYS)

pytestmark = [pytest.mark.e2e, pytest.mark.long(1), pytest.mark.needs("redis-server")]


@pytest.fixture(scope="module")
def searches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    here = tmp_path_factory.mktemp("streams")
    made = [
        remade(here / "contenders" / name, "messaging", HONEST, ["brokers/streaming.py"], way=way)
        for name, way in zip(CHEATS, WAYS, strict=True)
    ]
    names = only("--contender", [HONEST, *map(str, made)])
    result = result_of(
        run_suite(here, "messaging", "--scenario", "stream-all", "--profile", "check", *names)
    )
    found = {}
    for cell in result["cells"]:
        (found[cell["contender"]],) = cell["remarks"]["capacity"]["searches"]
    assert set(found) == {HONEST, *CHEATS}
    return found


@pytest.mark.parametrize("name", CHEATS)
def test_a_stream_that_its_broker_has_a_part_of_does_not_hold(
    searches: dict[str, dict[str, Any]], name: str
) -> None:
    reasons = {one["load"]: one.get("reason") for one in searches[name]["probes"]}
    # With one message a tick there is nothing to join, and all of it goes through the broker.
    assert reasons[2] == "not-served"
    assert reasons.get(1) != "not-served"


def test_a_stream_that_its_broker_has_is_not_accused(
    searches: dict[str, dict[str, Any]],
) -> None:
    reasons = [one.get("reason") for one in searches[HONEST]["probes"]]
    assert len(reasons) > 0
    assert "not-served" not in reasons

"""Messages that a broker of ours never saw, by its own count of those that were published."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.remade import remade
from e2e.whole_runs import cells_of, only, result_of, run_suite

pytestmark = [pytest.mark.e2e, pytest.mark.left_to_all, pytest.mark.needs("redis-server")]

HONEST = "python-redis-pubsub"
CHEATS = ("past-the-broker", "publishes-empties")
PROGRAM = ["brokers/past_the_broker.py"]
ECHOES = 20


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    here = tmp_path_factory.mktemp("ledger")
    made = [
        remade(here / "contenders" / name, "messaging", HONEST, PROGRAM, way=name)
        for name in CHEATS
    ]
    names = [HONEST, *map(str, made)]
    options = ["--scenario", "transfer", "--profile", "check", *only("--contender", names)]
    result = result_of(run_suite(here, "messaging", *options))
    return {
        cell["contender"]: {one["gate"]: one for one in cell["findings"]}
        for cell in cells_of(result, "transfer", "cold")
    }


def test_who_speaks_past_the_broker_is_told_of(findings: dict[str, dict[str, Any]]) -> None:
    assert set(findings) == {HONEST, *CHEATS}
    found = findings["past-the-broker"]["not-served"]
    assert found["verdict"] == "invalid"
    (of,) = found["evidence"]["trials"].values()
    assert of["echo"]["claimed"] == ECHOES
    assert of["echo"]["served"] < ECHOES
    assert "less-traffic" not in findings["past-the-broker"]


def test_who_gives_it_messages_without_content_is_told_of(
    findings: dict[str, dict[str, Any]],
) -> None:
    found = findings["publishes-empties"]["not-served"]
    assert found["verdict"] == "invalid"
    (of,) = found["evidence"]["trials"].values()
    assert of["echo"]["written"]
    assert of["echo"]["claimed"] == 1_000 * ECHOES
    assert of["echo"]["served"] < of["echo"]["claimed"]
    assert "less-traffic" not in findings["publishes-empties"]


def test_who_speaks_to_it_is_not(findings: dict[str, dict[str, Any]]) -> None:
    assert not {"not-served", "wrong-answer", "loss-or-error"} & set(findings[HONEST])

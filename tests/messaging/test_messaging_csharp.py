"""The harness of the suite messaging in C#: a worker whose users share a memory, by contract."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from test_messaging_verify import verifier

from wirelab import conform
from wirelab.build import Part, PartBuilds
from wirelab.catalog import suite_at
from wirelab.model.builds import Build, RunCommand

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "suites" / "messaging"
MILLISECOND = 1_000_000
PATIENCE_S = 20
USERS, MESSAGES = 3, 6
ALL = USERS * MESSAGES * USERS
"""Deliveries: every user gets what every user sends."""

pytestmark = [pytest.mark.needs("dotnet"), pytest.mark.e2e]


@pytest.fixture(scope="module", name="csharp")
def _csharp() -> list[str]:
    """Its command, compiled without a warning, in the store of builds."""
    suite = suite_at(SUITE / "suite.toml")
    part = Part(
        "messaging",
        "csharp-memory",
        "tests of the harness in C#",
        source=SUITE / "libraries" / "csharp" / "test",
        build=Build(kind="dotnet", needs=["csharp"]),
        room=suite.folder,
        run=RunCommand(command=["{dotnet}", "{build}/app/app.dll"]),
        libraries=suite.libraries,
    )
    return PartBuilds(ROOT).prepare(part).command("")


def worker(command: list[str], loop: str, operations: list[str], **changes: Any) -> Any:
    each: dict[str, Any] = {"every": 1, "items": 1, "due": "tick", "record": "samples"}
    untold = {**each, "preflight": 0, "verified": False}
    known = {
        "echo": {**each, "code": 1, "preflight": 1},
        "send": {**untold, "code": 2},
        "delivery": {**untold, "code": 3, "record": "intervals"},
        "complete": {**untold, "code": 4, "due": "step"},
        "connect": {**untold, "code": 5, "due": "join"},
    }
    sizes = {"users": USERS, "lanes": USERS, "settle": 2 if loop == "open" else 0, "join_ns": None}
    described: dict[str, Any] = {
        "command": command,
        "role": "client",
        "suite": "messaging",
        "loop": loop,
        "operations": {name: known[name] for name in operations},
        "parameters": {"message_bytes": 100},
        "steps": ({"name": "all", "parameters": {}, **sizes},),
        "period_ns": 20 * MILLISECOND,
        "operation_ns": 500 * MILLISECOND,
        "stop_ns": 4000 * MILLISECOND,
        "verify": verifier.verify,
        **changes,
    }
    return conform.CheckedWorker(**described)


@pytest.mark.parametrize("loop", ["closed", "open"])
def test_echoes_in_csharp_keep_the_contract(csharp: list[str], loop: str) -> None:
    checks = conform.check(worker(csharp, loop, ["echo", "connect"]))
    assert [str(check) for check in checks if check.outcome == "fail"] == []
    found = {check.name: check for check in checks}
    assert (found["answers"].outcome, found["values"].outcome) == ("pass", "pass")


def test_broadcasts_in_csharp_keep_the_contract(csharp: list[str]) -> None:
    operations = ["send", "delivery", "complete", "connect"]
    checks = conform.check(worker(csharp, "closed", operations))
    assert [str(check) for check in checks if check.outcome == "fail"] == []
    assert {check.name: check.outcome for check in checks}["intervals"] == "pass"


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ({}, {}),
        ({"lost": True}, {"received": ALL - USERS}),
        ({"twice": True}, {"duplicates": USERS}),
        ({"changed": True}, {"received": ALL - USERS, "wrong": USERS}),
        ({"late": True}, {"reordered": USERS}),
        ({"forgets": True}, {"wrong": 1}),
        # Three at each tick, of which none waits for the one before.
        ({"messages": 3}, {"expected": 3 * ALL, "received": 3 * ALL}),
    ],
)
def test_each_thing_that_can_happen_to_a_broadcast_is_counted(
    csharp: list[str], tmp_path: Path, script: dict[str, Any], told: dict[str, int]
) -> None:
    operations = ["send", "delivery", "complete", "connect"]
    parameters = {"message_bytes": 100} | script
    checked = worker(csharp, "closed", operations, parameters=parameters)
    counts = counted(
        checked, conform.make_spec(checked, "life", tmp_path, MESSAGES, {}, {}), tmp_path
    )
    nothing = {"duplicates": 0, "reordered": 0, "held": 0, "wrong": 0}
    expected = {"expected": ALL, "received": ALL, **nothing, **told}
    assert counts == {**expected, "bytes": 100 * expected["received"]}


def test_what_is_sent_while_a_step_settles_is_owed_to_those_of_the_step_before(
    csharp: list[str], tmp_path: Path
) -> None:
    checked = worker(csharp, "open", ["send", "delivery", "connect"])
    spec = conform.make_spec(checked, "life", tmp_path, MESSAGES, {}, {})
    few = {"name": "few", "first": 0, "count": 8, "settle": 2, "users": 1, "lanes": 1}
    # A second, so that two more have joined on a busy machine as well.
    more = {"name": "more", "first": 8, "count": 54, "settle": 50, "users": 3, "lanes": 3}
    spec["schedule"] |= {"count": 62, "steps": [few | {"join_ns": 0}, more | {"join_ns": 0}]}
    counts = counted(checked, spec, tmp_path)
    owed = 6 * 1 + 50 * 1 + 4 * 3 * 3
    assert (counts["expected"], counts["received"]) == (owed, owed)
    assert (counts["duplicates"], counts["wrong"]) == (0, 0)


def counted(checked: Any, spec: dict[str, Any], here: Path) -> Counter[str]:
    """Counts of all lines that the worker writes in a trial of this spec."""
    path = here / "spec.json"
    path.write_text(json.dumps(spec), "utf-8")
    process = conform.Process(checked, path, here, f"life-{os.getpid()}")
    try:
        assert process.event("ready", PATIENCE_S), process.stderr.decode()
        process.send(command="start", monotonic_ns=time.monotonic_ns())
        assert process.event("done", PATIENCE_S), process.stderr.decode()
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.end()
    counts: Counter[str] = Counter()
    for line in Path(spec["paths"]["intervals"]).read_text("utf-8").splitlines():
        counts.update(json.loads(line)["counts"])
    return counts

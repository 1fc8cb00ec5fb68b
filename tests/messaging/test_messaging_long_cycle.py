"""A scenario whose cycle is longer than 9.22 s, and whose echoes are due at every other tick.

The arithmetic of a lane's shift leaves 64 bits there: lanes of the harness in Java were due at
other ticks than the contract says. They also ignored how often an operation is due.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from e2e.conftest import REPOSITORY, SuiteRepository

SUITE = REPOSITORY / "suites" / "messaging"
LONG_CYCLE = """
[scenarios.long-cycle]
title = { en = "Half of the time, in turns of 12 s, at every other tick" }
load = { type = "open", period = "100ms", cycle = { length = 120, active = 60 } }
operation_limit = "5s"

[scenarios.long-cycle.roles]
server = { provider = "contender" }
client = { provider = "contender", measured = true }

[scenarios.long-cycle.operations]
echo = { code = 1, item = "message", preflight = 1, every = 2 }

[scenarios.long-cycle.parameters]
message_bytes = 100

[scenarios.long-cycle.steps.all]
title = { en = "Four users" }
users = 4

[scenarios.long-cycle.profiles]
quick = { trials = 1, count = 200, settle = 4 }
"""

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.left_to_all,
    pytest.mark.long(2),
    pytest.mark.needs("mvn"),
    pytest.mark.needs("javac"),
]


@pytest.fixture
def house(tmp_path: Path) -> SuiteRepository:
    house = SuiteRepository(tmp_path)
    suite = tmp_path / "suites" / "messaging"
    (suite / "contenders").mkdir(parents=True)
    for part in ("brokers", "libraries", "locale", "contenders/socket"):
        shutil.copytree(SUITE / part, suite / part)
    shutil.copy(SUITE / "verify.py", suite)
    (suite / "suite.toml").write_text((SUITE / "suite.toml").read_text("utf-8") + LONG_CYCLE)
    return house


def test_lanes_in_java_keep_to_a_cycle_of_twelve_seconds(house: SuiteRepository) -> None:
    ended: subprocess.CompletedProcess[str] = house.wl(
        "conform",
        "suites/messaging/contenders/socket",
        *("--scenario", "long-cycle", "--role", "client"),
        timeout=900,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "role client, scenario messaging/long-cycle" in ended.stdout
    assert "pass  schedule: 114 turns of lanes, each at its intended time" in ended.stdout

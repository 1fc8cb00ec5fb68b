"""wirelab's own engine keeps the contract that it holds others to."""

from __future__ import annotations

import re

import pytest
from to_check import workers

from e2e.building import build_engine_behind_others
from tree import suites_of_the_tree
from wirelab import conform
from wirelab.run.checking import WantedChecks

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]


@pytest.mark.parametrize("scenario", ["ramp", "stroke", "join-storm", "crowd"])
def test_the_engine_keeps_the_contract(scenario: str) -> None:
    build_engine_behind_others()
    suite = suites_of_the_tree().suite("websocket")
    server = suite.contenders["null"]
    [generator] = workers(server.folder, WantedChecks(scenario=scenario, role="generator"))
    checks = {check.name: check for check in conform.check(generator)}
    assert [str(check) for check in checks.values() if check.outcome == "fail"] == []
    records, failed = map(int, re.findall(r"\d+", checks["samples"].detail))
    # On a busy machine a few handshakes or messages may run out of time.
    assert failed < records / 10
    assert checks["intervals"].outcome == "pass"

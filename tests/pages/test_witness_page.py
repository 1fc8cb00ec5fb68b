"""The page about the witness names the scenarios in which it looks at the wire."""

from __future__ import annotations

import re
from collections import defaultdict

from tree import ROOT, suites_of_the_tree
from wirelab.model.scenario import Scenario

PAGE = (ROOT / "docs" / "concepts" / "witness.md").read_text("utf-8")

OF_APPLICATIONS = "http:request"
"""Operations whose scenarios the page names together."""


def is_named(scenario: Scenario) -> bool:
    """Whether operations of a scenario are looked for, and not those of an application alone."""
    wires = {operation.wire for operation in scenario.operations.values()}
    return bool(wires - {None, OF_APPLICATIONS})


def test_every_scenario_that_is_witnessed_has_its_place() -> None:
    told: dict[str, set[str]] = defaultdict(set)
    for suite, scenarios in re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.M):
        told[suite] |= set(re.findall(r"`([\w-]+)`", scenarios))
    witnessed = {
        suite: found
        for suite, entry in suites_of_the_tree().suites.items()
        if (found := {n for n, one in entry.manifest.scenarios.items() if is_named(one)})
    }
    assert set(witnessed) == {"kv", "opcua", "websocket"}
    assert told == witnessed

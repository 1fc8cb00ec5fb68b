"""The shortest trial of a scenario: what the blocks of ``--until`` measure."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from synthetic.manifests import load_scenario
from wirelab.manifest.profiles import of_profile
from wirelab.model.scenario import Scenario
from wirelab.model.until import Until
from wirelab.plan.selection import Selection

RULE = Until(
    width=0.05, at_most_ns=1, figures={"main": "read.latency.p50"}, baselines=["swift", "slow"]
)


def counts(scenario: Scenario, until: Until | None) -> list[int]:
    """Ticks of a trial of each profile."""
    known = scenario.profiles
    return [
        Selection(["main"], name, 1, until=until).measure("main", scenario).count for name in known
    ]


def test_blocks_that_are_added_are_as_short_as_the_scenario_says() -> None:
    scenario = load_scenario(shortest=100)
    assert list(scenario.profiles) == ["smoke", "quick"]
    assert counts(scenario, None) == [50, 600]
    assert counts(scenario, RULE) == [50, 100]
    assert counts(load_scenario(), RULE) == [50, 600]


def test_something_is_left_of_the_shortest_trial() -> None:
    scenario = load_scenario(shortest=30)
    found = {
        name: [text for _, text in of_profile(("profiles", name), measure, scenario)]
        for name, measure in scenario.profiles.items()
    }
    assert found == {
        "smoke": [],
        "quick": ["shortest = 30 leaves nothing to measure: 30 ticks do not count"],
    }


def test_a_search_has_no_shortest_trial() -> None:
    given = load_scenario().model_dump(mode="json", exclude_unset=True)
    with pytest.raises(ValidationError, match="shortest"):
        Scenario.model_validate(
            {**given, "load": {"type": "microbenchmark", "about": "1s"}, "shortest": 5}
        )

"""Figures by which a scenario ranks its contenders."""

from __future__ import annotations

from wirelab.model.measure import Ranking
from wirelab.model.scenario import Kind, Scenario

ELAPSED = Ranking(metric="step.elapsed")
CAPACITY = Ranking(metric="capacity.verified", better="higher")
"""The only ranking of a search for a capacity."""


def rankings(scenario: Scenario) -> list[Ranking]:
    """The rankings of a scenario; a closed loop always ranks by the time its steps took as well,
    unless that is given, a capacity by nothing but itself.
    """
    if scenario.kind is Kind.CAPACITY:
        return [CAPACITY]
    named = {ranking.metric for ranking in scenario.rankings}
    closed = not scenario.is_scheduled and scenario.measures_load and not scenario.is_ramp
    added = [ELAPSED] if closed and ELAPSED.metric not in named else []
    return [*scenario.rankings, *added]

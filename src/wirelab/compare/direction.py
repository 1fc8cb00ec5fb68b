"""Which way of a metric is better, and which metrics say something between two runs."""

from __future__ import annotations

import re

from wirelab.cells.ranks import rankings
from wirelab.model.suite import Scenario

_HIGHER = re.compile(r"[a-z0-9-]+\.(rate|attainment|fairness)")
_LOWER = re.compile(
    r"[a-z0-9-]+\.(latency|response|drift)\..+"
    r"|[a-z0-9-]+\.(cv|miss\.ratio|error\.ratio)"
    r"|cpu\.(mean|p95)|rss\.(max|growth)|heap\.max|gc\.pause\.total"
    r"|[a-z0-9_-]+\.instructions"
    r"|[a-z0-9-]+\.(elapsed(\.[0-9]+)?|first|last)"
    r"|startup\.time|scheduler\.delay|fault\.(error|block|outage)\.time|fault\.late\.count"
)
_INSTRUCTIONS = re.compile(r"[a-z0-9_-]+\.instructions")
_ALWAYS_DECIDES = re.compile(r"[a-z0-9-]+\.(miss|error)\.ratio")
_GROWS_WITH_LENGTH = re.compile(
    r".+\.(max|growth|total)|gc\.count|step\.elapsed|[a-z0-9-]+\.(first|last)"
)
_TOTAL = re.compile(r"[a-z0-9-]+\.(miss|error)\.count")


def better(metric: str, scenario: Scenario) -> str | None:
    """``lower``, ``higher``, or None where neither is; what the scenario ranks by comes first."""
    for ranking in rankings(scenario):
        if ranking.metric == metric:
            return ranking.better
    if _HIGHER.fullmatch(metric):
        return "higher"
    return "lower" if _LOWER.fullmatch(metric) else None


def decides(metric: str, scenario: Scenario) -> bool:
    """Whether the outcome of a cell rests on the metric: what is ranked, misses, errors."""
    return is_ranked(metric, scenario) or _ALWAYS_DECIDES.fullmatch(metric) is not None


def is_ranked(metric: str, scenario: Scenario) -> bool:
    """Whether contenders are ranked by it; of counted instructions, whether it is a count."""
    if scenario.counts_instructions:
        return _INSTRUCTIONS.fullmatch(metric) is not None
    return any(ranking.metric == metric for ranking in rankings(scenario))


def grows_with_length(metric: str) -> bool:
    """Whether a longer trial alone makes the figure bigger."""
    return _GROWS_WITH_LENGTH.fullmatch(metric) is not None


def is_total(metric: str) -> bool:
    """Whether it is a sum over trials, which says nothing between runs; its ratio does."""
    return _TOTAL.fullmatch(metric) is not None

"""The search for the largest load that holds: MLRsearch (RFC 9971) over whole numbers.

MLRsearch bisects in logarithmic space, first with one probe a load, then with as many as the
goal asks for, and takes the majority of them. Which loads it asks for depends on nothing but the
outcomes before, so that the same outcomes always give the same search.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable

from MLRsearch import (
    AbstractMeasurer,
    Config,
    MeasurementResult,
    MultipleLossRatioSearch,
    SearchGoal,
)

from wirelab.model.capacity import Ending, Limit, Outcome, Probe, Search
from wirelab.plan.goal import Goal

Ask = Callable[[int, int, bool], Probe | None]
"""Gives the judged probe of a load, told its number in the search, and whether it is asked for
again because the harness failed it. None: there will be no more."""

_OFFERED = 1_000_000
"""Units in which MLRsearch is told the share that held; any loss at all makes a load a bad one."""

_LEAST_HINT, _MOST_HINT = 0.1, 0.95
"""The next load is a share of this one. A hint of nothing would send it to the lowest load, one of
nearly everything would make it creep."""

_LIMITED_BY: dict[Outcome, Limit] = {
    "held": "",
    "failed": "contender",
    "generator": "generator",
    "host": "host",
}

_FOR_EVER = 1e9
"""Seconds. A search is bounded in probes: what a clock ends could not be replayed."""


class _EndOfProbesError(Exception):
    """There are no more probes; ``ending`` says why."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending)
        self.ending = ending


def search(goal: Goal, ask: Ask) -> Search:
    """Search with as many probes as it takes; the bracket is between whole numbers."""
    measurer = _Measurer(goal, ask)
    target = SearchGoal(
        loss_ratio=0.0,
        exceed_ratio=0.5,
        relative_width=goal.width,
        # Every probe lasts as long as any other: a time unit is a probe.
        initial_trial_duration=1.0,
        final_trial_duration=1.0,
        duration_sum=float(goal.repeats),
        preceding_targets=2,
        expansion_coefficient=2,
        fail_fast=False,
    )
    config = Config(
        goals=[target],
        min_load=goal.lowest,
        max_load=goal.highest,
        search_duration_max=_FOR_EVER,
        warmup_duration=0.0,
    )
    controller = MultipleLossRatioSearch(config=config)
    try:
        found = controller.search(measurer=measurer, debug=_silent)[target]
    except _EndOfProbesError as end:
        return _cut_short(end.ending, measurer)
    lower, upper = found.relevant_lower_bound, found.relevant_upper_bound
    verified = None if lower is None else whole(float(lower))
    failed = None if upper is None else whole(float(upper))
    if verified is None:
        return _told("none", None, failed, measurer)
    return _told("highest" if failed is None else "found", verified, failed, measurer)


def whole(load: float) -> int:
    """The whole number of users nearest to a load."""
    return math.floor(load + 0.5)


def _silent(_line: str) -> None:
    """MLRsearch explains every step; the probes tell the same."""


class _Measurer(AbstractMeasurer):  # type: ignore[misc]
    """Asks for probes, and keeps them in order.

    Loads that are the same whole number are the same load: a probe of one counts for the other.
    """

    def __init__(self, goal: Goal, ask: Ask) -> None:
        self.probes: list[Probe] = []
        """All, in order."""
        self.deciding: list[Probe] = []
        """All but those that the harness failed and that were repeated."""
        self._goal = goal
        self._ask = ask
        self._of_load: defaultdict[int, list[Probe]] = defaultdict(list)
        self._told: Counter[float] = Counter()

    def measure(self, intended_duration: float, intended_load: float) -> MeasurementResult:
        """One probe of a load; raises _EndOfProbesError when there is none to be had."""
        known = self._of_load[whole(intended_load)]
        if self._told[intended_load] == len(known):
            known.append(self._next(whole(intended_load)))
        probe = known[self._told[intended_load]]
        self._told[intended_load] += 1
        hint = min(max(probe.hint, _LEAST_HINT), _MOST_HINT)
        lost = 0 if probe.outcome == "held" else round(_OFFERED * (1 - hint))
        return MeasurementResult(
            intended_duration=intended_duration,
            intended_load=intended_load,
            offered_count=_OFFERED,
            loss_count=lost,
        )

    def _next(self, load: int) -> Probe:
        number = len(self.deciding)
        probe = self._take(load, number, again=False)
        if probe.outcome == "host" and len(self.probes) < self._goal.most:
            probe = self._take(load, number, again=True)
        self.deciding.append(probe)
        return probe

    def _take(self, load: int, number: int, *, again: bool) -> Probe:
        if len(self.probes) >= self._goal.most:
            raise _EndOfProbesError("probes")
        probe = self._ask(load, number, again)
        if probe is None:
            raise _EndOfProbesError("unfinished")
        self.probes.append(probe)
        return probe


def _cut_short(ending: Ending, measurer: _Measurer) -> Search:
    """Conclude by majority from the probes so far: the lowest load that failed, the highest that
    held below it. A load whose probes are divided has not held.
    """
    held: Counter[int] = Counter()
    for probe in measurer.deciding:
        held[probe.load] += 1 if probe.outcome == "held" else -1
    failed = min((load for load, surplus in held.items() if surplus <= 0), default=None)
    below = [load for load in held if failed is None or load < failed]
    return _told(ending, max(below, default=None), failed, measurer)


def _told(ending: Ending, verified: int | None, failed: int | None, measurer: _Measurer) -> Search:
    against = [p for p in measurer.deciding if p.load == failed and p.outcome != "held"]
    by_contender = [p for p in against if p.outcome == "failed"]
    by_others = [p for p in against if p.outcome != "failed"]
    # Half of them are enough: a contender that failed once without excuse may well do so again.
    decisive = by_contender if 2 * len(by_contender) >= len(against) else by_others
    return Search(
        ending=ending,
        verified=verified,
        failed=failed,
        limited_by=_LIMITED_BY[decisive[0].outcome] if decisive else "",
        decisive=decisive[0] if decisive else None,
        probes=measurer.probes,
    )

"""A microbenchmark in a plan: loops of each operation in each step."""

from __future__ import annotations

from wirelab.model.load import Microbenchmark
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedLoops
from wirelab.model.scenario import Scenario


def planned(load: Microbenchmark, scenario: Scenario, measure: Measure) -> PlannedLoops:
    """The loops of a profile, with times in ns; a ValueError for a profile without loops."""
    if (loops := measure.loops) is None:
        raise ValueError("a microbenchmark needs loops")
    return PlannedLoops(
        about_ns=load.about,
        steps=measure.steps or list(scenario.steps),
        rounds=loops.rounds,
        batch_ns=loops.batch,
        count=loops.count,
        warmup_ns=loops.warmup,
        agree=loops.agree,
    )


def expected_ns(planned: PlannedLoops, operations: int) -> int:
    """Expected length of a trial, which depends on its code.

    Its batches and half of what it may warm up for are a guess; what its scenario says is one for
    loops of a fixed number of iterations.
    """
    if planned.rounds or not planned.count:
        return planned.about_ns
    each = planned.count * planned.batch_ns + planned.warmup_ns // 2
    return len(planned.steps) * operations * each

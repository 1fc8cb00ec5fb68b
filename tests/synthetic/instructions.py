"""Trials whose instructions were counted: pairs of processes of ``encode`` of one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synthetic.folder import SyntheticRun
from synthetic.loops import Coder, loops_run, loops_scenario
from wirelab.plan.counting import CallgrindProcess

FEW, MANY = 100, 1100


def instructions_run(counts: Sequence[tuple[int, int | None]], **coder: Any) -> SyntheticRun:
    """Processes of one contender, two a block: their iterations, and what was counted of each."""
    scenario = loops_scenario(
        load={"type": "microbenchmark", "about": "10s", "instrument": "callgrind"},
        rankings=[],
        operations={"encode": {"code": 1, "record": "batches"}},
        profiles={"quick": {"trials": 2, "loops": {"rounds": FEW, "more": 1000, "count": 1}}},
    )
    run = loops_run({"swift": Coder(**coder)}, scenario=scenario)
    run.trials = run.trials[: len(counts)]
    for at, (trial, (iterations, executed)) in enumerate(zip(run.trials, counts, strict=True)):
        planned = CallgrindProcess("small", "encode", iterations).of(trial.planned)
        trial.planned = planned.model_copy(update={"block": at // 2})
        trial.batches = [line for line in trial.batches if line["step"] == "small"]
        trial.record["roles"]["client"]["instructions"] = executed
    run.run = run.run.model_copy(update={"plan": [trial.planned for trial in run.trials]})
    return run

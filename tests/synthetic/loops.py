"""Trials of batches: two steps, each with operations of a known time an iteration.

A contender of the mode ``reference`` is a yardstick, whose ``copy`` is the floor of ``encode``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from synthetic.behaviour import MS, SECOND, Client
from synthetic.folder import SyntheticRun, Trial
from synthetic.load import load_trial
from synthetic.manifests import load_scenario, run_of
from wirelab.model.metrics import OwnMetric
from wirelab.model.planned import PlannedLoops, PlannedSchedule, PlannedTrial
from wirelab.model.scenario import Scenario

TRIALS, BATCHES = 5, 6
BATCH_NS = 10 * MS


OWN = {
    "encoded.size": OwnMetric.model_validate(
        {
            "unit": "B",
            "better": "lower",
            "disturbed": "nothing",
            "title": {"en": "encoded size", "ko": "인코딩 크기"},
            "column": {"en": "encoded", "ko": "인코딩"},
            "meaning": {"en": "Bytes of the first answer.", "ko": "첫 응답의 바이트 수입니다."},
        }
    )
}
"""Metrics of the judge of these runs beside the core's."""


@dataclass(frozen=True)
class Coder:
    """Median time of an iteration in ns by operation; batches and processes vary by ``spread``."""

    times: Mapping[str, float] = field(default_factory=lambda: {"encode": 100.0, "decode": 200.0})
    spread: float = 0.002
    language: str = "Python"
    mode: str = ""
    reference: bool = False
    allocated: int | None = 64


def loops_scenario(**changes: Any) -> Scenario:
    """Steps ``small`` and ``large``; keys of ``changes`` replace."""
    return Scenario.model_validate(
        {
            "title": {"en": "Steady", "ko": "정상 상태"},
            "load": {"type": "microbenchmark", "about": "10s"},
            "ranked_within": "language",
            "roles": {"client": {"provider": "contender", "measured": True}},
            "operations": {
                "encode": {"code": 1, "record": "batches", "floor": "copy"},
                "decode": {"code": 2, "record": "batches"},
                "copy": {"code": 3, "record": "batches"},
            },
            "steps": {
                "small": {"title": {"en": "small", "ko": "작은 것"}},
                "large": {"title": {"en": "large", "ko": "큰 것"}},
            },
            "profiles": {
                "quick": {
                    "trials": TRIALS,
                    "loops": {"batch": "10ms", "count": BATCHES, "warmup": "50ms"},
                }
            },
            "rankings": [{"metric": "encode.time"}, {"metric": "decode.time"}],
            **changes,
        }
    )


def loops_run(
    coders: Mapping[str, Coder], *, scenario: Scenario | None = None, seed: int = 5
) -> SyntheticRun:
    """Trials of each coder, all fine: right answers, warm-ups that settled."""
    scenario = scenario or loops_scenario()
    clients = {n: Client(mode=c.mode, language=c.language) for n, c in coders.items()}
    plan = [
        _planned(len(coders) * block + number, block, name, scenario, seed)
        for block in range(TRIALS)
        for number, name in enumerate(sorted(coders))
    ]
    run = run_of(
        "demo", "quick", scenarios={"steady": scenario}, clients=clients, plan=plan, seed=seed
    )
    participants = {
        name: found.model_copy(
            update={
                "manifest": found.manifest.model_copy(update={"reference": coders[name].reference})
            }
        )
        for name, found in run.participants.items()
    }
    built = SyntheticRun(run.model_copy(update={"participants": participants, "metrics": OWN}))
    begins = 1_000 * SECOND
    for planned in plan:
        trial = _trial(planned, coders[planned.contender], begins)
        built.trials.append(trial)
        begins = trial.record["ended_ns"] + 5 * SECOND
    return built


def _planned(
    position: int, block: int, contender: str, scenario: Scenario, seed: int
) -> PlannedTrial:
    return PlannedTrial(
        id=f"{position:04d}-steady-{contender}",
        position=position,
        block=block,
        suite="demo",
        scenario="steady",
        variant="",
        contender=contender,
        included=True,
        seed=seed + position,
        parameters={},
        load=PlannedLoops(
            about_ns=scenario.period,
            steps=list(scenario.steps),
            rounds=0,
            batch_ns=BATCH_NS,
            count=BATCHES,
            warmup_ns=50 * MS,
            agree=0.02,
        ),
        operations=list(scenario.operations),
    )


def _trial(planned: PlannedTrial, coder: Coder, begins: int) -> Trial:
    plain = planned.model_copy(
        update={
            "operations": ["read"],
            "load": PlannedSchedule(period_ns=planned.load.about_ns, count=1, warmup=0),
        }
    )
    trial = load_trial(plain, load_scenario(), Client(), begins)
    trial.planned = planned
    trial.samples = {name: column[:0] for name, column in trial.samples.items()}
    rng = np.random.default_rng([planned.seed, 7])
    at = trial.record["tick0_ns"]
    factor = float(np.exp(rng.normal(0, coder.spread)))
    for step in planned.load.steps:
        for name, ns in coder.times.items():
            for phase, count in (("warmup", 3), ("measure", BATCHES), ("allocation", 1)):
                for _ in range(count):
                    length = round(BATCH_NS * float(np.exp(rng.normal(0, coder.spread))))
                    line = {"step": step, "operation": name, "phase": phase}
                    line |= {"start_ns": at, "end_ns": at + length, "checksum": 1}
                    line["rounds"] = round(BATCH_NS / (ns * factor))
                    if phase == "allocation" and coder.allocated is not None:
                        line["allocated_bytes"] = coder.allocated * line["rounds"]
                    trial.batches.append(line)
                    at += length
    trial.record["ended_ns"] = max(trial.record["ended_ns"], at + SECOND)
    trial.record["judged"] = {
        step: {"figures": {"encoded.size": [42, "B"]}, "remarks": {"golden": "equal"}}
        for step in planned.load.steps
    }
    return trial

"""A scenario under a counter becomes pairs of processes that differ in their iterations alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from synthetic.loops import loops_scenario
from wirelab.model.contender import Contender
from wirelab.model.planned import PlannedTrial
from wirelab.model.suite import Suite
from wirelab.plan.counting import refusal
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection


def contender(name: str, **more: Any) -> Contender:
    return Contender.model_validate(
        {
            "contender": name,
            "title": name,
            "language": "Rust",
            "library": {"name": name, "version": "1", "licence": "MIT"},
            "build": {"kind": "none"},
            "run": {"command": ["x"]},
            **more,
        }
    )


SUITE = Suite(
    suite="demo",
    title={"en": "Demo"},  # type: ignore[arg-type]
    summary={"en": ""},  # type: ignore[arg-type]
    scenarios={
        "counted": loops_scenario(
            load={"type": "microbenchmark", "about": "10s", "instrument": "callgrind"},
            rankings=[],
            profiles={
                "brief": {
                    "trials": 2,
                    "operations": ["encode", "decode"],
                    "loops": {"rounds": 40, "more": 400, "count": 1, "fewer": {"large": 10}},
                }
            },
        ),
        "timed": loops_scenario(profiles={"brief": {"trials": 2, "loops": {}}}),
    },
)


def planned(*contenders: Contender, scenario: str = "counted", **more: Any) -> list[PlannedTrial]:
    return plan(SUITE, contenders, Selection([scenario], "brief", 1), **more)


def what(trial: PlannedTrial) -> tuple[str, str, int]:
    return trial.load.steps[0], trial.operations[0], trial.load.rounds


def test_every_block_has_a_pair_for_each_step_and_operation() -> None:
    trials = planned(contender("swift"))
    assert all(len(t.load.steps) == len(t.operations) == 1 for t in trials)
    for block in (0, 1):
        assert Counter(what(trial) for trial in trials if trial.block == block) == Counter(
            [
                *(
                    ("small", name, iterations)
                    for name in ("encode", "decode")
                    for iterations in (40, 440)
                ),
                *(
                    ("large", name, iterations)
                    for name in ("encode", "decode")
                    for iterations in (4, 44)
                ),
            ]
        )


def test_the_worker_is_told_that_it_is_counted() -> None:
    counted = planned(contender("swift"))
    assert [t.load.counted for t in counted] == [True] * 16
    timed = planned(contender("swift"), scenario="timed")
    assert [t.load.counted for t in timed] == [False, False]


def test_what_compiles_while_it_runs_is_warm_in_both_processes() -> None:
    trials = planned(contender("jit", language="JavaScript"))
    iterations = {what(trial)[2] for trial in trials if what(trial)[0] == "small"}
    assert iterations == {2000, 2400}


@pytest.mark.parametrize(
    "out",
    [
        contender("beans", language="Java"),
        contender("gopher", language="Go"),
        contender("new", language="Zig"),
        contender("copy", reference=True),
    ],
    ids=lambda out: out.contender,
)
def test_who_does_not_repeat_has_no_trials_and_a_reason_in_both_languages(out: Contender) -> None:
    assert {t.contender for t in planned(contender("swift"), out)} == {"swift"}
    assert {t.contender for t in planned(out, scenario="timed")} == {out.contender}
    reason = refusal(out)
    assert reason is not None
    assert reason.en
    assert reason.ko


def test_who_is_barred_on_this_machine_has_no_trials_of_that_scenario() -> None:
    both = [contender("swift"), contender("other")]
    trials = planned(*both, barred={"swift": ["counted"]})
    assert {t.contender for t in trials} == {"other"}

"""Workers that play many users: what their spec says, what they record, and what they count."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from to_check import workers

from wirelab import conform
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.conform import Check, CheckedWorker, Part, lanes
from wirelab.manifest import load_contender, load_suite
from wirelab.model.load import Cycle
from wirelab.model.planned import PlannedTrial, ScheduledStep
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.run.checking import WantedChecks
from wirelab.schedule import Schedule
from wirelab.trial.spec import Surroundings, spec_of

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "tests/sabotage/websocket"
HONEST = SUITE / "contenders/honest"
WORKERS = ROOT / "tests/sabotage/workers"


# --------------------------------------------------------------------------------- the spec
def planned() -> tuple[SuiteEntry, PlannedTrial]:
    """A trial of the honest contender, as the core plans it."""
    suite = SuiteEntry(load_suite(SUITE / "suite.toml"), SUITE)
    manifest = load_contender(HONEST / "contender.toml", suite.manifest)
    contender = ContenderEntry(manifest, HONEST)
    selection = Selection(["board"], "once", seed=1)
    [trial] = plan(suite.manifest, [contender.manifest], selection)
    return suite, trial


def shape(value: Any) -> Any:
    """The keys of a spec, with the types of what they lead to."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value)


@pytest.mark.parametrize("role", ["server", "generator"])
def test_the_spec_has_what_the_core_s_has(tmp_path: Path, role: str) -> None:
    suite, trial = planned()
    core = spec_of(
        trial,
        suite.manifest.scenarios["board"],
        role,
        Surroundings(),
        mark="run/trial",
        folder=tmp_path,
        listen="127.0.0.1:0",
    )
    [worker] = workers(HONEST, WantedChecks(role=role, command=["true"]))
    checker = conform.make_spec(worker, "run/trial", tmp_path, 12, {}, {})
    assert core["schedule"].pop("loop") == "open", "which the checker leaves out"
    assert shape(checker) == shape(core)


def test_users_are_few_and_in_proportion(tmp_path: Path) -> None:
    folder = tmp_path / "suite/contenders/honest"
    folder.mkdir(parents=True)
    text = (SUITE / "suite.toml").read_text()
    steps = """
[scenarios.board.steps.first]
title = { en = "few" }
users = 100
lanes = 10
[scenarios.board.steps.second]
title = { en = "many" }
users = "crowd"
lanes = 10
settle = 0
join = "1s"
[scenarios.board.profiles]
"""
    text = text.replace('[scenarios.board.steps.drawing]\ntitle = { en = "40 users" }\n', "")
    text = text.replace('users = 40\njoin = "500ms"\n', "")
    text = text.replace("[scenarios.board.profiles]\n", steps)
    text = text.replace("count = 12, settle = 4", "count = 24, settle = 4")
    crowd = 'crowd = { type = "whole", least = 1, meaning = "users of the second step" }'
    text = text.replace("[parameters]\n", f"[parameters]\n{crowd}\n", 1)
    text = text.replace(
        "[scenarios.board.parameters]\n", "[scenarios.board.parameters]\ncrowd = 100\n"
    )
    (tmp_path / "suite/suite.toml").write_text(text)
    (folder / "contender.toml").write_text((HONEST / "contender.toml").read_text())
    wanted = WantedChecks(role="generator", command=["true"], parameters={"crowd": 1000})
    [worker] = workers(folder, wanted)
    first, second = conform.make_spec(worker, "t", tmp_path, 25, {}, {})["schedule"]["steps"]
    assert (first["users"], first["lanes"], first["count"]) == (12, 2, 12)
    assert (second["users"], second["lanes"], second["count"]) == (120, 2, 13)
    assert second["settle"] == 0 < first["settle"]
    # Both join as fast as their part of so short a schedule allows.
    assert first["join_ns"] == first["settle"] * 100_000_000 // 2
    assert second["join_ns"] == 600_000_000


# -------------------------------------------------------------------------- the arithmetic
def schedules() -> list[tuple[dict[str, Any], Schedule]]:
    """Random schedules, for the checker and for the core."""
    chance = random.Random(7)
    found = []
    for _ in range(20):
        length = chance.choice([1, 2, 7, 30])
        cycle = {"length": length, "active": chance.randint(1, length)}
        steps, first, users = [], 0, 0
        for number in range(chance.randint(1, 3)):
            users += chance.randint(0 if users else 1, 9)
            step = {"name": f"s{number}", "first": first, "count": chance.randint(2, 12)}
            step |= {"settle": chance.randint(0, 2), "users": users, "join_ns": 10**8}
            steps.append(step | {"lanes": chance.randint(1, users)})
            first += step["count"]
        period_ns = chance.choice([10**8, 16_666_667])
        own = {"first_ns": 0, "period_ns": period_ns, "count": first, "cycle": cycle}
        core = Schedule(period_ns, first, [ScheduledStep(**s) for s in steps], Cycle(**cycle))
        found.append((own | {"steps": steps}, core))
    return found


@pytest.mark.parametrize(("own", "core"), schedules())
def test_lanes_are_due_when_the_core_says(own: dict[str, Any], core: Schedule) -> None:
    total = 0
    for tick in range(own["count"]):
        due = set(lanes.due_lanes(own, tick))
        assert due == {lane for lane in range(30) if core.is_due(tick, lane)}
        assert lanes.verified_lane(own, tick) == core.verified_lane(tick)
        times = np.array([lanes.offset_ns(own, tick, lane) for lane in sorted(due)], dtype=np.int64)
        assert core.on_schedule(times, np.array(sorted(due), dtype=np.int64), 1).all()
        total += len(due)
    assert total == core.expected(0, own["count"], 1)
    assert len(lanes.joins(own)) == core.expected_joins(0, own["count"])


def test_the_contract_s_example_of_joins() -> None:
    step = {"first": 60, "users": 300, "join_ns": 2_500_000_000}
    before = {"first": 0, "users": 100, "join_ns": 2_500_000_000}
    joins = lanes.joins({"first_ns": 0, "period_ns": 10**9, "steps": [before, step]})
    assert joins[1] == 25_000_000
    assert joins[100] == 60 * 10**9
    assert joins[299] == 60 * 10**9 + 199 * 2_500_000_000 // 200


# ---------------------------------------------------------------------------- what it records
def crowd(tmp_path: Path, step: str = "unused(self)", body: str = "pass") -> CheckedWorker:
    """The honest player of many users with one step changed."""
    source = tmp_path / "worker.py"
    source.write_text(
        f"import sys\nsys.path.insert(0, {str(WORKERS)!r})\n"
        "from crowd import *\n"
        f"class Changed(Crowd):\n    def {step}:\n        {body}\n"
        "Changed(read_spec()).run()\n"
    )
    wanted = WantedChecks(role="generator", command=[sys.executable, str(source)])
    [worker] = workers(HONEST, wanted)
    # What it says it got is made up: its form is what is looked at here.
    return replace(worker, verify=None, steps=(*worker.steps, worker.steps[0] | {"name": "again"}))


def checked(worker: CheckedWorker, parts: Sequence[Part] = conform.PARTS) -> dict[str, Check]:
    return {check.name: check for check in conform.check(worker, parts=parts)}


def lived(worker: CheckedWorker) -> dict[str, Check]:
    """A whole life, and no other trial."""
    return checked(worker, parts=())


def test_an_honest_player_of_many_users_passes(tmp_path: Path) -> None:
    found = checked(crowd(tmp_path))
    assert [str(check) for check in found.values() if check.outcome == "fail"] == []
    # Two steps of 12 ticks: 40 joins, 40 lanes in 8 of the first and in all of the second.
    assert found["schedule"].detail.startswith(f"{40 + 40 * (8 + 12)} turns")
    assert found["intervals"].detail == f"3 lines, {40 * (8 + 12) * 19} received"


PLAY = "play(self, at_ns, operation, lane, tick)"
WRITE = "write_second(self, second, deliveries)"


@pytest.mark.parametrize(
    ("step", "body", "name", "words"),
    [
        (PLAY, "lane == 3 or super().play(at_ns, operation, lane, tick)", "schedule", "lane 3"),
        (
            PLAY,
            "super().play(at_ns + (lane == 7), operation, lane, tick)",
            "schedule",
            "rtt: 20 lanes and times are none it is due at",
        ),
        (
            PLAY,
            "super().play(at_ns, operation, lane + (lane == 39), tick)",
            "schedule",
            "connect: 1 lanes and times are none it is due at",
        ),
        (
            PLAY,
            "[super(Changed, self).play(at_ns, operation, lane, tick) "
            "for _ in range(1 + (operation == 'connect' and lane == 5))]",
            "schedule",
            "connect: 1 were recorded more than once",
        ),
        (
            "joins(self)",
            "return iter([])",
            "schedule",
            "connect: 40 of 40 are missing",
        ),
        ("answer_if_asked(self, lane, tick)", "pass", "answers", "rtt: no answer of tick 4"),
        (WRITE, "pass", "intervals", "delivery: nothing was recorded"),
        (WRITE, "super().write_second(second + 9, deliveries)", "intervals", "outside of the"),
        (WRITE, "super().write_second(-1, deliveries)", "intervals", "outside of the"),
        (WRITE, "self.intervals.write('{')", "intervals", "not JSON"),
        (WRITE, "self.intervals.write('[]\\n')", "intervals", "not an object"),
        (
            WRITE,
            "super().write_second(second, deliveries); self.intervals.write('{\"second\": 1')",
            "intervals",
            "the last line is not complete",
        ),
        (WRITE, "self.intervals.write('{\"second\": 1}\\n')", "intervals", "operation is missing"),
        (WRITE, "super().write_second(True, deliveries)", "intervals", "second must be int"),
        (
            WRITE,
            'self.intervals.write(\'{"second": 1, "tenth": 10, "operation": "delivery"}\\n\')',
            "intervals",
            "tenth 10 is none of a second",
        ),
        (
            WRITE,
            'self.intervals.write(\'{"second": 1, "operation": "x", "mean": 1}\\n\')',
            "intervals",
            "mean is no field; those of a line are second, tenth, operation",
        ),
        (
            WRITE,
            'self.intervals.write(\'{"second": 1, "operation": "x"}\\n\')',
            "intervals",
            "x is no operation of the spec",
        ),
        (
            WRITE,
            'self.intervals.write(\'{"second": 1, "operation": "delivery", '
            '"counts": {"expected": -1}}\\n\')',
            "intervals",
            "counts.expected must be a whole number from 0",
        ),
        (
            WRITE,
            'self.intervals.write(\'{"second": 1, "operation": "delivery", '
            '"counts": {"expected": 1, "received": 2}}\\n\')',
            "intervals",
            "received, 3 expected",
        ),
        (
            "histogram(self, count)",
            "return super().histogram(count + 1)",
            "intervals",
            "service times of",
        ),
        ("histogram(self, count)", "return '%%%'", "intervals", "service: not base64"),
        (
            "histogram(self, count)",
            "return 'eJxT' * 9",
            "intervals",
            "not a compressed HdrHistogram V2",
        ),
        (
            "histogram(self, count)",
            "return super().histogram(count)[:-8]",
            "intervals",
            " bytes, and ",
        ),
        (
            "say_ready(self, **fields)",
            "Path(self.spec['paths']['intervals']).unlink(); super().say_ready(**fields)",
            "ready",
            "the interval file does not exist at ready",
        ),
    ],
)
def test_a_breach_of_a_player_is_caught(
    tmp_path: Path, step: str, body: str, name: str, words: str
) -> None:
    found = lived(crowd(tmp_path, step, body))
    assert found[name].outcome == "fail"
    assert words in found[name].detail

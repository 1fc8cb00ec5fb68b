"""Sizes as recorded beside those that a suite's rule asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wirelab.manifest import load_contender, load_suite
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedSchedule, PlannedTrial, ScheduledStep
from wirelab.model.trial import Sized
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.samples import format as samples
from wirelab.schedule import Schedule
from wirelab.trial import sizes
from wirelab.trial.load import load_of
from wirelab.trial.turns import KeptRecords

CLOSED = Path(__file__).parents[1] / "sabotage" / "closed"
SUITE = load_suite(CLOSED / "suite.toml")
HONEST = load_contender(CLOSED / "contenders/honest/contender.toml", SUITE)
ECHO = SUITE.scenarios["turns"].operations["echo"]
TICK0_NS = 5_000_000_000

Turns = list[tuple[int, int]]


def due(tick: int, lane: int) -> int:
    return 1000 * lane + tick


def rule(_spec: dict[str, Any], operation: str, turns: Any) -> list[int | None]:
    assert operation == "echo"
    return [due(tick, lane) for tick, lane in turns]


@pytest.fixture
def closed() -> PlannedTrial:
    """Two lanes for 12 ticks, then three for 22."""
    [trial] = plan(SUITE, [HONEST], Selection(["turns"], "once", 1))
    return trial


@pytest.fixture
def opened(closed: PlannedTrial) -> PlannedTrial:
    steps = [ScheduledStep(**step.model_dump(), join_ns=0) for step in closed.load.steps]
    load = PlannedSchedule(
        period_ns=closed.load.at_most_ns,
        count=closed.load.count,
        warmup=closed.load.warmup,
        steps=steps,
    )
    return closed.model_copy(update={"load": load})


def turns_of(trial: PlannedTrial) -> Iterator[tuple[int, int]]:
    for step in trial.load.steps:
        for tick in range(step.first, step.first + step.count):
            yield from ((tick, lane) for lane in range(step.lanes))


def recorded(trial: PlannedTrial, turns: Turns) -> samples.Records:
    """Good records, each with the right size: of an open loop at the time its lane is due."""
    records = np.zeros(len(turns), dtype=samples.RECORD)
    period_ns = SUITE.scenarios["turns"].period
    shifts = Schedule(period_ns, trial.load.count).shifts(np.arange(8))
    for record, (tick, lane) in zip(records, turns, strict=True):
        since = tick * period_ns + int(shifts[lane]) % period_ns
        record["intended_ns"] = TICK0_NS + since
        record["start_ns"] = record["intended_ns"] + 70 * lane
        record["end_ns"] = record["start_ns"] + 1_000_000
        record["size"], record["op"], record["lane"] = due(tick, lane), ECHO.code, lane
    return records


Compare = Callable[..., dict[str, Sized]]


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    def compared(
        trial: PlannedTrial,
        records: samples.Records,
        operation: Operation = ECHO,
        judge: sizes.Rule = rule,
    ) -> dict[str, Sized]:
        kept = tmp_path / "client.parquet"
        # As workers write them: in the order of completion.
        samples.write_parquet(records[np.argsort(records["end_ns"], kind="stable")], kept)
        load = load_of(trial, SUITE.scenarios["turns"])
        return sizes.compare(judge, {}, load, {"echo": operation}, KeptRecords(kept, TICK0_NS))

    return compared


@pytest.mark.parametrize("kind", ["closed", "opened"])
def test_each_record_is_held_against_its_own_turn(
    kind: str, compare: Compare, request: pytest.FixtureRequest
) -> None:
    trial: PlannedTrial = request.getfixturevalue(kind)
    turns = list(turns_of(trial))
    records = recorded(trial, turns)
    total = sum(due(tick, lane) for tick, lane in turns)
    assert compare(trial, records)["echo"] == Sized(
        compared=len(turns), unlike=0, recorded=total, expected=total
    )
    records["size"][7] -= 5
    assert compare(trial, records)["echo"] == Sized(
        compared=len(turns), unlike=1, recorded=total - 5, expected=total
    )


def test_what_failed_has_no_size(closed: PlannedTrial, compare: Compare) -> None:
    records = recorded(closed, list(turns_of(closed)))
    records["status"][3], records["size"][3] = 2, 0
    found = compare(closed, records)["echo"]
    assert (found.compared, found.unlike) == (len(records) - 1, 0)


def test_a_lane_that_gave_up_is_left_out(closed: PlannedTrial, compare: Compare) -> None:
    """Its turns are not known: a record that is missing in the middle moves all after it."""
    turns = [turn for turn in turns_of(closed) if turn != (5, 1)]
    found = compare(closed, recorded(closed, turns))["echo"]
    of_lane = sum(lane == 1 for _, lane in turns)
    assert (found.compared, found.unlike) == (len(turns) - of_lane, 0)


def test_a_long_trial_is_looked_at_all_over(
    closed: PlannedTrial, compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "MOST", 10)
    records = recorded(closed, list(turns_of(closed)))
    records["size"][-(len(records) // 2) :] += 1
    found = compare(closed, records)["echo"]
    assert 5 < found.compared <= 10
    assert 0 < found.unlike < found.compared


@pytest.mark.parametrize("change", [{"due": "join"}, {"record": "intervals"}])
def test_only_what_is_recorded_at_ticks_has_turns(
    closed: PlannedTrial, compare: Compare, change: dict[str, str]
) -> None:
    other = ECHO.model_copy(update=change)
    assert compare(closed, recorded(closed, list(turns_of(closed))), other) == {}


def test_a_rule_need_not_know(closed: PlannedTrial, compare: Compare) -> None:
    records = recorded(closed, list(turns_of(closed)))
    assert compare(closed, records, judge=lambda *_: [None] * len(records)) == {}
    half = [due(*turn) if turn[1] == 0 else None for turn in turns_of(closed)]
    known = dict(zip(turns_of(closed), half, strict=True))
    found = compare(closed, records, judge=lambda _s, _o, turns: [known[t] for t in turns])
    assert found["echo"].compared == sum(size is not None for size in half)


def test_nothing_recorded_is_nothing_to_compare(closed: PlannedTrial, compare: Compare) -> None:
    assert compare(closed, recorded(closed, [])) == {}

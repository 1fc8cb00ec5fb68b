"""The core, the checker and the Python SDK against the vectors of the worker contract."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from vectors import VECTORS, read

from wirelab.conform.events import misshapen
from wirelab.conform.lanes import due_lanes, joins, offset_ns, turns_of
from wirelab.model.events import event_of
from wirelab.model.load import Cycle
from wirelab.model.planned import ScheduledStep
from wirelab.samples import intervals
from wirelab.samples.format import read as read_samples
from wirelab.schedule import Schedule
from wirelab_sdk import Operation, Step
from wirelab_sdk import spec as worker_spec
from wirelab_sdk.answers import Answers
from wirelab_sdk.asked import Asked, Asking, KeptResult
from wirelab_sdk.commands import Commands
from wirelab_sdk.events import EventStream
from wirelab_sdk.lane_schedule import due_turns, join_of, last_intended, most_lanes, steps_of
from wirelab_sdk.lane_schedule import turns_of as turns_of_lane
from wirelab_sdk.recorder import Recorder

FILES = (
    "asked.json",
    "batches.json",
    "events.json",
    "intervals.json",
    "samples.json",
    "schedule.json",
)
TIMED, CLOSED = read("schedule.json")["timed"], read("schedule.json")["closed"]
NAMES = [case["name"] for case in TIMED]
MOST_TICKS = 5_000
"""Most ticks of a schedule that are walked one by one; of longer ones the last are."""


# ----------------------------------------------------------------------- the files themselves


def test_generating_the_files_again_gives_the_same(tmp_path: Path) -> None:
    assert sorted(file.name for file in VECTORS.glob("*.json")) == list(FILES)
    subprocess.run([sys.executable, VECTORS / "generate.py", tmp_path], check=True)
    for name in FILES:
        assert (tmp_path / name).read_text("utf-8") == (VECTORS / name).read_text("utf-8"), name


def test_what_is_in_them() -> None:
    counts = {name: [len(cases) for cases in read(name).values()] for name in FILES[:4]}
    assert counts == {
        "asked.json": [8],
        "batches.json": [11, 9],
        "events.json": [10, 10],
        "intervals.json": [4],
    }
    assert len(read("samples.json")["records"]) == 7
    assert (len(TIMED), len(CLOSED)) == (9, 2)
    assert sum(len(lane["due"]) for _, lane in lanes()) == 126
    assert sum(len(case["joins"]) for case in TIMED) == 41


def test_they_reach_beyond_64_bits() -> None:
    def cycle_ns(case: dict[str, Any]) -> int:
        schedule = case["schedule"]
        return int(schedule["cycle"]["length"] * schedule["period_ns"])

    products = [lane["lane"] * 618033989 % 10**9 * cycle_ns(case) for case, lane in lanes()]
    assert [number >= 2**63 for number in products].count(True) == 11
    shifts = [lane["shift_ns"] for _, lane in lanes()]
    assert [product // 10**9 for product in products] == shifts
    ends = [case["end_ns"] for case in TIMED]
    assert (max(ends), sum(end > 2**53 for end in ends)) == (2**63 - 1, 2)
    assert [len(case["steps"]) for case in CLOSED] == [2, 4]
    assert [step["at_most_ns"] for step in CLOSED[1]["steps"][1:]] == [None] * 3


def lanes() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each lane that is written out, after its case."""
    for case in TIMED:
        yield from ((case, lane) for lane in case["lanes"])


def dues(case: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Turns of the lanes that are written out: lane, tick, time."""
    return [(lane["lane"], *due) for lane in case["lanes"] for due in lane["due"]]


def some_ticks(case: dict[str, Any]) -> range:
    count = case["schedule"]["count"]
    return range(max(0, count - MOST_TICKS), count)


# ---------------------------------------------------------------------------------- the core


def planned(case: dict[str, Any]) -> Schedule:
    schedule = case["schedule"]
    steps = [ScheduledStep.model_validate(step) for step in schedule["steps"]]
    cycle = Cycle.model_validate(schedule["cycle"])
    return Schedule(schedule["period_ns"], schedule["count"], steps, cycle)


@pytest.mark.parametrize("case", TIMED, ids=NAMES)
def test_the_core_knows_what_is_due(case: dict[str, Any]) -> None:
    schedule, first_ns, due = planned(case), case["schedule"]["first_ns"], dues(case)
    numbers = np.array([lane["lane"] for lane in case["lanes"]])
    assert schedule.shifts(numbers).tolist() == [lane["shift_ns"] for lane in case["lanes"]]
    lane_of, _, at = (np.array(column) for column in zip(*due, strict=True))
    assert schedule.on_schedule(at - first_ns, lane_of, 1).all()
    # In a schedule of ticks of a nanosecond the next one is a tick as well.
    if schedule.period_ns > 1:
        assert not schedule.on_schedule(at - first_ns + 1, lane_of, 1).any()
    for lane in case["lanes"]:
        known = {tick for tick, _ in lane["due"]}
        for tick in {near for at in known for near in (at - 1, at, at + 1)}:
            within = 0 <= tick < schedule.count
            assert (within and schedule.is_due(tick, lane["lane"])) == (tick in known)


def test_the_core_counts_what_is_due() -> None:
    whole = [case for case in TIMED if most(case) == len(case["lanes"])]
    assert len(whole) == 8
    for case in whole:
        schedule, due = planned(case), dues(case)
        ticks = some_ticks(case)
        assert schedule.expected(ticks.start, ticks.stop, 1) == len(due)
        first_ns = case["schedule"]["first_ns"]
        found = schedule.times(ticks.start, ticks.stop, 1) + first_ns
        assert sorted(found.tolist()) == sorted(at for *_, at in due)


def most(case: dict[str, Any]) -> int:
    return max((step["lanes"] for step in case["schedule"]["steps"]), default=1)


def test_the_core_reads_the_sample_file(tmp_path: Path) -> None:
    vectors: Any = read("samples.json")
    file = tmp_path / "samples"
    packed = vectors["header"] + "".join(record["bytes"] for record in vectors["records"])
    file.write_bytes(bytes.fromhex(packed))
    found = read_samples(file)
    assert len(found) == 7
    for row, record in zip(found, vectors["records"], strict=True):
        assert {name: int(row[name]) for name in row.dtype.names} | {"bytes": record["bytes"]} == (
            record
        )


def test_the_core_and_the_checker_read_the_events() -> None:
    events = read("events.json")["events"]
    assert len(events) == 10
    for said in events:
        event = {"monotonic_ns": 5, "runtime": {"name": "x"}} | said
        known = event_of.validate_python(json.loads(json.dumps(event)))
        found = known.model_dump(by_alias=True)
        library = {"library": found.get("library")} if "library" in said else {}
        assert said.items() <= (found | library).items()
        assert misshapen(event) == []


def test_the_core_reads_the_intervals() -> None:
    kinds = [(c, kind) for c in read("intervals.json")["intervals"] for kind in intervals.KINDS]
    kept = [(case[f"{kind}_ns"], case[kind]) for case, kind in kinds if case[kind]]
    assert (len(kinds), [len(durations) for durations, _ in kept]) == (8, [6, 300, 6, 5])
    for durations, text in kept:
        found = intervals.decoded(text)
        bounds = zip(found.lows, found.highs, strict=True)
        within = [sum(low <= ns <= high for ns in durations) for low, high in bounds]
        assert found.counts.tolist() == within
        assert sum(within) == len(durations)


# ------------------------------------------------------------------------------- the checker


@pytest.mark.parametrize("case", TIMED, ids=NAMES)
def test_the_checker_knows_what_is_due(case: dict[str, Any]) -> None:
    schedule = case["schedule"]
    by_tick = {
        tick: [(lane, at) for _, lane, at in found]
        for tick, found in groupby(
            sorted((tick, lane, at) for lane, tick, at in dues(case)), key=lambda due: due[0]
        )
    }
    written = {lane["lane"] for lane in case["lanes"]}
    # Who has 65,536 lanes is asked of the ticks at which one of those written out is due.
    for tick in some_ticks(case) if most(case) < 10 else by_tick:
        found = [lane for lane in due_lanes(schedule, tick) if lane in written]
        times = [(lane, offset_ns(schedule, tick, lane)) for lane in found]
        assert times == by_tick.get(tick, [])
    known = joins(schedule)
    assert [known[user] for user, _ in case["joins"]] == [at for _, at in case["joins"]]


# ---------------------------------------------------------------------------- the Python SDK

START = 2**53 + 1
"""CLOCK_MONOTONIC of tick 0, beyond what a double holds."""


def worked(case: dict[str, Any]) -> worker_spec.Schedule:
    schedule = case["schedule"]
    return worker_spec.Schedule(
        *(schedule[key] for key in ("first_ns", "period_ns", "count", "warmup", "loop")),
        steps=tuple(Step(**step, parameters={}) for step in schedule["steps"]),
        cycle=(schedule["cycle"]["length"], schedule["cycle"]["active"]),
    )


@pytest.mark.parametrize("case", TIMED, ids=NAMES)
def test_lanes_in_python_are_due(case: dict[str, Any]) -> None:
    schedule, each = worked(case), Operation("read", 1, 1, 1, None)
    assert (last_intended(schedule), most_lanes(schedule)) == (case["end_ns"], most(case))
    steps = steps_of(schedule)
    for lane in case["lanes"]:
        turns = due_turns(schedule, steps, START, lane["lane"], each)
        assert [[turn.tick, turn.due_ns] for turn in turns] == [
            [tick, START + at] for tick, at in lane["due"]
        ]
    joins = [join_of(schedule, schedule.steps, START, user) for user, _ in case["joins"]]
    assert [turn and (turn.lane, turn.due_ns) for turn in joins] == [
        (user, START + at) for user, at in case["joins"]
    ]


def test_turns_of_a_closed_loop_in_python_and_of_the_checker() -> None:
    case = CLOSED[0]
    third = Operation("read", 1, 3, 1, None)
    for lane in (0, 1, 63, 64):
        found = [
            turn.tick
            for step in worked(case).steps
            if lane < step.lanes
            for ticks in (step.settling, step.counting)
            for turn in turns_of_lane(ticks, lane, step, third)
        ]
        assert found == list(turns_of(case["schedule"], 3, lane))
        assert len(found) == {0: 400, 1: 66, 63: 66, 64: 0}[lane]


def test_the_recorder_in_python_writes_the_sample_file(tmp_path: Path) -> None:
    vectors: Any = read("samples.json")
    recorder = Recorder(tmp_path / "samples")
    for record in vectors["records"]:
        times = (record["intended_ns"], record["start_ns"], record["end_ns"])
        rest = (record["op"], record["status"], record["size"], record["lane"])
        recorder.record(*times, *rest)
    recorder.close()
    expected = vectors["header"] + "".join(record["bytes"] for record in vectors["records"])
    assert (recorder.count, (tmp_path / "samples").read_bytes().hex()) == (7, expected)


def test_events_in_python(tmp_path: Path) -> None:
    said = read("events.json")["events"]
    with (tmp_path / "events").open("wb") as file:
        events = EventStream(file.fileno())
        for event in said:
            fields = {key: value for key, value in event.items() if key != "event"}
            if event["event"] == "error":
                names = (fields.pop("class"), fields.pop("status"), fields.pop("message"))
                events.error(*names, **fields)
            else:
                events.emit(event["event"], **fields)
    lines = (tmp_path / "events").read_bytes().splitlines()
    assert [json.loads(line) for line in lines] == said


def test_commands_in_python() -> None:
    async def heard(line: str) -> int | None:
        reading, writing = os.pipe()
        os.write(writing, line.encode() + b"\n")
        commands = Commands(asyncio.get_running_loop(), lambda _: None, reading)
        try:
            async with asyncio.timeout(30):
                start_ns = await commands.start
        finally:
            asyncio.get_running_loop().remove_reader(reading)
            os.close(reading)
            os.close(writing)
        assert commands.stop.is_set() == (start_ns is None)
        return start_ns

    commands = read("events.json")["commands"]
    found = [asyncio.run(heard(command["line"])) for command in commands]
    assert found == [command["start_ns"] for command in commands]
    assert found.count(None) == 2


def test_answers_that_are_asked_for_in_python(tmp_path: Path) -> None:
    cases = read("asked.json")["cases"]
    for number, case in enumerate(cases):
        answers = Answers(tmp_path / str(number))
        asked = Asked(answers)
        for one in case["does"]:
            match one["does"]:
                case "begin":
                    asked.begin(one["lane"])
                case "end":
                    asked.end(one["lane"], {r["operation"]: result(one, r) for r in one["results"]})
                case "ask":
                    asked.hear(Asking(one["asked"], one["operation"], one["lane"]))
        answers.close()
        found = [json.loads(line) for line in (tmp_path / str(number)).read_bytes().splitlines()]
        pauses = [line.pop("pause") for line in found if "answer" in line]
        assert all(begin <= end for begin, end in pauses)
        assert found == case["lines"], case["name"]
    assert len(cases) == 8


def result(ended: Any, one: Any) -> KeptResult:
    """A result of the vectors."""
    answer = None if one["answer"] is None else (lambda: one["answer"])
    return KeptResult(ended["tick"], one["start_ns"], one["end_ns"], answer)

"""Answers that were asked for, held against records that were written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wirelab.manifest import load_suite
from wirelab.trial.askings import SentAsking
from wirelab.trial.given import Given, RecordedLanes

SABOTAGE = Path(__file__).parents[1] / "sabotage"
OPERATIONS = load_suite(SABOTAGE / "suite/suite.toml").scenarios["s1"].operations
MS = 1_000_000
PERIOD_MS, READS = 100, 40


def findings(
    tmp_path: Path, starts_ms: list[int], sent_ms: list[int], answers: Any, behind_ms: int = 0
) -> list[str]:
    """Judge the lines of a lane whose reads took 5 ms each, and began behind their times."""
    start = [at * MS for at in starts_ms]
    code, count = OPERATIONS["read"].code, len(start)
    intended = [at - behind_ms * MS for at in start]
    columns = {"intended_ns": intended, "start_ns": start, "end_ns": [at + 5 * MS for at in start]}
    columns |= {"status": [0] * count, "op": [code] * count, "lane": [0] * count}
    pq.write_table(pa.table(columns), tmp_path / "client.parquet")
    recorded = RecordedLanes(tmp_path / "client.parquet", OPERATIONS)
    askings = [SentAsking("read", 0, at * MS) for at in sent_ms]
    return Given(askings, recorded, (PERIOD_MS - 10) * MS).findings(answers)


def answer(number: int, read_ms: int) -> dict[str, Any]:
    """An answer that is that of the read at ``read_ms``, given when it had ended."""
    stamps = {"start_ns": read_ms * MS, "end_ns": (read_ms + 5) * MS}
    pause = [(read_ms + 6) * MS, (read_ms + 7) * MS]
    return line(number, tick=0, answer={}, pause=pause, **stamps)


def line(number: int, **said: Any) -> dict[str, Any]:
    return {"phase": "measure", "asked": number, "operation": "read", "lane": 0, **said}


@pytest.mark.parametrize(("reason", "missing"), [("given", 0), ("nothing", 11)])
def test_a_worker_that_was_held_up_owes_one_answer_of_all_that_it_hears_together(
    tmp_path: Path, reason: str, missing: int
) -> None:
    # It stands still from 110 to 1,500 ms, reads once, and hears what it was asked meanwhile.
    sent_ms = [120 + 100 * number for number in range(12)]
    lines = [answer(0, 1500), *(line(number, none=reason) for number in range(1, 12))]
    found = findings(tmp_path, [100, 1500, 1600], sent_ms, lines)
    said = [f"{missing} of 12 answers asked for were not given"] if missing else []
    assert [one.partition(",")[0] for one in found] == said


def test_one_that_works_on_owes_every_answer(tmp_path: Path) -> None:
    # It says of every second read that its answer was given.
    starts_ms = [100 + PERIOD_MS * number for number in range(READS)]
    sent_ms = [at + 50 for at in starts_ms[:-1]]
    lines = [
        line(number, none="given") if number % 2 else answer(number, at)
        for number, at in enumerate(starts_ms[:-1])
    ]
    (found,) = findings(tmp_path, starts_ms, sent_ms, lines)
    assert found.startswith("19 of 39 answers asked for were not given")


def test_one_that_lets_askings_wait_for_each_other_owes_them(tmp_path: Path) -> None:
    # It gives one answer after three further reads, and none to what it was asked before those.
    starts_ms = [100 + PERIOD_MS * number for number in range(READS)]
    asked = range(0, READS - 4, 4)
    sent_ms = [starts_ms[number + further] + 50 for number in asked for further in range(4)]
    lines = []
    for place, number in enumerate(asked):
        lines.append(answer(4 * place, starts_ms[number + 4]))
        lines += [line(4 * place + further, none="given") for further in range(1, 4)]
    missing, fetched = findings(tmp_path, starts_ms, sent_ms, lines)
    assert missing.startswith("18 of 36 answers asked for were not given")
    assert fetched.endswith("fetched when asked for")


@pytest.mark.parametrize(("behind_ms", "missing"), [(9, 10), (30, 0)])
def test_one_that_is_behind_with_its_reads_hears_late(
    tmp_path: Path, behind_ms: int, missing: int
) -> None:
    # It reads three times before it hears of three askings, again and again.
    starts_ms = [100 + PERIOD_MS * number for number in range(READS)]
    heard = range(3, READS, 4)
    sent_ms = [starts_ms[number] - 290 + 100 * nth for number in heard for nth in range(3)]
    lines = []
    for place, number in enumerate(heard):
        lines.append(answer(3 * place, starts_ms[number]))
        lines += [line(3 * place + nth, none="given") for nth in (1, 2)]
    found = findings(tmp_path, starts_ms, sent_ms, lines, behind_ms)
    said = [one.partition(",")[0] for one in found if "asked for were not given" in one]
    asked = f"{missing} of {len(sent_ms)} answers asked for were not given"
    assert said == ([asked] if missing else [])


SHORT_MS, LONG_MS, PHASE_MS, LANES = 5, 40, 5_000, 10


def of_a_closed_loop(tmp_path: Path, spans_ms: list[tuple[int, int, int]], sent: Any) -> list[str]:
    """Judge answers of a closed loop, whose operations are given by lane, start and length."""
    lane, start, took = zip(*spans_ms, strict=True)
    start_ns = [at * MS for at in start]
    columns = {"intended_ns": start_ns, "start_ns": start_ns, "lane": lane}
    columns["end_ns"] = [(at + length) * MS for at, length in zip(start, took, strict=True)]
    columns |= {"status": [0] * len(lane), "op": [OPERATIONS["read"].code] * len(lane)}
    pq.write_table(pa.table(columns), tmp_path / "client.parquet")
    recorded = RecordedLanes(tmp_path / "client.parquet", OPERATIONS)
    askings, lines = [], []
    for number, (of, at_ms) in enumerate(sent):
        begin, length = next((s, t) for o, s, t in spans_ms if o == of and s <= at_ms < s + t)
        askings.append(SentAsking("read", of, at_ms * MS))
        pause = [(begin + length) * MS] * 2
        stamps = {"start_ns": begin * MS, "end_ns": (begin + length) * MS}
        lines.append(line(number, tick=0, answer={}, pause=pause, **stamps) | {"lane": of})
    return Given(askings, recorded, None).findings(lines)


def back_to_back(lane: int, begin_ms: int, length_ms: int) -> list[tuple[int, int, int]]:
    """Operations of a lane for as long as a phase lasts."""
    return [(lane, at, length_ms) for at in range(begin_ms, begin_ms + PHASE_MS, length_ms)]


def test_many_lanes_of_a_quick_phase_do_not_make_a_slow_one_suspicious(tmp_path: Path) -> None:
    # Half of the time ten lanes are quick, half of it one is slow: of the time of all lanes, that
    # of slow operations is a tenth, and half of the askings meet them.
    quick = [one for lane in range(LANES) for one in back_to_back(lane, 0, SHORT_MS)]
    sent = [(number % LANES, 50 + 100 * number) for number in range(PHASE_MS // 100)]
    sent += [(0, PHASE_MS + at) for _, at in sent]
    assert of_a_closed_loop(tmp_path, quick + back_to_back(0, PHASE_MS, LONG_MS), sent) == []


def test_operations_that_are_long_where_they_are_asked_for_are_fetched(tmp_path: Path) -> None:
    spans, sent, at_ms = [], [], 0
    while at_ms < PHASE_MS:
        spans.append((0, at_ms, LONG_MS if at_ms % 100 == 0 else SHORT_MS))
        if at_ms % 100 == 0:
            sent.append((0, at_ms + 1))
        at_ms += spans[-1][2]
    assert len(sent) == PHASE_MS // 100
    (found,) = of_a_closed_loop(tmp_path, spans, sent)
    assert "50 of 50 answers asked for are of operations that took much longer" in found

"""Answers that were asked for, held against records that were written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wirelab.manifest import load_suite
from wirelab.trial.askings import Asking
from wirelab.trial.given import Given, RecordedLanes

SABOTAGE = Path(__file__).parents[1] / "sabotage"
OPERATIONS = load_suite(SABOTAGE / "suite/suite.toml").scenarios["s1"].operations
MS = 1_000_000
PERIOD_MS, READS = 100, 40


def findings(tmp_path: Path, starts_ms: list[int], sent_ms: list[int], answers: Any) -> list[str]:
    """Judge the lines of a lane whose reads took 5 ms each."""
    start = [at * MS for at in starts_ms]
    code, count = OPERATIONS["read"].code, len(start)
    columns = {"intended_ns": start, "start_ns": start, "end_ns": [at + 5 * MS for at in start]}
    columns |= {"status": [0] * count, "op": [code] * count, "lane": [0] * count}
    pq.write_table(pa.table(columns), tmp_path / "client.parquet")
    recorded = RecordedLanes(tmp_path / "client.parquet", OPERATIONS)
    askings = [Asking("read", 0, at * MS) for at in sent_ms]
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

"""YCSB's workloads by the harness of Python clients, with a table that can be told to be wrong."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from itertools import pairwise
from pathlib import Path

import pytest
from kv_harness.popularity import popularity
from kv_harness.sequences import Sequences, may_find
from kv_harness.user_table import loaded, name_of_user, sequence_of, value

from kv.record_life import ROOT, SUITE, WRONG_ANSWER, RecordLife, finds_what_was_written

SDK = ROOT / "sdk" / "python"
SECRET = bytes(range(32))
ALL = ("a", "b", "c", "f", "d", "e")

TABLE = """
    import asyncio
    from kv_harness import play
    from kv_harness.user_table import loaded, value
    from wirelab_sdk import explain

    class Table:
        library = ("table", "1")
        whole_records = WHOLE

        async def open(self, endpoint, place):
            self.rows = {key: list(fields) for key, fields in loaded(40, bytes(range(32)))}
            self.old = {key: list(fields) for key, fields in self.rows.items()}
            self.calls = 0

        async def read_record(self, key):
            self.calls += 1
            await asyncio.sleep(0)
            if FAULT == "stale" and self.calls > 40 and key in self.old:
                return list(self.old[key])
            if FAULT == "other" and self.calls >= 40:
                return list(self.rows[next(k for k in self.rows if k != key)])
            if FAULT == "torn" and self.calls >= 40:
                return [b"x" * 100, *self.rows[key][1:]]
            return list(self.rows[key])

        async def write_record(self, key, values):
            await asyncio.sleep(0)
            assert key in self.rows
            if FAULT != "dropped":
                for field, content in values.items():
                    self.rows[key][field] = content
            await asyncio.sleep(0)

        async def insert_record(self, key, values):
            await asyncio.sleep(0)
            assert key not in self.rows
            self.rows[key] = list(values)

        async def scan_records(self, key, most):
            await asyncio.sleep(0)
            keys = sorted(k for k in self.rows if k >= key)[:most]
            if FAULT == "gap" and len(keys) > 2:
                del keys[1]
            if FAULT == "filled":
                numbers = [int(self.rows[k][0][:12]) for k in keys]
                return [[value(number, each, 0) for each in range(10)] for number in numbers]
            return [list(self.rows[k]) for k in keys]

        async def modify_record(self, key, values):
            found = list(self.rows[key])
            if FAULT == "lost-update":
                await asyncio.sleep(0)
            for field, content in values.items():
                self.rows[key][field] = content
            await asyncio.sleep(0)
            return found

        def explain(self, error):
            return explain(error)

        async def close(self):
            pass

    play(Table)
"""


class Life(RecordLife):
    """One life of a worker with that table, through these workloads."""

    def __init__(self, tmp_path: Path, *workloads: str, fault: str = "", whole: bool = False):
        source = tmp_path / "worker.py"
        body = textwrap.dedent(TABLE)
        source.write_text(body.replace("FAULT", repr(fault)).replace("WHOLE", repr(whole)))
        found = os.pathsep.join((str(SDK), str(SUITE / "libraries/python")))
        command = [sys.executable, str(source)]
        super().__init__(tmp_path, command, *workloads, environment={"PYTHONPATH": found})


@pytest.mark.parametrize("whole", [False, True], ids=["fields", "whole records"])
def test_every_workload_finds_what_was_written(tmp_path: Path, *, whole: bool) -> None:
    life = Life(tmp_path, *ALL, whole=whole)
    finds_what_was_written(life, len(ALL))


@pytest.mark.parametrize(
    ("fault", "workload"),
    [
        ("stale", "a"),
        ("other", "c"),
        ("torn", "b"),
        ("dropped", "a"),
        ("lost-update", "f"),
        ("gap", "e"),
        ("filled", "e"),
    ],
)
def test_what_is_not_what_was_written_is_a_wrong_answer(
    tmp_path: Path, fault: str, workload: str
) -> None:
    life = Life(tmp_path, workload, fault=fault)
    # A scan that leaves a record out is in order all the same, as is one whose records have nothing
    # right but their heads: the verifier knows what there is.
    told = {"gap": "left records out", "filled": " on holds "}
    if fault in told:
        assert any(told[fault] in finding for finding in life.findings), life.findings
    else:
        assert life.statuses[WRONG_ANSWER] > 0, life.stderr


def test_answers_that_were_changed_are_told(tmp_path: Path) -> None:
    life = Life(tmp_path, "a")
    (read, *_) = [one["answer"] for one in life.answers if one["answer"]["kind"] == "read"]
    read["content"] = "00000000"
    assert any("holds 00000000" in finding for finding in life.findings)
    read["record"] += 1
    assert any("was asked for instead of" in finding for finding in life.findings)


def test_what_was_loaded_depends_on_the_secret(tmp_path: Path) -> None:
    life = Life(tmp_path, "c")
    assert life.findings == []
    for secret in (b"", bytes(32)):
        told = life.findings_with(secret)
        assert len(told) == min(20, len(life.answers))
        assert all(", expected " in finding for finding in told)


def test_a_field_that_was_loaded_is_that_of_the_readme() -> None:
    # By a program of its own; 75 digits behind the head.
    digits = "68f0cff373c40bbdc786a27c1e28bfe5e9948caec856a4f758a0b7cd3613094241913eaf473"
    fields = dict(loaded(8, SECRET))[name_of_user(7)]
    content = b"0000000000073000000000000" + digits.encode()
    assert fields[3] == content
    assert sequence_of(content, 7, 3, 8) == 0
    assert sequence_of(content, 7, 4, 8) is None
    assert sequence_of(content[:-1], 7, 3, 8) is None
    # Of what was not loaded a client knows every byte.
    assert sequence_of(content, 7, 3, 7) is None
    assert sequence_of(value(7, 3, 0), 7, 3, 7) == 0


def test_popularity_is_zipfs_law() -> None:
    table = popularity(1_000_000)
    first, until = table["first"], table["until"]
    assert (first[:3], first[255:257], len(first)) == ([0, 1, 2], [255, 256], 527)
    ends = [*first[1:], 1_000_000]
    assert all(begin < end for begin, end in zip(first, ends, strict=True))
    weights = [until[0], *(b - a for a, b in pairwise(until))]
    # 2 ^ 0.99, and the harmonic number of order 0.99 of a million: 15.391849…
    assert weights[0] / weights[1] == pytest.approx(1.98618, abs=1e-5)
    assert until[-1] / weights[0] == pytest.approx(15.3918, abs=1e-3)
    assert len(json.dumps(table)) < 32_000


def test_a_read_may_find_what_was_under_way_and_nothing_older() -> None:
    known = Sequences(10)
    first = known.begin_write(3, [0])
    during = known.begin_read(3, [0])
    assert [may_find(during, 0, sequence) for sequence in (0, first)] == [True, True]
    known.end_write(3, [0], first)
    after = known.begin_read(3, [0])
    assert [may_find(after, 0, sequence) for sequence in (0, first)] == [False, True]
    later = known.begin_write(3, [0])
    assert may_find(after, 0, later)
    assert known.changed((3, 0), first)
    assert not known.changed((3, 0), first)

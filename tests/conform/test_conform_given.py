"""Answers that were asked for afterwards, held against records that were written by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wirelab.conform.asking import CheckedAsking
from wirelab.conform.contract import HEADER, RECORD
from wirelab.conform.given import check_given

MS = 1_000_000
ASKED = [CheckedAsking("read", 0, (110 + number) * MS) for number in range(6)]
"""Six askings after the lane's first operation, before its second one."""


def findings(tmp_path: Path, lines: list[dict[str, Any]]) -> list[str]:
    """Check the lines of a lane that read from 100 to 105 ms and from 300 to 305 ms."""
    path = tmp_path / "samples"
    records = [
        RECORD.pack(begin * MS, begin * MS, (begin + 5) * MS, 1, 1, 0, 0) for begin in (100, 300)
    ]
    header = HEADER.pack(b"WLSAMPLE", 1, RECORD.size, 1, bytes(16))
    path.write_bytes(header + b"".join(records))
    spec = {
        "operations": {"read": {"code": 1, "due": "tick", "record": "samples"}},
        "schedule": {"loop": "closed", "steps": [{}], "period_ns": 20 * MS},
    }
    worker = SimpleNamespace(unasked=frozenset(), unowed=frozenset())
    trial: Any = SimpleNamespace(
        asker=SimpleNamespace(sent=ASKED),
        spec=spec,
        worker=worker,
        done=None,
        path=lambda _: path,
    )
    return check_given(trial, lines)


def line(number: int, **said: Any) -> dict[str, Any]:
    return {"phase": "measure", "asked": number, "operation": "read", "lane": 0, **said}


@pytest.mark.parametrize(("reason", "missing"), [("given", 0), ("nothing", 5)])
def test_who_was_held_up_hears_askings_together_and_gives_one_answer(
    tmp_path: Path, reason: str, missing: int
) -> None:
    # All are heard when the second operation has ended, whose answer is given to the first asking.
    answer = line(0, start_ns=300 * MS, end_ns=305 * MS, pause=[310 * MS, 311 * MS])
    found = findings(tmp_path, [answer, *(line(number, none=reason) for number in range(1, 6))])
    said = [f"{missing} of 6 answers asked for were not given"] if missing else []
    assert [one.partition(",")[0] for one in found] == said


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (2, []),
        (1, ["one of its lane that had ended by then was written later"]),
        (-1, ["records is no whole number from 0"]),
    ],
)
def test_records_that_are_said_to_be_in_the_file_are_there(
    tmp_path: Path, records: int, said: list[str]
) -> None:
    given = line(0, start_ns=300 * MS, end_ns=305 * MS, pause=[310 * MS, 311 * MS])
    others = [line(number, none="given") for number in range(1, 6)]
    found = findings(tmp_path, [{**given, "records": records}, *others])
    assert len(found) == len(said)
    assert all(words in one for one, words in zip(found, said, strict=True))

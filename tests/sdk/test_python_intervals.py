"""The interval file as the Python SDK writes it, against the vectors of the worker contract."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from sdk.vectors import read
from wirelab_sdk.intervals import BySecond, Durations, Interval, Intervals

SECOND = 1_000_000_000
KINDS = ("service", "response")


def durations(of: list[int]) -> Durations:
    found = Durations()
    for ns in of:
        found.add(ns)
    return found


def inflated(text: str) -> bytes:
    """Its cookie, and what was compressed."""
    data = base64.b64decode(text)
    assert int.from_bytes(data[4:8], "big") == len(data) - 8
    return data[:4] + zlib.decompress(data[8:])


def test_the_vectors_of_the_interval_file(tmp_path: Path) -> None:
    cases = read("intervals.json")["intervals"]
    file = Intervals(tmp_path / "intervals")
    assert (tmp_path / "intervals").read_bytes() == b""
    for case in cases:
        kept = {kind: durations(case[f"{kind}_ns"]) for kind in KINDS}
        file.write(Interval(**case["fields"], **kept))
    file.flush()
    lines = (tmp_path / "intervals").read_text("utf-8").splitlines()
    file.close()
    said: list[dict[str, Any]] = [json.loads(line) for line in lines]
    texts = [line.pop(kind, "") for line in said for kind in KINDS]
    assert said == [case["fields"] for case in cases]
    assert len(said) == 4
    wanted = [case[kind] for case in cases for kind in KINDS]
    assert [text and inflated(text) for text in texts] == [
        text and inflated(text) for text in wanted
    ]
    assert sum(bool(text) for text in texts) == 4


def test_what_is_out_of_bounds_counts_as_the_nearest_bound() -> None:
    assert durations([-1, 121 * SECOND]).encoded() == durations([0, 120 * SECOND]).encoded()


def test_an_interval_without_durations_has_counts_alone() -> None:
    line = Interval(7, "connect", {"dropped": 1}).line()
    assert line == '{"second":7,"operation":"connect","counts":{"dropped":1}}\n'


def test_seconds_are_taken_out_once_they_are_old_enough() -> None:
    kept: BySecond[list[int]] = BySecond(list)
    kept.tick0_ns = 10 * SECOND
    for ns in (14 * SECOND, 9 * SECOND, 10 * SECOND, 11 * SECOND - 1, 11 * SECOND):
        kept.at(ns).append(ns)
    assert kept.settled(13 * SECOND - 1, 2) == []
    first = (0, [9 * SECOND, 10 * SECOND, 11 * SECOND - 1])
    assert kept.settled(13 * SECOND, 2) == [first]
    kept.at(10 * SECOND).append(1)
    assert kept.all() == [(0, [1]), (1, [11 * SECOND]), (4, [14 * SECOND])]
    assert kept.all() == []

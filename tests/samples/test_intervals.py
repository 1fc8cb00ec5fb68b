"""The interval file: exact counts and histograms, or a sentence that says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st

from wirelab.samples import intervals
from wirelab.samples.format import SampleFileError

times = st.lists(st.integers(1_000, 119_000_000_000), min_size=1, max_size=200)


def text_of(values: list[int]) -> str:
    histogram = HdrHistogram(1_000, 120_000_000_000, 3)
    for value in values:
        assert histogram.record_value(value)
    return intervals.encoded(histogram)


def written(tmp_path: Path, *lines: dict[str, object]) -> Path:
    path = tmp_path / "client.intervals.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@given(times)
def test_a_histogram_is_read_to_its_resolution(values: list[int]) -> None:
    found = intervals.decoded(text_of(values))
    assert len(found) == len(values)
    for value in values:
        at = np.searchsorted(found.lows, value, side="right") - 1
        assert found.lows[at] <= value <= found.highs[at]
        assert found.highs[at] - found.lows[at] <= max(1024, value / 500)
    assert np.all(found.counts > 0)
    assert np.all(found.highs[:-1] < found.lows[1:])


@pytest.mark.parametrize(
    "layout", [(1_000, 120_000_000_000, 3), (1, 3_600_000_000_000, 3), (1, 1_000_000, 2)]
)
def test_bounds_are_those_of_the_library(layout: tuple[int, int, int]) -> None:
    histogram = HdrHistogram(*layout)
    for value in np.unique(np.geomspace(1, layout[1], 500).astype(np.int64)):
        histogram.record_value(int(value))
    found = intervals.decoded(intervals.encoded(histogram))
    assert [histogram.get_lowest_equivalent_value(int(low)) for low in found.lows] == list(
        found.lows
    )
    highs = [histogram.get_highest_equivalent_value(int(low)) for low in found.lows]
    assert highs == list(found.highs)


def test_lines_are_read_in_order(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"second": 3, "operation": "delivery", "counts": {"expected": 2, "received": 1}},
        {
            "second": 3,
            "operation": "delivery",
            "counts": {"received": 1},
            "service": text_of([5000]),
        },
    )
    found = list(intervals.read(path))
    assert [line.counts for line in found] == [{"expected": 2, "received": 1}, {"received": 1}]
    assert len(found[1].histograms["service"]) == 1
    assert intervals.check(path) == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"second": -1, "operation": "x"}, "second"),
        ({"second": 1}, "operation"),
        ({"second": 1, "tenth": 10, "operation": "x"}, "tenth"),
        ({"second": 1, "operation": "x", "counts": {"lost": -1}}, "counts.lost"),
        ({"second": 1, "operation": "x", "mean_ms": 3.2}, "mean_ms"),
        ({"second": 1, "operation": "x", "service": "no histogram"}, "HdrHistogram"),
        (
            {
                "second": 1,
                "operation": "x",
                "counts": {"received": 1},
                "service": text_of([5000] * 2),
            },
            "2 service times of 1 received",
        ),
    ],
)
def test_what_is_no_interval_is_refused_with_its_place(
    tmp_path: Path, line: dict[str, object], says: str
) -> None:
    with pytest.raises(SampleFileError, match=says):
        intervals.check(written(tmp_path, line))


def test_a_table_of_seconds_by_buckets_is_bounded(tmp_path: Path) -> None:
    """Few lines with many buckets, of which the last tells of a late second."""
    many = text_of([value << shift for shift in range(8) for value in range(1024, 2048)])
    line = {"operation": "x", "counts": {"received": 8192}, "service": many}
    assert intervals.check(written(tmp_path, {"second": 1, **line})) == 1
    with pytest.raises(SampleFileError, match=r"\d+ buckets in 600000 seconds, and 100000000 are"):
        intervals.check(written(tmp_path, {"second": 599_999, **line}))


def test_a_line_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"second": 1, "operation": "x"})
    path.write_bytes(path.read_bytes() + b'{"second": 2, "oper')
    with pytest.raises(SampleFileError, match="line 2"):
        intervals.check(path)


@given(st.binary(max_size=300))
def test_any_other_bytes_are_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("foreign") / "client.intervals.jsonl"
    path.write_bytes(content + b"x\n")
    with pytest.raises(SampleFileError, match=r"client\.intervals"):
        intervals.check(path)


@given(st.text(max_size=200))
def test_any_other_text_is_no_histogram(text: str) -> None:
    with pytest.raises(SampleFileError, match="HdrHistogram"):
        intervals.decoded(text)


@given(times, st.data())
def test_a_damaged_histogram_is_refused_or_says_the_same(
    values: list[int], data: st.DataObject
) -> None:
    text = text_of(values)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.sampled_from("A9/+=!")) + text[at + 1 :]
    found = read_or_refused(damaged)
    assert found is None or np.array_equal(found.counts, intervals.decoded(text).counts)


def read_or_refused(text: str) -> intervals.Histogram | None:
    try:
        return intervals.decoded(text)
    except SampleFileError:
        return None


def test_a_line_of_a_closed_loop_belongs_to_a_step(tmp_path: Path) -> None:
    line = {"second": 1, "operation": "delivery", "counts": {"expected": 2, "received": 2}}
    path = written(tmp_path, {**line, "step": "few"}, {**line, "step": "many"})
    assert [interval.step for interval in intervals.read(path)] == ["few", "many"]
    assert intervals.check(path, ["few", "many"]) == 2
    with pytest.raises(SampleFileError, match='second 1: step "many", the steps are few'):
        intervals.check(path, ["few"])
    with pytest.raises(SampleFileError, match='step "few", only closed loops have them'):
        intervals.check(path)
    with pytest.raises(SampleFileError, match='step "", the steps are few'):
        intervals.check(written(tmp_path, line), ["few"])
    with pytest.raises(SampleFileError, match="step"):
        intervals.check(written(tmp_path, {**line, "step": 7}), ["7"])

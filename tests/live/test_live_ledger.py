"""Totals and quantiles of samples and intervals, as they come in."""

from __future__ import annotations

import numpy as np
import pytest

from live.live_examples import SECOND, interval, record, scenario
from synthetic import closed_scenario
from wirelab.live import running_totals
from wirelab.live.figures import OperationFigures
from wirelab.live.running_totals import HELD_LOOKS, RunningTotals
from wirelab.samples.format import RECORD, Records

MS = 1_000_000


@pytest.fixture
def ledger() -> RunningTotals:
    return RunningTotals(scenario(), ["rtt", "delivery", "connect"])


def records_of(*written: bytes) -> Records:
    return np.frombuffer(b"".join(written), dtype=RECORD)


def of(ledger: RunningTotals, name: str) -> OperationFigures:
    return next(figures for figures in ledger.figures() if figures.name == name)


def test_samples_are_counted_by_operation_and_status(ledger: RunningTotals) -> None:
    ledger.take_records(records_of(record(0, 0, 1, 1), record(0, 0, 1, 1, 2), record(0, 0, 1, 3)))
    ledger.take_records(records_of(record(0, 0, 2, 1)))
    figures = {operation.name: operation for operation in ledger.figures()}
    assert figures["rtt"].statuses == {"ok": 2, "timeout": 1}
    assert figures["rtt"].totals == {"sent": 3, "received": 2}
    assert figures["connect"].totals == {"sent": 1, "received": 1}
    assert figures["delivery"].totals == {}


def test_quantiles_are_of_the_newest_second_and_of_good_ones(ledger: RunningTotals) -> None:
    old = [record(0, 0, SECOND, 1)]
    new = [record(9 * SECOND, 9 * SECOND + MS, 9 * SECOND + n * MS, 1) for n in range(2, 102)]
    bad = [record(9 * SECOND, 9 * SECOND, 9 * SECOND + 500 * MS, 1, 2)]
    ledger.take_records(records_of(*old, *new, *bad))
    durations = of(ledger, "rtt").durations
    assert durations["response"] == {
        50.0: 51 * MS,
        95.0: 96 * MS,
        99.0: 100 * MS,
        100.0: 101 * MS,
    }
    assert durations["service"][100.0] == 100 * MS


def test_a_look_without_samples_shows_no_quantiles(ledger: RunningTotals) -> None:
    ledger.take_records(records_of(record(0, 0, MS, 1)))
    assert of(ledger, "rtt").durations
    assert not of(ledger, "rtt").durations


def test_lines_of_intervals_add_up_and_what_is_missing_is_lost(ledger: RunningTotals) -> None:
    ledger.take_lines([interval(0, "delivery", {"expected": 10, "received": 7, "duplicates": 1})])
    assert of(ledger, "delivery").lost == 3
    ledger.take_lines(
        [interval(0, "delivery", {"received": 2}), interval(1, "delivery", {"expected": 5})]
    )
    figures = of(ledger, "delivery")
    assert figures.totals == {"expected": 15, "received": 9, "duplicates": 1}
    assert figures.lost == 6


def test_histograms_of_the_newest_second_add_up(ledger: RunningTotals) -> None:
    ledger.take_lines(
        [
            interval(3, "delivery", {}, *[900 * MS] * 50),
            interval(4, "delivery", {}, *[10 * MS] * 95),
            interval(4, "delivery", {}, *[80 * MS] * 5),
            interval(2, "delivery", {}, *[900 * MS] * 50),
        ]
    )
    levels = of(ledger, "delivery").durations["response"]
    assert levels[95.0] == pytest.approx(10 * MS, rel=1e-3)
    assert levels[99.0] == pytest.approx(80 * MS, rel=1e-3)
    assert levels[100.0] == pytest.approx(80 * MS, rel=1e-3)


def test_quantiles_of_intervals_are_held_for_a_few_looks_only(ledger: RunningTotals) -> None:
    ledger.take_lines([interval(0, "delivery", {}, MS)])
    shown = [bool(of(ledger, "delivery").durations) for _ in range(HELD_LOOKS + 2)]
    assert shown == [True] * HELD_LOOKS + [False] * 2


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[1]",
        b"[" * 5000,
        b'{"second": "1", "operation": "delivery", "counts": {"received": 1}}',
        b'{"second": 1, "operation": "unknown", "counts": {"received": 1}}',
        b'{"second": 1, "operation": "delivery", "counts": 3}',
        b'{"second": 1, "operation": "delivery", "counts": {"received": "many"}}',
        b'{"second": 1, "operation": "delivery", "response": "bm9wZQ=="}',
    ],
)
def test_what_is_no_interval_is_passed_over(ledger: RunningTotals, line: bytes) -> None:
    ledger.take_lines([line, interval(0, "delivery", {"received": 4}, MS)])
    figures = of(ledger, "delivery")
    assert figures.totals == {"received": 4}


@pytest.mark.parametrize("bound", ["MOST_TEXTS", "MOST_TEXT", "MOST_BUCKETS"])
def test_histograms_without_end_are_no_quantiles(
    ledger: RunningTotals, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    lines = [interval(3, "delivery", {"received": 2}, MS, 2 * MS)] * 5
    ledger.take_lines(lines)
    assert of(ledger, "delivery").durations
    monkeypatch.setattr(running_totals, bound, 4)
    ledger.take_lines([line.replace(b'"second": 3', b'"second": 4') for line in lines])
    figures = of(ledger, "delivery")
    assert figures.durations == {}
    assert figures.totals == {"received": 20}
    monkeypatch.undo()
    ledger.take_lines([interval(5, "delivery", {}, MS)])
    assert of(ledger, "delivery").durations


@pytest.mark.parametrize("number", ["9" * 4000, "-1", "1e999", "true"])
def test_counts_of_no_size_are_passed_over(ledger: RunningTotals, number: str) -> None:
    line = f'{{"second": 1, "operation": "delivery", "counts": {{"received": {number}}}}}'
    ledger.take_lines([line.encode(), interval(0, "delivery", {"received": 4})])
    assert of(ledger, "delivery").totals == {"received": 4}


@pytest.mark.parametrize("name", ["\x1b]0;x\x07", "\u202e", "", "a\nb", "a" * 65, 'a"} 1'])
def test_a_count_is_named_by_a_name(ledger: RunningTotals, name: str) -> None:
    ledger.take_lines([interval(0, "delivery", {"received": 4, name: 1})])
    assert of(ledger, "delivery").totals == {"received": 4}


def test_counts_of_an_operation_with_samples_go_before_its_samples(ledger: RunningTotals) -> None:
    ledger.take_records(records_of(record(0, 0, 1, 1)))
    ledger.take_lines([interval(0, "rtt", {"received": 6, "dropped": 2})])
    assert of(ledger, "rtt").totals == {"sent": 1, "received": 6, "dropped": 2}


def test_a_closed_loop_has_no_response_time() -> None:
    found = RunningTotals(closed_scenario(), ["rtt"])
    found.take_records(records_of(record(0, 0, 5 * MS, 1)))
    assert set(of(found, "rtt").durations) == {"service"}

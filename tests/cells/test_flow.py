"""Rate, loss and traffic of each second, against what interval files and samples say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from synthetic import BOARD, SECOND, Client, SyntheticRun, closed_run, crowd_run
from synthetic.behaviour import PROBE_NS
from synthetic.neighbour import bursts, record_host
from wirelab.cells.analysis import analyse
from wirelab.cells.flow import counted_rate
from wirelab.cells.intervals import OperationIntervals
from wirelab.model.parts import Operation
from wirelab.model.result import Cell, CellSeries, Timeline
from wirelab.samples.intervals import Interval

LOST_AT, LOST = 17, 3
WRITTEN, READ = 138, 134
"""Bytes on the wire of a message, and of a copy of it."""
SECONDS, WARM_UP = 24, 2


def analysed(
    run: SyntheticRun, folder: Path, name: str = "demo/crowd/swift"
) -> tuple[Cell, CellSeries]:
    """The cell of all steps, and its series."""
    result, series = analyse(run.write(folder))
    return next(cell for cell in result.cells if cell.id == name), series.cells[name]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cell, CellSeries]:
    """Two trials in which nothing is lost, and bytes are counted."""
    return analysed(with_sockets(crowd_run({"swift": Client()})), tmp_path_factory.mktemp("plain"))


def with_sockets(run: SyntheticRun) -> SyntheticRun:
    """The same of a generator that counts what goes through its sockets."""
    for trial in run.trials:
        for line in trial.intervals:
            received = line["counts"]["received"]
            sent = received // (BOARD - 1)
            counted = {"written": sent * WRITTEN, "wire": (received + sent) * READ}
            line["counts"] |= counted
    return run


def of(line: Timeline, name: str) -> list[float]:
    """The values of a line, all of which there are."""
    values = [value for value in line.values[name] if value is not None]
    assert len(values) == len(line.seconds)
    return values


def figure(cell: Cell, name: str) -> float:
    value = cell.metrics[name].value
    assert value is not None
    return value


def test_a_loss_in_one_second_of_one_trial_stands_there_alone(tmp_path: Path) -> None:
    run = crowd_run({"swift": Client()})
    line = next(one for one in run.trials[1].intervals if one["second"] == LOST_AT)
    line["counts"]["received"] -= LOST
    del line["service"], line["response"]
    cell, series = analysed(run, tmp_path)
    first, second = series.operations["delivery"]
    assert first.seconds == [float(at) for at in range(SECONDS)]
    assert of(first, "lost") == [0] * SECONDS
    assert of(second, "lost") == [LOST if at == LOST_AT else 0 for at in range(SECONDS)]
    assert figure(cell, "delivery.loss.count") == LOST
    assert "lost" not in series.operations["rtt"][0].values


def test_the_seconds_of_the_window_add_up_to_the_counts(plain: tuple[Cell, CellSeries]) -> None:
    cell, series = plain
    assert [line.trial for line in series.operations["delivery"]] == cell.trials
    assert len(cell.trials) == 2
    delivered = sum(sum(of(one, "rate")[WARM_UP:]) for one in series.operations["delivery"])
    assert delivered == figure(cell, "delivery.received.count") > 1_000
    sent = sum(sum(of(one, "rate")[WARM_UP:]) for one in series.operations["rtt"])
    assert sent == cell.statuses["rtt"]["ok"] == delivered / (BOARD - 1)


def test_points_of_several_seconds_are_rates_of_one(tmp_path: Path) -> None:
    run = with_sockets(crowd_run({"swift": Client()}, trials=1, ticks=350))
    (trial,) = run.trials
    _, series = analysed(run, tmp_path)
    (line,) = series.operations["delivery"]
    assert line.seconds[:3] == [0, 2, 4]
    received = sum(one["counts"]["received"] for one in trial.intervals)
    assert 2 * sum(of(line, "rate")) == received
    (flow,) = series.network
    assert 2e6 * sum(of(flow, "in")) == pytest.approx(received / (BOARD - 1) * WRITTEN, rel=1e-3)


def test_lines_of_tenths_are_of_their_second(
    tmp_path: Path, plain: tuple[Cell, CellSeries]
) -> None:
    run, (_, whole) = with_sockets(crowd_run({"swift": Client()})), plain
    for trial in run.trials:
        halves = []
        for line in trial.intervals:
            half = {name: count // 2 for name, count in line["counts"].items()}
            rest = {name: count - half[name] for name, count in line["counts"].items()}
            text = {"service": "", "response": ""}
            halves += [{**line, **text, "tenth": 3, "counts": half}]
            halves += [{**line, **text, "tenth": 9, "counts": rest}]
        trial.intervals = halves
    _, parts = analysed(run, tmp_path)
    for name in ("rate", "lost"):
        both = [of(one.operations["delivery"][0], name) for one in (whole, parts)]
        assert both[0] == both[1]
    assert parts.network == whole.network


def test_counts_are_of_all_seconds_whatever_disturbed_them(
    tmp_path: Path, plain: tuple[Cell, CellSeries]
) -> None:
    run, (_, quiet) = with_sockets(crowd_run({"swift": Client()})), plain
    for trial in run.trials:
        record_host(trial, bursts(trial, 0.4))
    cell, noisy = analysed(run, tmp_path)
    assert "host-disturbed" in {finding.gate for finding in cell.findings}
    assert noisy.operations == quiet.operations
    assert noisy.network == quiet.network


def test_trials_of_different_length_have_lines_of_their_own(tmp_path: Path) -> None:
    run = closed_run({"swift": Client(median_ms=6.0, trial_spread=0.5)}, trials=2)
    cell, series = analysed(run, tmp_path, "demo/closed/swift")
    lengths = {len(line.seconds) for line in series.operations["rtt"]}
    assert len(lengths) == 2
    for trial, line in zip(run.trials, series.operations["rtt"], strict=True):
        assert sum(of(line, "rate")) == np.count_nonzero(trial.samples["op"] == 1)
    delivered = sum(sum(of(line, "rate")) for line in series.operations["delivery"])
    assert delivered == figure(cell, "delivery.received.count") > 1_000


def test_traffic_is_what_went_through_the_sockets_and_the_loopback(
    plain: tuple[Cell, CellSeries],
) -> None:
    cell, series = plain
    line = series.network[0]
    assert set(line.values) == {"in", "out", "loopback"}
    # Twenty users send once a second in the second step.
    assert of(line, "in")[20] == pytest.approx(20 * WRITTEN / 1e6)
    assert of(line, "out")[20] == pytest.approx(20 * BOARD * READ / 1e6)
    assert of(line, "loopback")[20] == pytest.approx(20_000 / PROBE_NS * 1e3, rel=1e-3)
    seconds = SECONDS - WARM_UP
    for way in ("in", "out"):
        whole = np.mean([sum(of(one, way)[WARM_UP:]) for one in series.network]) / seconds
        assert figure(cell, f"delivery.network.{way}") == pytest.approx(whole, rel=1e-3)


def test_runs_stored_before_bytes_were_counted_have_the_loopback_alone(tmp_path: Path) -> None:
    run = crowd_run({"swift": Client()})
    for trial in run.trials:
        host = trial.probe["host"]
        at = (host["monotonic_ns"] - trial.record["tick0_ns"]) // 10**9
        # For a second of each trial the monitor did not look.
        trial.probe["host"] = {name: column[at != 5] for name, column in host.items()}
    cell, series = analysed(run, tmp_path)
    assert len(series.network) == 2
    for line in series.network:
        assert set(line.values) == {"loopback"}
        assert [at for at, value in enumerate(line.values["loopback"]) if value is None] == [5]
    assert not [name for name in cell.metrics if ".network." in name]


@pytest.mark.parametrize(("counted", "way"), [("written", "in"), ("wire", "out")])
def test_a_way_that_nobody_counts_has_neither_figure_nor_line(
    tmp_path: Path, counted: str, way: str
) -> None:
    run = with_sockets(crowd_run({"swift": Client()}))
    for trial in run.trials:
        for line in trial.intervals:
            line["counts"] = {
                name: count
                for name, count in line["counts"].items()
                if name == counted or name not in {"written", "wire"}
            }
    cell, series = analysed(run, tmp_path)
    assert [name for name in cell.metrics if ".network." in name] == [f"delivery.network.{way}"]
    assert [set(line.values) for line in series.network] == [{way, "loopback"}] * 2


@pytest.mark.parametrize(("sheds", "lost"), [(True, [0, 2]), (False, [4, 2])])
def test_what_a_server_may_leave_out_is_not_lost(*, sheds: bool, lost: list[int]) -> None:
    delivery = Operation(code=2, record="intervals", sheds=sheds)
    lines = [
        Interval(0, "delivery", {"expected": 9, "received": 5, "shed": 4}),
        Interval(1, "delivery", {"expected": 9, "received": 7}),
    ]
    edges = np.arange(3) * SECOND
    assert counted_rate(OperationIntervals(lines), delivery, edges)["lost"].tolist() == lost

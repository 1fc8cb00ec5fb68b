"""The parts of operations that a witness saw, against a run whose parts are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from synthetic import MS, Client, SyntheticRun
from synthetic.wire import ANSWERED, ASKED, BEFORE, HEADERS, UNTIL, wire_run
from wirelab.cells.analysis import analyse
from wirelab.cells.split import PARTS, WireTimes, split
from wirelab.cells.window import Window
from wirelab.model.result import Cell, CellSeries
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime

Analysed = Callable[[SyntheticRun], tuple[Cell, CellSeries]]

SHARES = {"before": BEFORE, "server": UNTIL - BEFORE, "after": 1 - UNTIL}


@pytest.fixture
def analysed(tmp_path: Path) -> Analysed:
    """The only cell of a run, and its series."""

    def of(run: SyntheticRun) -> tuple[Cell, CellSeries]:
        result, series = analyse(run.write(tmp_path / "run"))
        (cell,) = result.cells
        return cell, series.cells[cell.id]

    return of


def value(cell: Cell, name: str) -> float:
    found = cell.metrics[name].value
    assert found is not None
    return found


def test_each_part_has_its_share_of_the_service_time(analysed: Analysed) -> None:
    cell, _ = analysed(wire_run({"swift": Client(median_ms=2.0)}))
    for part, share in SHARES.items():
        for stat in ("mean", "p50", "p95"):
            whole = value(cell, f"read.latency.{stat}")
            assert value(cell, f"read.wire.{part}.{stat}") == pytest.approx(share * whole, rel=1e-3)
    assert cell.metrics["read.wire.server.p50"].interval is not None
    assert cell.metrics["read.wire.server.p50"].unit == "ms"


def test_bytes_packets_and_the_share_matched_are_exact(analysed: Analysed) -> None:
    cell, _ = analysed(wire_run({"swift": Client()}))
    assert value(cell, "read.wire.bytes") == ASKED + ANSWERED
    assert value(cell, "read.wire.packets") == 2
    assert value(cell, "read.wire.matched") == 100
    assert not any(name.startswith("write.wire") for name in cell.metrics)


def test_everything_between_the_roles_is_told_by_the_second(analysed: Analysed) -> None:
    cell, _ = analysed(wire_run({"swift": Client()}))
    rate = value(cell, "read.rate") / 2000
    assert value(cell, "wire.packets") == pytest.approx(2 * rate, rel=0.01)
    each = ASKED + ANSWERED + 2 * HEADERS
    assert value(cell, "wire.traffic") == pytest.approx(each * rate / 1e3, rel=0.01)


def test_traffic_is_told_of_each_connection(analysed: Analysed) -> None:
    cell, _ = analysed(wire_run({"swift": Client()}, every=4))
    whole = value(cell, "wire.traffic")
    assert value(cell, "wire.connections") == 2
    for which, part in (("least", 0.25), ("median", 0.5), ("most", 0.75)):
        assert value(cell, f"wire.connection.{which}") == pytest.approx(part * whole, rel=0.02)


def test_what_nobody_looked_at_has_no_such_figure(analysed: Analysed) -> None:
    run = wire_run({"swift": Client()})
    for trial in run.trials:
        trial.witness = None
    cell, series = analysed(run)
    assert "read.latency.p50" in cell.metrics
    assert not any(".wire." in name for name in cell.metrics)
    assert series.split == {}


def test_a_trial_that_was_not_witnessed_takes_nothing_from_the_others(analysed: Analysed) -> None:
    run = wire_run({"swift": Client(median_ms=2.0)})
    run.trial("swift", 0).witness = None
    cell, _ = analysed(run)
    found = cell.metrics["read.wire.before.p50"]
    assert found.value is not None
    assert found.per_trial[0] is None
    assert found.per_trial[1] == pytest.approx(found.value)
    assert found.n == cell.metrics["read.wire.matched"].n


def test_the_chart_adds_up_to_the_percentiles_of_the_whole(analysed: Analysed) -> None:
    cell, series = analysed(wire_run({"swift": Client(median_ms=2.0)}))
    made_of = series.split["read"]
    assert made_of.percentiles[:3] == [50, 90, 95]
    columns = zip(made_of.percentiles, made_of.before, made_of.server, made_of.after, strict=True)
    for level, before, server, after in list(columns)[:3]:
        whole = before + server + after
        assert whole == pytest.approx(value(cell, f"read.latency.p{level:g}"), rel=0.05)
        assert before / whole == pytest.approx(BEFORE, rel=1e-2)


def times(*bounds_ms: Sequence[int]) -> WireTimes:
    """Operations with these bounds, intended when they start."""
    start, departed, arrived, end = np.array(bounds_ms, dtype=np.int64).T * MS
    return WireTimes.of(start, start, departed, arrived, end)


def test_parts_are_cut_off_where_others_ran() -> None:
    window = Window.between(0, 2_000 * MS)
    disturbed = DisturbedTime(np.array([500 * MS]), np.array([600 * MS]))
    of = times((100, 110, 130, 140), (480, 490, 530, 540), (550, 560, 570, 580))
    found = of.parts(window, disturbed)
    assert {name: (part.values // MS).tolist() for name, part in found.items()} == {
        "before": [10, 10],
        "server": [20, 10],
        "after": [10],
    }
    ended = found["server"].ended
    assert ended is not None
    assert ended.tolist() == [True, False]
    assert (of.whole(disturbed) // MS).tolist() == [[10], [20], [10]]
    assert of.whole(UNDISTURBED).shape == (len(PARTS), 3)


def test_stamps_of_two_clocks_put_nothing_outside_its_operation() -> None:
    of = times((100, 99, 141, 140))
    assert (of.whole(UNDISTURBED) // MS).tolist() == [[0], [40], [0]]


def test_too_few_operations_make_no_chart() -> None:
    assert split([times((100, 110, 130, 140)).whole(UNDISTURBED)]) is None
    assert split([]) is None

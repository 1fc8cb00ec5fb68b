"""Resources over the window, from counters whose growth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from synthetic import MS, SECOND, Client, Trial, load_run, spoil
from wirelab.cells.analysis import analyse
from wirelab.cells.resources import per_second, role_use, second_use
from wirelab.cells.runtime import runtime_use, second_heap
from wirelab.cells.window import Window
from wirelab.model.result import Cell

Column = npt.NDArray[Any]

BOOT = 2**60  # nanoseconds that do not fit the 53 bits of a float
WINDOW = Window.between(BOOT + 2 * SECOND, BOOT + 12 * SECOND)


def rows(cores: float = 0.5, offset_ns: int = 0, **changed: Column) -> dict[str, Column]:
    """A role that uses ``cores``, probed at 10 Hz from BOOT on for 15 s."""
    index = np.arange(150)
    at = index * 100 * MS
    columns: dict[str, Column] = {
        "monotonic_ns": (BOOT + offset_ns + at).astype(np.uint64),
        "cpu_ns": (at * cores).astype(np.uint64),
        "rss_bytes": np.full(150, 50_000_000, dtype=np.uint64),
        "switches_voluntary": (index * 20).astype(np.uint64),
        "switches_involuntary": index.astype(np.uint64),
        "processes": np.ones(150, dtype=np.uint16),
        "run_delay_ns": (at // 1000).astype(np.uint64),
    }
    return columns | changed


@pytest.mark.parametrize("offset_ns", [0, 37 * MS])
def test_counters_grow_at_their_rate_wherever_the_ticks_fell(offset_ns: int) -> None:
    use = role_use(rows(offset_ns=offset_ns), WINDOW)
    assert use is not None
    assert use.cpu_cores == pytest.approx(0.5)
    assert use.cpu_intervals == pytest.approx(np.full(len(use.cpu_intervals), 0.5))
    assert use.voluntary_per_second == pytest.approx(200)
    assert use.involuntary_per_second == pytest.approx(10)
    assert use.delay_share == pytest.approx(0.001)


def test_memory_is_that_of_the_window() -> None:
    rss = np.full(150, 50_000_000)
    rss[:5] = 900_000_000  # before the window
    rss[60] = 80_000_000
    rss[100:] = 53_000_000
    use = role_use(rows(rss_bytes=rss), WINDOW)
    assert use is not None
    assert (use.rss_start_mb, use.rss_max_mb) == (50, 80)
    assert use.rss_growth_mb == pytest.approx(3)


def test_a_client_that_ended_just_before_the_window_did_not_shrink_to_nothing() -> None:
    gone = np.arange(150) >= 118
    rss = np.where(gone, 0, 50_000_000)
    use = role_use(rows(rss_bytes=rss, processes=np.where(gone, 0, 1)), WINDOW)
    assert use is not None
    assert use.rss_growth_mb == 0
    assert use.cpu_cores == pytest.approx(0.5)


def test_a_role_that_was_not_seen_in_the_window_has_no_use() -> None:
    assert role_use(rows(), Window.between(BOOT + 100 * SECOND, BOOT + 110 * SECOND)) is None


def test_a_probe_that_ended_early_is_not_read_beyond_its_end() -> None:
    short = {name: column[:60] for name, column in rows().items()}
    assert per_second(short, "cpu_ns", WINDOW) == pytest.approx(0.5e9)


def test_seconds_of_a_role() -> None:
    edges = BOOT + np.arange(-1, 21) * SECOND
    seconds = second_use(rows(), edges)
    assert seconds["cpu"][1:15] == pytest.approx(np.full(14, 50), rel=0.02)
    assert np.isnan(seconds["cpu"][[0, 17]]).all()
    assert seconds["rss"][5] == 50


def runtime(at_s: float, **figures: object) -> dict[str, object]:
    return {"event": "runtime", "monotonic_ns": BOOT + round(at_s * SECOND), **figures}


def test_collections_are_those_of_the_window() -> None:
    events = [runtime(s, gc_count=s, gc_pause_ns=s * MS) for s in range(15)]
    use = runtime_use(events, WINDOW)  # seconds 2 to 12
    assert use.gc_count == 10
    assert use.gc_pause_ms == pytest.approx(10)


def test_what_was_allocated_is_over_the_time_between_two_readings() -> None:
    events = [runtime(s, allocated_bytes=s * 3_000_000) for s in range(0, 15, 2)]
    assert runtime_use(events, WINDOW).allocated_mb_per_second == pytest.approx(3)
    assert runtime_use(events[3:4], WINDOW).allocated_mb_per_second is None


def test_heap_is_the_highest_of_the_window() -> None:
    heap = {1: 900, 5: 70, 6: 60, 14: 900}
    events = [runtime(s, heap_bytes=mb * 10**6, heap_kind="used") for s, mb in heap.items()]
    use = runtime_use(events, WINDOW)
    assert (use.heap_max_mb, use.heap_kind) == (70, "used")
    assert use.gc_count is None
    seconds = second_heap(use.heap, BOOT + np.arange(10) * SECOND)
    assert seconds[[1, 5, 6]].tolist() == [900, 70, 60]
    assert np.isnan(seconds[2])


def test_events_without_figures_are_nothing() -> None:
    use = runtime_use([{"event": "runtime"}, runtime(5)], WINDOW)
    assert (use.heap_max_mb, use.heap_kind, use.heap) == (None, "", [])
    assert (use.gc_count, use.gc_pause_ms, use.too_short) == (None, None, False)


@pytest.fixture
def cell(tmp_path: Path) -> Cell:
    """A contender of known use."""
    client = Client(
        cpu=0.25,
        rss_mb=40,
        growth_mb=10,
        heap_mb=20,
        gc_ms_per_second=2,
        allocated_mb_per_second=3,
    )
    return analyse(load_run({"swift": client}).write(tmp_path))[0].cells[0]


def test_metrics_of_resources(cell: Cell) -> None:
    figures = {name: metric.value for name, metric in cell.metrics.items()}
    assert figures["cpu.mean"] == pytest.approx(25, rel=0.02)
    assert figures["cpu.p95"] == pytest.approx(25 * 1.18, rel=0.02)
    # A second holds ten intervals: its mean is above that of all, and below the p95 of single ones.
    assert 25 <= (figures["cpu.max"] or 0) < 25 * 1.18
    assert figures["rss.start"] == pytest.approx(40.5, rel=0.01)
    assert figures["rss.max"] == pytest.approx(50, rel=0.01)
    assert figures["rss.growth"] == pytest.approx(9.4, rel=0.02)
    assert figures["heap.max"] == pytest.approx(19.6)
    assert figures["heap.allocated.rate"] == pytest.approx(3)
    assert figures["gc.pause.total"] == pytest.approx(57 * 2)
    assert figures["startup.time"] == 400
    assert figures["server.cpu.mean"] == pytest.approx(3, rel=0.1)
    assert figures["net.loopback.rx"] == pytest.approx(0.2)


def test_what_a_runtime_does_not_say_is_not_measured(tmp_path: Path) -> None:
    run = load_run({"swift": Client(heap_mb=None)})
    metric = analyse(run.write(tmp_path))[0].cells[0].metrics["heap.max"]
    assert metric.value is None
    assert metric.unsupported is not None
    assert metric.unsupported.code == "not-reported"


def test_a_trial_without_probe_leaves_its_place_empty(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})

    def no_probe(trial: Trial) -> None:
        trial.probe.clear()

    no_probe(run.trial("swift"))
    cell = analyse(run.write(tmp_path / "one"))[0].cells[0]
    assert cell.metrics["cpu.mean"].per_trial[0] is None
    assert cell.metrics["cpu.mean"].value is not None
    spoil(run, "swift", no_probe)
    cell = analyse(run.write(tmp_path / "none"))[0].cells[0]
    assert cell.metrics["cpu.mean"].value is None
    assert cell.metrics["read.latency.p50"].value is not None

"""The load generators beside each other: that both do the same work, and all of it.

Figures of theirs are made of known cells in ``test_bench_engine_figures.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from wirelab.bench import engine
from wirelab.bench.figure import BenchError
from wirelab.bench.trials import MeasuredSuite, measure_suite
from wirelab.build.permission import if_allowed
from wirelab.model.result import Cell
from wirelab.model.result import Verdict as CellVerdict
from wirelab.samples.run_folder import RunFolder

pytestmark = [pytest.mark.long(5), pytest.mark.needs("cargo")]

LOAD, CROWD = engine.SCENARIOS


def cell_of(measured: MeasuredSuite, scenario: str, contender: str) -> Cell:
    return next(
        cell
        for cell in measured.result.cells
        if (cell.scenario, cell.contender, cell.step) == (scenario, contender, "")
    )


def test_every_generator_carries_out_its_trials(generators: MeasuredSuite):
    unavailable = {n for n, p in generators.result.participants.items() if p.unavailable}
    assert unavailable <= {"k6"}
    folder = RunFolder(generators.folder)
    done = set()
    for planned in folder.read_run().plan:
        record = folder.read_record(planned.id)
        assert record is not None
        assert (record.status, record.detail) == ("ok", "")
        done.add((planned.scenario, planned.contender))
    both = {(scenario, name) for scenario in engine.SCENARIOS for name in ("engine", "epoll")}
    assert done - {(LOAD, "k6")} == both
    assert ((LOAD, "k6") in done) is not bool(unavailable)


@pytest.mark.parametrize("contender", ["engine", "epoll"])
@pytest.mark.parametrize("scenario", engine.SCENARIOS)
def test_both_send_what_the_schedule_asks_and_receive_all_of_it(
    generators: MeasuredSuite, scenario: str, contender: str
):
    cell = cell_of(generators, scenario, contender)
    # A lane that sends at another time than the schedule's is off it.
    against = {f.gate for f in cell.findings if f.verdict is CellVerdict.INVALID}
    assert not against & {"clock", "rate-missed", "trial-failed", "duplicated"}
    metrics = cell.metrics
    sent = cell.statuses["rtt"]
    assert set(sent) == {"ok"}
    # Every board is full, and the sender gets its own copy, too, which is no delivery.
    assert metrics["delivery.expected.count"].value == sent["ok"] * 49
    assert metrics["delivery.received.count"].value == sent["ok"] * 49
    assert metrics["delivery.wrong.count"].value == 0
    assert metrics["connect.attainment"].value == 100


def test_they_do_the_same_work(generators: MeasuredSuite):
    for scenario in engine.SCENARIOS:
        done = {
            cell_of(generators, scenario, name).metrics["delivery.received.count"].value
            for name in ("engine", "epoll")
        }
        assert len(done) == 1
    lanes = cell_of(generators, LOAD, "epoll").parameters["users"]
    assert cell_of(generators, LOAD, "epoll").statuses["rtt"]["ok"] == 3 * int(lanes)


def test_figures_find_their_cells_and_metrics(generators: MeasuredSuite):
    """Whether gates support them depends on the machine; that they were measured does not."""
    for name in ("engine", "epoll"):
        there = set(cell_of(generators, LOAD, name).metrics)
        assert {"delivery.per.cpu", "rss.max", "rtt.latency.p50", "tick.drift.p95"} <= there
        assert "rss.max" in cell_of(generators, CROWD, name).metrics
    assert "server.cpu.mean" in cell_of(generators, LOAD, "engine").metrics
    of_our_own = [f for f in engine.figures(generators) if "k6" not in f.name]
    reasons = {figure.why_not for figure in of_our_own if figure.value is None}
    assert not {"not in this run", "not measured"} & reasons


# ------------------------------------------------------------------ what cannot be carried out


def only_the_generators(repository: Path, results: Path) -> MeasuredSuite:
    return measure_suite(
        engine.SCENARIOS,
        profile="smoke",
        seed=1,
        repository=repository,
        results=results,
        may_install=if_allowed,
        console=Console(quiet=True),
    )


def test_too_few_open_files_are_said_with_the_remedy(repository, tmp_path, monkeypatch):
    monkeypatch.setattr("wirelab.bench.trials.allow_open_files", lambda n: f"ulimit -Hn {n}")
    with pytest.raises(BenchError, match="ulimit -Hn 4096; ulimit -Hn 12000"):
        only_the_generators(repository, tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_the_engine_there_is_no_run(repository, tmp_path):
    # This repository has the sources of neither.
    with pytest.raises(BenchError, match="wirelab's engine: there is no folder"):
        only_the_generators(repository, tmp_path)
    assert not list(tmp_path.iterdir())

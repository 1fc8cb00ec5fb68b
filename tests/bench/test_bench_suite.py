from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from wirelab.bench import PROFILES, echo, engine, probe, recorder, ticks
from wirelab.bench.targets import DRIFT_RATIO, RECORDER_NS
from wirelab.bench.trials import MeasuredSuite, harness_suite
from wirelab.model.result import Finding, Verdict
from wirelab.run.folder import RunFolder

pytestmark = pytest.mark.alone

ROOT = Path(__file__).parents[2]


def test_every_manifest_loads():
    suite = harness_suite(ROOT)
    folders = {path.name for path in (ROOT / "bench" / "contenders").iterdir()}
    assert set(suite.contenders) == folders
    assert folders == {
        *("bare", "c", "java", "python", "engine", "epoll", "k6"),
        *("echo-bare", "echo-harness"),
    }
    for scenario in suite.manifest.scenarios.values():
        assert set(scenario.profiles) == set(PROFILES)


def test_everything_with_a_target_is_measured():
    suite = harness_suite(ROOT)
    for scenario, names in (
        (ticks.SCENARIO, {ticks.REFERENCE, *DRIFT_RATIO}),
        (recorder.SCENARIO, set(RECORDER_NS)),
        (probe.SCENARIO, {"c"}),
        (echo.SCENARIO, {echo.BARE, echo.HARNESS}),
        (engine.SCENARIOS[0], {"engine", "epoll", "k6"}),
        (engine.SCENARIOS[1], {"engine", "epoll"}),
    ):
        taking_part = {
            name
            for name, entry in suite.contenders.items()
            if not entry.manifest.scenarios or scenario in entry.manifest.scenarios
        }
        assert taking_part == names


def test_the_suite_is_no_subject_of_wl_run():
    assert not (ROOT / "suites" / "harness").exists()


def test_every_worker_carries_out_its_trials(measured: MeasuredSuite):
    folder = RunFolder(measured.folder)
    unavailable = {n for n, p in measured.result.participants.items() if p.unavailable}
    assert unavailable <= {"java"}
    for planned in folder.read_run().plan:
        record = folder.read_record(planned.id)
        assert record is not None
        assert (record.status, record.detail) == ("ok", "")
        rows = pq.read_metadata(folder.trials / planned.id / "client.parquet").num_rows
        assert rows == planned.count


def test_workers_remove_what_they_recorded_to_be_timed(measured: MeasuredSuite):
    assert not list(measured.folder.rglob("fillers.samples"))
    recorded = [cell for cell in measured.result.cells if cell.scenario == recorder.SCENARIO]
    for cell in recorded:
        # A thousand samples take longer than the two clock readings around them. The mean, which
        # a disturbed machine leaves enough samples for.
        assert (cell.metrics["batch.latency.mean"].value or 0) > 0.001


def test_many_threads_are_there_to_be_watched(measured: MeasuredSuite):
    folder = RunFolder(measured.folder)
    seen = {}
    for planned in folder.read_run().plan:
        if planned.scenario == probe.SCENARIO:
            rows = pq.read_table(folder.trials / planned.id / "probe.parquet").to_pylist()
            seen[planned.variant] = max(r["threads"] for r in rows if r["role"] == "client")
    assert seen == {"one-thread": 1, "many-threads": 40}


def test_the_reference_says_with_which_timer_slack_it_slept(measured: MeasuredSuite):
    events = next(measured.folder.glob("trials/*-ticks-bare/client.events.jsonl"))
    ready = json.loads(events.read_text().splitlines()[0])["event"]
    assert ready["facts"]["timer_slack_ns"] > 0


def test_figures_come_from_the_cells(measured: MeasuredSuite):
    costs = {figure.name: figure for figure in recorder.figures(measured)}
    cell = next(c for c in measured.result.cells if c.id == "harness/recorder/c")
    mean_ms = cell.metrics["batch.latency.mean"].value
    assert costs["recorder.c.cost"].value == pytest.approx((mean_ms or 0) * 1e6 / 1000)
    assert all(figure.value and figure.target == 1.0 for figure in probe.figures(measured))


def test_too_few_ticks_have_no_p95_and_say_so(measured: MeasuredSuite):
    ratios = [figure for figure in ticks.figures(measured) if figure.target is not None]
    assert len(ratios) == len(DRIFT_RATIO)
    assert all(figure.value is None for figure in ratios)
    assert "too-few-samples: 50 of 130" in ratios[0].why_not


def test_an_invalid_cell_gives_no_figure(measured: MeasuredSuite):
    steal = Finding(gate="steal", verdict=Verdict.INVALID, evidence={})
    spoiled = [
        cell.model_copy(update={"verdict": Verdict.INVALID, "findings": [steal]})
        for cell in measured.result.cells
    ]
    result = measured.result.model_copy(update={"cells": spoiled})
    found = recorder.figures(MeasuredSuite(result, measured.folder))
    assert all(figure.value is None and "steal" in figure.why_not for figure in found)


def test_a_language_that_is_missing_says_what_would_help(measured: MeasuredSuite):
    missing = measured.result.participants["java"].model_copy(
        update={"unavailable": "javac is missing", "remedy": "apt-get install a-jdk"}
    )
    result = measured.result.model_copy(
        update={
            "participants": measured.result.participants | {"java": missing},
            "cells": [cell for cell in measured.result.cells if cell.contender != "java"],
        }
    )
    found = {f.name: f for f in recorder.figures(MeasuredSuite(result, measured.folder))}
    assert found["recorder.java.cost"].why_not == "javac is missing; apt-get install a-jdk"
    assert found["recorder.c.cost"].value is not None


def test_remarks_leave_out_what_is_so_by_design(measured: MeasuredSuite):
    warned = [
        Finding(gate=gate, verdict=Verdict.WARN, evidence={}) for gate in ("late-start", "steal")
    ]
    cell = measured.result.cells[0].model_copy(update={"findings": warned})
    result = measured.result.model_copy(update={"cells": [cell]})
    remarks = MeasuredSuite(result, measured.folder).remarks()
    assert remarks == {"steal (warn)": [cell.id.removeprefix("harness/")]}

"""The miniature suite: its manifests, and its trials as any run carries them out."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
from known_results import ROOT, SUITE

from wirelab.bench import PROFILES, batches, echo, engine, probe, recorder, ticks
from wirelab.bench.targets import DRIFT_RATIO, ITERATION_NS, RECORDER_NS
from wirelab.bench.trials import MeasuredSuite
from wirelab.samples.run_folder import RunFolder


def test_every_manifest_loads():
    folders = {path.name for path in (ROOT / "bench" / "contenders").iterdir()}
    assert set(SUITE.contenders) == folders
    assert folders == {
        *("bare", "c", "csharp", "csharp-lanes", "java", "java-lanes", "python"),
        *("java-batches", "python-batches"),
        *("engine", "epoll", "k6", "echo-bare", "echo-harness"),
    }
    for scenario in SUITE.manifest.scenarios.values():
        assert set(scenario.profiles) == set(PROFILES)


def test_everything_with_a_target_is_measured():
    for scenario, names in (
        (ticks.SCENARIO, {ticks.REFERENCE, *DRIFT_RATIO}),
        (recorder.SCENARIO, set(RECORDER_NS)),
        (batches.SCENARIO, set(ITERATION_NS)),
        (probe.SCENARIO, {"c"}),
        (echo.SCENARIO, {echo.BARE, echo.HARNESS}),
        (engine.SCENARIOS[0], {"engine", "epoll", "k6"}),
        (engine.SCENARIOS[1], {"engine", "epoll"}),
    ):
        taking_part = {
            name
            for name, entry in SUITE.contenders.items()
            if not entry.manifest.scenarios or scenario in entry.manifest.scenarios
        }
        assert taking_part == names


def test_the_suite_is_no_subject_of_wl_run():
    assert not (ROOT / "suites" / "harness").exists()


# ------------------------------------------------------------------- trials of every worker


def test_every_worker_carries_out_its_trials(measured: MeasuredSuite):
    folder = RunFolder(measured.folder)
    unavailable = {n for n, p in measured.result.participants.items() if p.unavailable}
    assert unavailable <= {"java", "java-batches", "java-lanes", "csharp", "csharp-lanes"}
    done = set()
    for planned in folder.read_run().plan:
        record = folder.read_record(planned.id)
        assert record is not None
        assert (record.status, record.detail) == ("ok", "")
        if planned.scenario != batches.SCENARIO:
            rows = pq.read_metadata(folder.trials / planned.id / "client.parquet").num_rows
            assert rows == planned.load.count
        done.add((planned.scenario, planned.contender))
    assert done == {
        (scenario, name)
        for scenario, names in (
            (ticks.SCENARIO, {ticks.REFERENCE, *DRIFT_RATIO}),
            (recorder.SCENARIO, set(RECORDER_NS)),
            (batches.SCENARIO, set(ITERATION_NS)),
            (probe.SCENARIO, {"c"}),
        )
        for name in names - unavailable
    }


def test_workers_remove_what_they_recorded_to_be_timed(measured: MeasuredSuite):
    assert not list(measured.folder.rglob("fillers.samples"))
    recorded = sorted(measured.folder.glob("trials/*-recorder-*/client.parquet"))
    assert len(recorded) >= len(RECORDER_NS) - 2
    for path in recorded:
        took = sorted(
            row["end_ns"] - row["start_ns"]
            for row in pq.read_table(path, columns=["start_ns", "end_ns"]).to_pylist()
        )
        # A thousand samples take longer than the two clock readings around them.
        assert took[len(took) // 2] > 1_000


def test_many_threads_are_there_to_be_watched(measured: MeasuredSuite):
    folder = RunFolder(measured.folder)
    seen = {}
    for planned in folder.read_run().plan:
        if planned.scenario == probe.SCENARIO:
            rows = pq.read_table(folder.trials / planned.id / "monitor.parquet").to_pylist()
            seen[planned.variant] = max(r["threads"] for r in rows if r["role"] == "client")
    assert seen == {"one-thread": 1, "many-threads": 40}


def test_the_reference_says_with_which_timer_slack_it_slept(measured: MeasuredSuite):
    events = next(measured.folder.glob("trials/*-ticks-bare/client.events.jsonl"))
    ready = json.loads(events.read_text().splitlines()[0])["event"]
    assert ready["facts"]["timer_slack_ns"] > 0


def test_figures_find_their_cells_and_metrics(measured: MeasuredSuite):
    """Whether gates support them depends on the machine; that they were measured does not."""
    there = {
        (c.scenario, c.variant or c.step, c.contender): set(c.metrics)
        for c in measured.result.cells
    }
    assert "batch.latency.mean" in there[recorder.SCENARIO, "", "c"]
    assert "tick.drift.p95" in there[ticks.SCENARIO, "", ticks.REFERENCE]
    for variant in ("one-thread", "many-threads"):
        assert "core.cpu.mean" in there[probe.SCENARIO, variant, "c"]
    assert "nothing.time" in there[batches.SCENARIO, batches.STEP, "python-batches"]
    made = [module.figures(measured) for module in (recorder, batches, probe, ticks)]
    reasons = [figure.why_not for own in made for figure in own if figure.value is None]
    assert not {"not in this run", "not measured"} & set(reasons)

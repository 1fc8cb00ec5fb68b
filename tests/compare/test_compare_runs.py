"""Two runs side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from synthetic import Caller, Client, SyntheticRun, faults_run, load_run, load_scenario
from wirelab.cells import analyse
from wirelab.compare import Change, Comparison, ExitCode, compare_runs
from wirelab.compare.comparison import CellComparison, MetricChange
from wirelab.compare.direction import better, grows_with_length
from wirelab.run.folder import NoSuchRunError

STEADY = Client(median_ms=2.0, trial_spread=0.002)


def load(client: Client = STEADY, seed: int = 7, **options: object) -> SyntheticRun:
    scenario = options.pop("scenario", None)
    return load_run({"swift": client}, trials=6, seed=seed, scenario=scenario, **options)  # type: ignore[arg-type]


@pytest.fixture
def compared(tmp_path: Path) -> Callable[[SyntheticRun, SyntheticRun], Comparison]:
    def both(old: SyntheticRun, new: SyntheticRun) -> Comparison:
        for name, run in (("old", old), ("new", new)):
            analyse(run.write(tmp_path / name))
        return compare_runs(tmp_path / "old", tmp_path / "new")

    return both


Compared = Callable[[SyntheticRun, SyntheticRun], Comparison]


def only(comparison: Comparison) -> CellComparison:
    (cell,) = comparison.cells
    return cell


def change_of(comparison: Comparison, metric: str) -> MetricChange:
    return next(row for row in only(comparison).metrics if row.metric == metric)


def test_a_run_against_itself_shows_no_difference(compared: Compared) -> None:
    comparison = compared(load(), load())
    assert {row.change for row in only(comparison).metrics} <= {Change.SAME, Change.NOT_COMPARABLE}
    assert comparison.exit_code is ExitCode.NO_REGRESSION
    assert comparison.differences == []


def test_another_run_of_the_same_shows_no_difference(compared: Compared) -> None:
    comparison = compared(load(), load(seed=1234))
    row = change_of(comparison, "read.latency.p50")
    assert row.change is Change.SAME
    assert row.ratio == pytest.approx(1, abs=0.03)
    assert row.interval is not None
    assert row.interval[0] < 1 < row.interval[1]
    assert comparison.exit_code is ExitCode.NO_REGRESSION


@pytest.mark.parametrize(
    ("median_ms", "change", "code"),
    [
        (3.0, Change.REGRESSED, ExitCode.REGRESSION),
        (1.5, Change.IMPROVED, ExitCode.NO_REGRESSION),
        (2.06, Change.SAME, ExitCode.NO_REGRESSION),
    ],
)
def test_a_change_beyond_noise_is_told_with_its_direction(
    compared: Compared, median_ms: float, change: Change, code: ExitCode
) -> None:
    client = Client(median_ms=median_ms, trial_spread=0.002)
    comparison = compared(load(), load(client, seed=99))
    row = change_of(comparison, "read.latency.p50")
    assert row.change is change
    assert row.decides
    assert row.ratio == pytest.approx(median_ms / 2, rel=0.03)
    assert only(comparison).change is change
    assert comparison.exit_code is code


def test_more_cpu_and_memory_regress_what_is_ranked(compared: Compared) -> None:
    greedy = Client(median_ms=2.0, trial_spread=0.002, cpu=0.2, rss_mb=200)
    comparison = compared(load(), load(greedy))
    assert change_of(comparison, "cpu.mean").change is Change.REGRESSED
    assert change_of(comparison, "rss.max").change is Change.REGRESSED
    assert comparison.exit_code is ExitCode.REGRESSION


def test_what_is_neither_better_nor_worse_has_changed(compared: Compared) -> None:
    new = load()
    for trial in new.trials:
        trial.probe["client"]["switches_voluntary"] *= 2
    comparison = compared(load(), new)
    assert change_of(comparison, "switches.voluntary.rate").change is Change.CHANGED
    assert comparison.exit_code is ExitCode.NO_REGRESSION


def test_misses_where_there_were_none_are_a_regression(compared: Compared) -> None:
    new = load()
    for number, trial in enumerate(new.trials):
        trial.samples["end_ns"][200 : 210 + number] += 150_000_000
    comparison = compared(load(), new)
    row = change_of(comparison, "read.miss.ratio")
    assert (row.old, row.ratio, row.change) == (0, None, Change.REGRESSED)
    assert comparison.exit_code is ExitCode.REGRESSION


def test_a_cell_that_became_invalid_is_a_regression(compared: Compared) -> None:
    new = load()
    new.trial("swift").record["wrong_answers"] = ["stale"]
    comparison = compared(load(), new)
    assert only(comparison).reason == "became-invalid"
    assert comparison.exit_code is ExitCode.REGRESSION


def test_an_old_cell_that_was_invalid_proves_nothing(compared: Compared) -> None:
    old = load()
    old.trial("swift").record["wrong_answers"] = ["stale"]
    comparison = compared(old, load())
    assert only(comparison).reason == "old-invalid"
    assert comparison.exit_code is ExitCode.NOTHING_COMPARED


def with_parameter(run: SyntheticRun) -> SyntheticRun:
    plan = [t.model_copy(update={"parameters": {**t.parameters, "tags": 10}}) for t in run.run.plan]
    run.run = run.run.model_copy(update={"plan": plan})
    for trial, planned in zip(run.trials, plan, strict=True):
        trial.planned = planned
    return run


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (lambda: with_parameter(load()), "parameters-differ"),
        (lambda: load(Client(mode="cached")), "mode-differs"),
        (lambda: load(scenario=load_scenario(period="50ms")), "scenario-differs"),
    ],
)
def test_unlike_cells_are_not_compared(
    compared: Compared, new: Callable[[], SyntheticRun], reason: str
) -> None:
    comparison = compared(load(), new())
    assert only(comparison).reason == reason
    assert only(comparison).metrics == []
    assert comparison.exit_code is ExitCode.NOTHING_COMPARED


def test_cells_of_one_run_only_are_named(compared: Compared) -> None:
    comparison = compared(load_run({"one": STEADY}), load_run({"two": STEADY}))
    assert (comparison.only_old, comparison.only_new) == (["demo/main/one"], ["demo/main/two"])
    assert comparison.exit_code is ExitCode.NOTHING_COMPARED


def test_maxima_of_longer_trials_are_not_compared(compared: Compared) -> None:
    smoke = load_run({"swift": STEADY}, trials=6, count=50, warmup=10, profile="smoke")
    comparison = compared(smoke, load())
    row = change_of(comparison, "read.latency.max")
    assert (row.change, row.reason) == (Change.NOT_COMPARABLE, "unlike-length")
    assert change_of(comparison, "read.latency.p50").reason == ""
    assert "profile" in {difference.what for difference in comparison.differences}


def test_hosts_and_versions_that_differ_are_named(compared: Compared) -> None:
    new = load()
    disclosure = new.run.disclosure.model_copy(
        update={"host": {**new.run.disclosure.host, "kernel": "6.12"}, "wirelab": "0.2.0"}
    )
    new.run = new.run.model_copy(update={"disclosure": disclosure})
    found = {d.what: (d.old, d.new) for d in compared(load(), new).differences}
    assert found == {"host.kernel": ("6.1", "6.12"), "wirelab": ("0.1.0", "0.2.0")}


def test_a_caller_that_no_longer_recovers_is_a_regression(compared: Compared) -> None:
    comparison = compared(
        faults_run({"demo": Caller()}), faults_run({"demo": Caller(recovery_ms=None)})
    )
    worse = {cell.variant: cell.reason for cell in comparison.regressions}
    assert worse == {"server-stopped": "worse-outcome", "server-restart": "worse-outcome"}
    restart = next(cell for cell in comparison.cells if cell.variant == "server-restart")
    assert (restart.old_outcomes, restart.new_outcomes) == ({"recovered": 1}, {"not-recovered": 1})
    assert comparison.exit_code is ExitCode.REGRESSION


def test_one_trial_on_either_side_shows_nothing(compared: Compared) -> None:
    runs = [load_run({"swift": c}, trials=1, discard=0) for c in (STEADY, Client(rss_mb=900))]
    row = change_of(compared(*runs), "rss.max")
    assert (row.change, row.reason) == (Change.NOT_COMPARABLE, "too-few-trials")


def test_a_folder_without_result_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRunError, match=r"result\.json is missing"):
        compare_runs(tmp_path, tmp_path)
    (tmp_path / "result.json").write_text('{"schema_version": 1}')
    with pytest.raises(NoSuchRunError, match="Field required"):
        compare_runs(tmp_path, tmp_path)


def test_a_comparison_survives_the_trip_through_json(compared: Compared) -> None:
    comparison = compared(load(), load(Client(median_ms=3.0)))
    assert Comparison.model_validate_json(comparison.model_dump_json()) == comparison


@pytest.mark.parametrize(
    ("metric", "way"),
    [
        ("step.elapsed", "lower"),
        ("rtt.elapsed.100", "lower"),
        ("all.last", "lower"),
        ("all.fairness", "higher"),
    ],
)
def test_figures_of_closed_loops_have_a_better_way(metric: str, way: str) -> None:
    assert better(metric, load_scenario()) == way
    grows = metric in ("step.elapsed", "all.last")
    assert grows_with_length(metric) is grows

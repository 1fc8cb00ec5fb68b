"""Two runs side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from synthetic import Caller, Client, SyntheticRun, faults_run, load_run, load_scenario
from synthetic.neighbour import every, record_host
from wirelab.cells.analysis import analyse
from wirelab.compare import Change, Comparison, ExitCode, compare_runs
from wirelab.compare.comparison import CellComparison, MetricChange
from wirelab.compare.direction import Directions
from wirelab.compare.judge import Judge
from wirelab.gates.trial_failed import OF_ITS_SURROUNDINGS
from wirelab.model.capacity import Bound, Capacity
from wirelab.model.load import Open
from wirelab.model.result import Cell
from wirelab.samples.run_folder import NoSuchRunError
from wirelab.samples.stored import UnreadableFileError

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
    assert comparison.exit_code is ExitCode.NOTHING_WORSE
    assert comparison.differences == []


def test_another_run_of_the_same_shows_no_difference(compared: Compared) -> None:
    comparison = compared(load(), load(seed=1234))
    row = change_of(comparison, "read.latency.p50")
    assert row.change is Change.SAME
    assert row.ratio == pytest.approx(1, abs=0.03)
    assert row.interval is not None
    assert row.interval[0] < 1 < row.interval[1]
    assert comparison.exit_code is ExitCode.NOTHING_WORSE


@pytest.mark.parametrize(
    ("median_ms", "change", "code"),
    [
        (3.0, Change.WORSE, ExitCode.WORSE),
        (1.5, Change.BETTER, ExitCode.NOTHING_WORSE),
        (2.06, Change.SAME, ExitCode.NOTHING_WORSE),
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
    assert change_of(comparison, "cpu.mean").change is Change.WORSE
    assert change_of(comparison, "rss.max").change is Change.WORSE
    assert comparison.exit_code is ExitCode.WORSE


def test_what_is_neither_better_nor_worse_has_changed(compared: Compared) -> None:
    new = load()
    for trial in new.trials:
        trial.probe["client"]["switches_voluntary"] *= 2
    comparison = compared(load(), new)
    assert change_of(comparison, "switches.voluntary.rate").change is Change.CHANGED
    assert comparison.exit_code is ExitCode.NOTHING_WORSE


def test_a_lower_bound_is_nothing_to_compare(compared: Compared) -> None:
    slow = Client(median_ms=400.0, spread=0.25, trial_spread=0.001)
    old, new = load(slow), load(slow)
    for trial in new.trials:
        record_host(trial, every(trial, 5))
    row = change_of(compared(old, new), "read.latency.p50")
    assert (row.change, row.reason) == (Change.NOT_COMPARABLE, "at-least")
    assert (row.old is None, row.new, row.ratio) == (False, None, None)


def test_misses_where_there_were_none_are_a_regression(compared: Compared) -> None:
    new = load()
    for number, trial in enumerate(new.trials):
        trial.samples["end_ns"][200 : 210 + number] += 150_000_000
    comparison = compared(load(), new)
    row = change_of(comparison, "read.miss.ratio")
    assert (row.old, row.ratio, row.change) == (0, None, Change.WORSE)
    assert comparison.exit_code is ExitCode.WORSE


def noisy(run: SyntheticRun) -> SyntheticRun:
    run.trial("swift").record["environment"]["steal_ratio"] = 0.2
    return run


def wrong(run: SyntheticRun) -> SyntheticRun:
    run.trial("swift").record["wrong_answers"] = ["stale"]
    return run


def failed(run: SyntheticRun, reason: str) -> SyntheticRun:
    for trial in run.trials:
        trial.record |= {"status": "failed", "reason": reason, "detail": "a sentence"}
    return run


Outcome = tuple[Change, str, list[str]]


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        (load, lambda: wrong(load()), (Change.WORSE, "became-invalid", ["wrong-answer"])),
        (lambda: wrong(load()), load, (Change.BETTER, "became-valid", ["wrong-answer"])),
        (load, lambda: noisy(load()), (Change.NOT_COMPARABLE, "new-invalid", ["steal"])),
        (lambda: noisy(load()), load, (Change.NOT_COMPARABLE, "old-invalid", ["steal"])),
        (
            lambda: wrong(load()),
            lambda: noisy(load()),
            (Change.BETTER, "became-valid", ["wrong-answer"]),
        ),
        (
            load,
            lambda: failed(load(), "exited"),
            (Change.WORSE, "became-invalid", ["trial-failed"]),
        ),
        (
            load,
            lambda: failed(load(), "disk-full"),
            (Change.NOT_COMPARABLE, "new-invalid", ["trial-failed"]),
        ),
    ],
)
def test_only_what_the_contender_did_makes_an_invalid_cell_worse_or_better(
    compared: Compared,
    old: Callable[[], SyntheticRun],
    new: Callable[[], SyntheticRun],
    outcome: Outcome,
) -> None:
    cell = only(compared(old(), new()))
    assert (cell.change, cell.reason, cell.gates) == outcome
    # What a busy host cannot change is compared all the same.
    not_compared = {m.metric for m in cell.metrics if m.change is Change.NOT_COMPARABLE}
    assert not cell.metrics or {"read.latency.p50", "cpu.mean"} <= not_compared
    assert not {"rss.max", "read.error.ratio"} & not_compared


def test_the_reasons_that_spare_a_contender_are_told_of_in_the_documentation() -> None:
    reference = Path(__file__).parents[2] / "docs" / "reference"
    documented = (reference / "trial-failures.md").read_text()
    assert {"host", "late-fault", "never-ready"} < OF_ITS_SURROUNDINGS
    assert [code for code in sorted(OF_ITS_SURROUNDINGS) if f"`{code}`" not in documented] == []


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
        (
            lambda: load(scenario=load_scenario(load={"type": "paced", "period": "50ms"})),
            "scenario-differs",
        ),
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


def test_disks_that_differ_are_named(compared: Compared) -> None:
    old, new = load(), load()
    for run, kind in ((old, "ext4"), (new, "tmpfs")):
        for trial in run.trials:
            trial.record["file_system"] = {"type": kind}
    found = {d.what: (d.old, d.new) for d in compared(old, new).differences}
    assert found == {"file_system": ("ext4", "tmpfs")}


def test_a_type_of_disk_is_named_once_however_it_is_mounted(
    tmp_path: Path, compared: Compared
) -> None:
    old, new = load(), load()
    mounted = [("ext4", False), ("overlay", True), ("overlay", False), ("ext4", False)]
    for trial, (kind, syncs_nothing) in zip(old.trials, mounted, strict=False):
        trial.record["file_system"] = {"type": kind, "syncs_nothing": syncs_nothing}
    found = {d.what: (d.old, d.new) for d in compared(old, new).differences}
    assert found == {"file_system": ("ext4, overlay", None)}
    written_to = analyse(tmp_path / "old")[0].file_systems
    assert [(one.type, one.syncs_nothing) for one in written_to] == [
        ("ext4", False),
        ("overlay", False),
        ("overlay", True),
    ]


def test_a_caller_that_no_longer_recovers_is_a_regression(compared: Compared) -> None:
    comparison = compared(
        faults_run({"demo": Caller()}), faults_run({"demo": Caller(recovery_ms=None)})
    )
    worse = {cell.variant: cell.reason for cell in comparison.worse}
    assert worse == {"server-stopped": "worse-outcome", "server-restart": "worse-outcome"}
    restart = next(cell for cell in comparison.cells if cell.variant == "server-restart")
    assert (restart.old_outcomes, restart.new_outcomes) == ({"recovered": 1}, {"not-recovered": 1})
    assert comparison.exit_code is ExitCode.WORSE


def test_a_caller_that_recovers_again_is_better(compared: Compared) -> None:
    comparison = compared(
        faults_run({"demo": Caller(recovery_ms=None)}), faults_run({"demo": Caller()})
    )
    found = {cell.variant: (cell.change, cell.reason) for cell in comparison.cells}
    assert found == {
        "server-down": (Change.SAME, "like-outcome"),
        "bad-item": (Change.SAME, "like-outcome"),
        "server-stopped": (Change.BETTER, "better-outcome"),
        "server-restart": (Change.BETTER, "better-outcome"),
    }
    assert comparison.exit_code is ExitCode.NOTHING_WORSE


def test_one_trial_on_either_side_shows_nothing(compared: Compared) -> None:
    scenario = load_scenario(rankings=[{"metric": "cpu.mean"}, {"metric": "rss.max"}])
    runs = [
        load_run({"swift": c}, trials=1, discard=0, scenario=scenario)
        for c in (STEADY, Client(rss_mb=900))
    ]
    comparison = compared(*runs)
    for metric in ("rss.max", "cpu.mean", "read.miss.ratio"):
        row = change_of(comparison, metric)
        assert (row.change, row.reason) == (Change.NOT_COMPARABLE, "too-few-trials")
    assert (only(comparison).change, only(comparison).reason) == (
        Change.NOT_COMPARABLE,
        "too-few-trials",
    )
    assert comparison.exit_code is ExitCode.NOTHING_COMPARED


def test_without_misses_in_both_runs_but_no_ranked_figure_nothing_was_compared(
    compared: Compared,
) -> None:
    scenario = load_scenario(rankings=[{"metric": "read.latency.max"}])
    smoke = load_run(
        {"swift": STEADY}, trials=6, count=50, warmup=10, profile="smoke", scenario=scenario
    )
    comparison = compared(smoke, load(scenario=scenario))
    assert change_of(comparison, "read.miss.ratio").change is Change.SAME
    cell = only(comparison)
    assert (cell.change, cell.reason) == (Change.NOT_COMPARABLE, "unlike-length")


@pytest.mark.parametrize(
    ("held", "change"), [(900, Change.WORSE), (1100, Change.BETTER), (1000, Change.SAME)]
)
def test_capacities_are_compared_by_their_brackets(held: int, change: Change) -> None:
    def cell(verified: int) -> Cell:
        search = {
            "verified": verified,
            "failed": verified + 50,
            "ending": "found",
            "probes": [],
        }
        return Cell.model_validate(
            {
                "id": "demo/limit/swift",
                "suite": "demo",
                "scenario": "limit",
                "contender": "swift",
                "parameters": {},
                "verdict": "valid",
                "metrics": {"capacity.verified": {"value": verified, "unit": "op/s"}},
                "remarks": {"capacity": {"parameter": "rate", "searches": [search]}},
            }
        )

    search = Capacity(
        load=Open(type="open", period=1_000_000),
        parameter="rate",
        lowest=10,
        highest=2000,
        bounds=[Bound(metric="read.attainment", at_least=99)],
    )
    changed = {"load": None, "capacity": search, "rankings": []}
    scenario = load_scenario().model_copy(update=changed)
    judge = Judge(scenario, same_length=True, threshold=0.05)
    changes = judge.changes(cell(1000), cell(held))
    assert [c.decides for c in changes] == [True]
    assert judge.of_cell(changes)[0] is change


def test_a_folder_without_result_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRunError, match=r"result\.json is missing"):
        compare_runs(tmp_path, tmp_path)
    (tmp_path / "result.json").write_text('{"schema_version": 1}')
    with pytest.raises(UnreadableFileError, match=r"result\.json: run: Field required"):
        compare_runs(tmp_path, tmp_path)


def test_a_comparison_survives_the_trip_through_json(compared: Compared) -> None:
    comparison = compared(load(), load(Client(median_ms=3.0)))
    assert Comparison.model_validate_json(comparison.model_dump_json()) == comparison


@pytest.mark.parametrize(
    ("metric", "way", "skipped"),
    [
        ("read.miss.count", "lower", True),
        ("read.error.count", "lower", True),
        ("delivery.loss.count", "lower", True),
        # No ratio says these: they are compared where the trials are as long.
        ("delivery.duplicate.count", "lower", False),
        ("delivery.received.count", None, False),
    ],
)
def test_of_a_sum_and_its_ratio_the_ratio_is_compared(
    metric: str, way: str | None, skipped: bool
) -> None:
    directions = Directions(load_scenario())
    assert directions.has_ratio(metric) is skipped
    assert directions.better(metric) == way
    assert directions.grows_with_length(metric)


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
    directions = Directions(load_scenario())
    assert directions.better(metric) == way
    grows = metric in ("step.elapsed", "all.last")
    assert directions.grows_with_length(metric) is grows

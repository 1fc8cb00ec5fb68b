"""``wl compare`` as a pipeline and its reader meet it: outcomes by cell, exit codes, help."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from synthetic import Caller, Client, SyntheticRun, faults_run, load_run, load_scenario
from wirelab.cells.analysis import analyse
from wirelab.cli import app
from wirelab.model.own import Own, OwnServerFindings

STEADY = Client(median_ms=2.0, trial_spread=0.002)


def load(client: Client = STEADY) -> SyntheticRun:
    return load_run({"swift": client}, trials=6)


def steal(run: SyntheticRun, contender: str) -> SyntheticRun:
    run.trial(contender).record["environment"]["steal_ratio"] = 0.2
    return run


def of_trials(trials: int, *rankings: str, count: int = 300) -> SyntheticRun:
    """A run of so many included trials, ranked by these figures."""
    scenario = load_scenario(rankings=[{"metric": metric} for metric in rankings])
    return load_run({"swift": STEADY}, trials=trials, count=count, discard=0, scenario=scenario)


def trials_asked(done: Result) -> int:
    """The trials that would make figures comparable."""
    found = re.search(r"--trials (\d+) in both runs", done.output)
    assert found is not None, done.output
    return int(found[1])


Compare = Callable[[SyntheticRun, SyntheticRun], Result]


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    def run(old: SyntheticRun, new: SyntheticRun) -> Result:
        folders = [str(tmp_path / name) for name in ("old", "new")]
        for folder, one in zip(folders, (old, new), strict=True):
            analyse(one.write(Path(folder)))
        return CliRunner().invoke(app, ["compare", *folders])

    return run


def test_what_is_worse_ends_with_1(compare: Compare) -> None:
    done = compare(load(), load(Client(median_ms=3.0, trial_spread=0.002)))
    assert done.exit_code == 1
    assert "demo/main/swift: worse" in done.output
    assert "cells: 1 worse. Exit code 1: something is worse." in done.output


def test_what_is_better_ends_with_0(compare: Compare) -> None:
    done = compare(load(Client(median_ms=3.0, trial_spread=0.002)), load())
    assert done.exit_code == 0
    assert "demo/main/swift: better" in done.output


def test_no_difference_is_claimed_only_where_figures_were_compared(compare: Compare) -> None:
    done = compare(load(), load())
    assert done.exit_code == 0
    assert "demo/main/swift: no difference shown\n" in done.output


def test_servers_of_the_users_own_are_named_where_they_differ(compare: Compare) -> None:
    new = load()
    found = OwnServerFindings(product="Redis", version="7.2", written=3, removed=3)
    own = Own(
        targets={"redis": "10.0.0.9:6379"}, items=["a", "b"], fill=True, found={"redis": found}
    )
    disclosure = new.run.disclosure.model_copy(update={"own": own})
    new.run = new.run.model_copy(update={"disclosure": disclosure})
    done = compare(load(), new)
    assert done.exit_code == 0, done.output
    assert "own.target.redis: none → 10.0.0.9:6379" in done.output
    assert "own.found.redis: none → Redis 7.2" in done.output
    assert "own.items: none → a, b" in done.output


def test_who_is_in_one_run_alone_has_no_changed_code(compare: Compare) -> None:
    done = compare(load(), load_run({"swift": STEADY, "other": STEADY}, trials=6))
    assert "demo/main/other: only in the new run" in done.output
    assert "the code of other changed" not in done.output


def test_runs_of_one_trial_compare_nothing_and_end_with_3(compare: Compare) -> None:
    one = of_trials(1, "cpu.mean", "rss.max")
    done = compare(one, one)
    assert done.exit_code == 3
    assert (
        "demo/main/swift: not comparable (all 6 figures: too few trials, old 1, new 1, each needs "
        "2; comparable with --trials 2 in both runs)\n" in done.output
    )
    assert "no difference" not in done.output
    assert "Exit code 3: no cell could be compared" in done.output


def test_the_trials_that_would_do_make_figures_comparable(compare: Compare) -> None:
    asked = compare(of_trials(1, "cpu.mean", "rss.max"), of_trials(1, "cpu.mean", "rss.max"))
    trials = trials_asked(asked)
    enough = of_trials(trials, "cpu.mean", "rss.max")
    done = compare(enough, enough)
    assert done.exit_code == 0
    assert "demo/main/swift: no difference shown\n" in done.output


def test_the_samples_that_lack_are_told_with_the_trials_that_have_them(compare: Compare) -> None:
    few = of_trials(2, "read.latency.p99", count=150)
    done = compare(few, few)
    assert done.exit_code == 3
    lack = r"read latency p99: too few samples, old \d+, new \d+, each needs 662; "
    assert re.search(rf"not comparable \({lack}comparable with about --trials", done.output)
    enough = of_trials(trials_asked(done), "read.latency.p99", count=150)
    assert "demo/main/swift: no difference shown\n" in compare(enough, enough).output


def test_the_run_that_has_too_few_trials_is_named(compare: Compare) -> None:
    done = compare(of_trials(3, "rss.max"), of_trials(1, "rss.max"))
    assert done.exit_code == 3
    lack = "too few trials, old 3, new 1, each needs 2; comparable with --trials 2 in the new run)"
    assert lack in done.output


def test_figures_that_could_not_be_compared_are_told_beside_those_that_were(
    compare: Compare,
) -> None:
    one = of_trials(1, "read.latency.p50", "rss.max")
    done = compare(one, one)
    assert done.exit_code == 0
    assert "demo/main/swift: no difference shown in 1 of 6 figures (read error" in done.output
    assert "RSS max: too few trials, old 1, new 1, each needs 2; comparable with" in done.output


def test_lesser_figures_make_no_difference_where_the_main_one_was_not_compared(
    compare: Compare,
) -> None:
    one = of_trials(1, "rss.max", "read.latency.p50")
    done = compare(one, one)
    assert done.exit_code == 3
    assert "demo/main/swift: not comparable (" in done.output
    assert "--trials 2 in both runs; other figures that were compared: 1)" in done.output
    assert "no difference" not in done.output


def test_what_callers_see_is_no_difference_of_a_time_that_was_not_compared(
    compare: Compare,
) -> None:
    one = faults_run({"demo": Caller()})
    scenario = one.run.scenarios["faults"]
    longer = {"longer": scenario.profiles["quick"].model_copy(update={"trials": 2})}
    scenario = scenario.model_copy(update={"profiles": {**scenario.profiles, **longer}})
    one.run = one.run.model_copy(update={"scenarios": {"faults": scenario}})
    done = compare(one, one)
    assert done.exit_code == 0
    line = next(line for line in done.output.splitlines() if "server-restart/demo" in line)
    assert "no difference shown in what callers see (recovered 1 → recovered 1; " in line
    assert "too few trials, old 1, new 1, each needs 2" in line
    assert "comparable with --profile longer in both runs)" in line
    assert "--trials" not in line


def test_a_noisy_host_makes_nothing_worse(compare: Compare) -> None:
    done = compare(load(), steal(load(), "swift"))
    assert done.exit_code == 3
    times = "read latency p50, read latency p95, tick drift p95, CPU mean"
    assert f"swift: not comparable ({times}: invalid in the new run (steal); " in done.output


def test_one_noisy_cell_does_not_hide_another_that_was_compared(compare: Compare) -> None:
    both = {"swift": STEADY, "slow": STEADY}
    done = compare(load_run(both, trials=6), steal(load_run(both, trials=6), "slow"))
    assert done.exit_code == 0
    assert "cells: 1 no difference shown, 1 not comparable. Exit code 0" in done.output


def test_a_caller_that_recovers_again_is_told_as_better(compare: Compare) -> None:
    done = compare(faults_run({"demo": Caller(recovery_ms=None)}), faults_run({"demo": Caller()}))
    assert done.exit_code == 0
    assert "demo/faults/server-restart/demo: better" in done.output
    assert "not-recovered 1 → recovered 1" in done.output
    assert "cells: 2 better, 2 no difference shown." in done.output


def test_code_of_a_contender_that_changed_is_told(compare: Compare) -> None:
    new = load()
    mine = new.run.participants["swift"].model_copy(update={"folder_hash": "f" * 16})
    new.run = new.run.model_copy(update={"participants": {"swift": mine}})
    done = compare(load(), new)
    assert f"the code of swift changed: {'0' * 16} → {'f' * 16}" in done.output
    assert "demo/main/swift: no difference shown · its code changed" in done.output


def test_names_of_cells_are_whole_in_a_narrow_terminal(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    name = "a-contender-whose-name-is-as-long-as-they-come-in-practice"
    slow = Client(median_ms=3.0, trial_spread=0.002)
    done = compare(load_run({name: STEADY}, trials=6), load_run({name: slow}, trials=6))
    assert f"demo/main/{name}: worse" in done.output
    assert "read.latency.p50" in done.output


def test_folders_without_a_result_are_a_mistake_in_use(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["compare", str(tmp_path), str(tmp_path)])
    assert "holds no result" in str(done.exception)
    assert CliRunner().invoke(app, ["compare", str(tmp_path)]).exit_code == 2


def test_the_help_tells_outcomes_and_exit_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    said = " ".join(CliRunner().invoke(app, ["compare", "--help"]).output.split())
    assert "better, worse, no difference shown, not comparable" in said
    assert "1 if anything is worse; else 3 if no cell could be compared; else 0" in said

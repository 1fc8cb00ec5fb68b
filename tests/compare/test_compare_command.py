"""``wl compare`` as a pipeline and its reader meet it: outcomes by cell, exit codes, help."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from synthetic import Caller, Client, SyntheticRun, faults_run, load_run, load_scenario
from wirelab.cells.analysis import analyse
from wirelab.cli import app
from wirelab.model.own import Found, Own

STEADY = Client(median_ms=2.0, trial_spread=0.002)


def load(client: Client = STEADY) -> SyntheticRun:
    return load_run({"swift": client}, trials=6)


def steal(run: SyntheticRun, contender: str) -> SyntheticRun:
    run.trial(contender).record["environment"]["steal_ratio"] = 0.2
    return run


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
    found = Found(product="Redis", version="7.2", written=3, removed=3)
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
    scenario = load_scenario(rankings=[{"metric": "cpu.mean"}, {"metric": "rss.max"}])
    one = load_run({"swift": STEADY}, trials=1, discard=0, scenario=scenario)
    done = compare(one, one)
    assert done.exit_code == 3
    assert "demo/main/swift: not comparable (fewer than two trials a run)" in done.output
    assert "no difference" not in done.output
    assert "Exit code 3: nothing could be compared" in done.output


def test_figures_that_could_not_be_compared_are_named_beside_those_that_were(
    compare: Compare,
) -> None:
    scenario = load_scenario(rankings=[{"metric": "read.latency.p50"}, {"metric": "rss.max"}])
    one = load_run({"swift": STEADY}, trials=1, discard=0, scenario=scenario)
    done = compare(one, one)
    assert done.exit_code == 0
    assert "no difference shown (not compared: read.error.ratio, read.miss.ratio" in done.output
    assert "rss.max" in done.output


def test_a_noisy_host_makes_nothing_worse(compare: Compare) -> None:
    done = compare(load(), steal(load(), "swift"))
    assert done.exit_code == 3
    assert "demo/main/swift: not comparable (invalid in the new run: steal)" in done.output


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
    assert "1 if anything is worse; else 3 if nothing could be compared; else 0" in said

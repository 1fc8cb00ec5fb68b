"""Gates on failed trials, wrong and cheap answers, errors, spread, order and too few samples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gates_support import Judge, spoken

from synthetic import (
    MS,
    Caller,
    Client,
    SyntheticRun,
    Trial,
    faults_run,
    load_run,
    load_scenario,
    spoil,
)
from wirelab.cells.analysis import analyse, unstable_cells
from wirelab.gates.unstable import shown_variation
from wirelab.model.result import CellSeries, Verdict


def fail(trial: Trial, reason: str = "never-ready") -> None:
    trial.record |= {"status": "failed", "reason": reason, "detail": "client was not ready"}


def test_a_failed_trial_among_others_warns(run: SyntheticRun, judge: Judge) -> None:
    failed = run.trial("swift")
    fail(failed)
    cell = judge(run)
    found = spoken(cell)["trial-failed"]
    assert found.verdict is Verdict.WARN
    assert found.evidence["failed"][failed.planned.id]["reason"] == "never-ready"
    assert cell.trials == [run.trial("swift", 1).planned.id]
    assert "never-ready" in cell.other_trials[failed.planned.id]


def test_a_cell_without_any_good_trial_has_no_figures(run: SyntheticRun, judge: Judge) -> None:
    cell = judge(spoil(run, "swift", fail))
    assert spoken(cell)["trial-failed"].verdict is Verdict.INVALID
    assert (cell.verdict, cell.metrics, cell.trials) == (Verdict.INVALID, {}, [])


def wrong(trial: Trial) -> None:
    trial.record["wrong_answers"] = ["read tick 31: item 7 is five generations old"]


def own_check_failed(trial: Trial) -> None:
    trial.samples["status"][300] = 6


def wrong_in_preflight(trial: Trial) -> None:
    fail(trial, "wrong-answer")
    wrong(trial)


@pytest.mark.parametrize("change", [wrong, own_check_failed, wrong_in_preflight])
def test_one_wrong_answer_takes_all_figures_away(
    run: SyntheticRun, judge: Judge, change: Callable[[Trial], None]
) -> None:
    change(run.trial("swift"))
    cell = judge(run)
    assert spoken(cell)["wrong-answer"].verdict is Verdict.INVALID
    assert cell.verdict is Verdict.INVALID
    assert {metric.value for metric in cell.metrics.values()} == {None}
    assert {m.unsupported.code for m in cell.metrics.values() if m.unsupported} == {"wrong-answer"}


def test_wrong_answers_leave_nothing_to_draw(run: SyntheticRun, tmp_path: Path) -> None:
    wrong(run.trial("swift"))
    _, series = analyse(run.write(tmp_path))
    (drawn,) = series.cells.values()
    assert drawn == CellSeries()


def test_wrong_answers_of_the_session_warm_up_count_as_well(
    run: SyntheticRun, judge: Judge
) -> None:
    wrong(run.of("swift")[0])
    assert not run.of("swift")[0].planned.included
    assert judge(run).verdict is Verdict.INVALID


def sized(unlike: int) -> dict[str, dict[str, int]]:
    sums = {"recorded": 9_000 - 7 * unlike, "expected": 9_000}
    return {"read": {"compared": 100, "unlike": unlike, **sums}}


def test_sizes_that_are_not_the_datas_are_invalid(run: SyntheticRun, judge: Judge) -> None:
    for place, unlike in enumerate((2, 3)):
        run.trial("swift", place).record["sized"] = sized(unlike)
    found = spoken(judge(run))["fast-not-found"]
    assert found.verdict is Verdict.INVALID
    assert found.evidence["operations"]["read"] == {
        "compared": 200,
        "unlike": 5,
        "recorded": 17_965,
        "expected": 18_000,
    }
    assert found.trials == [run.trial("swift", place).planned.id for place in range(2)]


def test_sizes_as_the_data_ask_are_nothing_to_tell(run: SyntheticRun, judge: Judge) -> None:
    run.trial("swift").record["sized"] = sized(0)
    assert "fast-not-found" not in spoken(judge(run))


@pytest.mark.parametrize(("bound", "verdict"), [(0.05, Verdict.WARN), (0.0, Verdict.INVALID)])
def test_loss_or_error(judge: Judge, bound: float, verdict: Verdict) -> None:
    scenario = load_scenario(bounds={"cv_operation": "read", "error_ratio": bound})
    run = load_run({"swift": Client()}, scenario=scenario)
    run.trial("swift").samples["status"][300:303] = 2
    cell = judge(run)
    found = spoken(cell)["loss-or-error"]
    assert found.verdict is verdict
    assert found.evidence["operations"]["read"]["statuses"] == {"timeout": 3}
    assert found.trials == [run.trial("swift").planned.id]
    assert cell.metrics["read.error.count"].value == 3
    assert cell.metrics["read.miss.count"].value == 3
    assert cell.metrics["read.latency.p50"].n == 1137


def test_errors_are_what_a_faults_scenario_looks_for(tmp_path: Path) -> None:
    result, _ = analyse(faults_run({"swift": Caller()}).write(tmp_path))
    assert {cell.variant: spoken(cell) for cell in result.cells} == {
        "server-down": {},
        "server-stopped": {},
        "server-restart": {},
        "bad-item": {},
    }


def test_who_is_answered_while_nobody_is_there_is_accused(tmp_path: Path) -> None:
    run = faults_run({"swift": Caller()})
    for trial in run.trials:
        start = trial.samples["intended_ns"] + MS // 10
        status = np.zeros_like(trial.samples["status"])
        trial.columns(start_ns=start, end_ns=start + MS, status=status)
    result, _ = analyse(run.write(tmp_path))
    told = {
        cell.variant: found
        for cell in result.cells
        if (found := spoken(cell).get("answered-while-down")) is not None
    }
    # Of the server that went down before they began, ten connections; else what is due meanwhile.
    counts = {
        variant: next(iter(found.evidence["trials"].values())) for variant, found in told.items()
    }
    assert counts.keys() == {"server-down", "server-stopped", "server-restart"}
    assert counts["server-down"] == {"connect": 10}
    assert counts["server-stopped"]["read"] in range(12, 16)
    assert {found.verdict for found in told.values()} == {Verdict.INVALID}


def slower(trial: Trial, factor: float) -> None:
    service = trial.samples["end_ns"] - trial.samples["start_ns"]
    trial.columns(end_ns=trial.samples["start_ns"] + (service * factor).astype(np.int64))


@pytest.mark.parametrize(
    ("factor", "verdict"), [(1.1, None), (1.5, Verdict.WARN), (2.0, Verdict.INVALID)]
)
def test_unstable(tmp_path: Path, factor: float, verdict: Verdict | None) -> None:
    run = load_run({"swift": Client()}, trials=4)
    slower(run.trial("swift"), factor)
    folder = run.write(tmp_path)
    cell = analyse(folder)[0].cells[0]
    found = spoken(cell).get("unstable")
    assert (found and found.verdict) == verdict
    assert unstable_cells(folder) == ([cell.id] if found else [])
    if found:
        assert found.evidence["cv"] * 100 == pytest.approx(cell.metrics["read.cv"].value)
        assert len(found.evidence["means_ms"]) == 3
        assert cell.verdict is verdict


@pytest.mark.parametrize(("trials", "shown"), [(2, 0.077), (3, 0.087), (10, 0.109)])
def test_few_trials_show_less_than_they_vary(trials: int, shown: float) -> None:
    assert shown_variation(0.15, trials) == pytest.approx(shown, abs=0.001)


def test_trials_of_a_stable_contender_seldom_show_that_they_vary() -> None:
    random = np.random.default_rng(7)
    trials = 1 + 0.149 * random.standard_normal((4000, 3))
    found = trials.std(axis=1, ddof=1) / trials.mean(axis=1)
    shown = np.mean([shown_variation(float(cv), 3) >= 0.15 for cv in found])
    assert 0.03 < shown < 0.06


def test_variation_needs_two_trials(tmp_path: Path) -> None:
    run = load_run({"swift": Client(trial_spread=1.0)}, trials=1, discard=0)
    folder = run.write(tmp_path)
    assert unstable_cells(folder) == []
    assert analyse(folder)[0].cells[0].metrics["read.cv"].value is None


@pytest.mark.parametrize(("drift", "fires"), [(0.0, False), (0.01, True)])
def test_order_bias(tmp_path: Path, drift: float, fires: bool) -> None:
    clients = {name: Client(median_ms=m) for name, m in (("one", 1.0), ("two", 2.0))}
    run = load_run(clients, trials=6, discard=0, count=300)
    for trial in run.trials:
        slower(trial, 1 + drift * trial.planned.position)
    cells = analyse(run.write(tmp_path))[0].cells
    assert {cell.contender for cell in cells} == {"one", "two"}
    for cell in cells:
        found = spoken(cell).get("order-bias")
        assert (found is not None) == fires
        if found:
            assert found.verdict is Verdict.WARN
            assert found.evidence["p"] < 0.01
            assert found.evidence["tau"] > 0.5
            assert found.evidence["trials"] == 12


@pytest.mark.parametrize(("trials", "fires"), [(2, False), (4, True)])
def test_a_slow_begin_needs_more_than_two_trials_to_be_a_drift(
    tmp_path: Path, trials: int, fires: bool
) -> None:
    """The second of two trials is as fast as the first is slow: seven such pairs are alike in one
    of 64 runs."""
    clients = {f"c{number}": Client(median_ms=1.0, spread=0.05) for number in range(7)}
    run = load_run(clients, trials=trials, discard=0, count=50)
    for trial in run.trials:
        slower(trial, 1 + 0.1 * (trial.planned.block < trials / 2))
    cells = analyse(run.write(tmp_path))[0].cells
    assert len(cells) == len(clients)
    assert {"order-bias" in spoken(cell) for cell in cells} == {fires}


def test_too_few_samples_of_what_is_ranked_are_a_remark(judge: Judge) -> None:
    scenario = load_scenario(rankings=[{"metric": "read.latency.p99.9"}])
    found = spoken(judge(load_run({"swift": Client()}, scenario=scenario)))["too-few-samples"]
    assert found.verdict is Verdict.VALID
    assert found.evidence["metrics"]["read.latency.p99.9"]["needs"] == 6636


def test_too_few_samples_beside_the_main_operation(judge: Judge) -> None:
    scenario = load_scenario(rankings=[{"metric": "write.latency.p95"}])
    found = spoken(judge(load_run({"swift": Client()}, scenario=scenario)))["too-few-samples"]
    assert found.verdict is Verdict.VALID
    assert found.evidence["metrics"]["write.latency.p95"] == {"has": 114.0, "needs": 130}


def test_too_few_samples_of_what_is_not_ranked_is_no_fault(run: SyntheticRun, judge: Judge) -> None:
    cell = judge(run)
    assert cell.metrics["write.latency.p95"].value is None
    assert "too-few-samples" not in spoken(cell)


def test_a_smoke_run_says_that_it_is_short_and_nothing_worse(judge: Judge) -> None:
    run = load_run({"swift": Client()}, trials=2, discard=0, count=50, warmup=10, profile="smoke")
    cell = judge(run)
    assert spoken(cell).keys() == {"too-few-samples"}
    assert cell.verdict is Verdict.VALID
    assert cell.metrics["read.latency.p50"].value is not None

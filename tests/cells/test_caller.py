"""The caller's view of faults trials."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synthetic import MS, Caller, SyntheticRun, faults_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import CallerView, Cell, Verdict

KINDLY = Caller(error_ms=30, timeout_ms=1000, recovery_ms=250)
FROZEN = Caller(frozen=True, recovery_ms=0)


def cells_of(folder: Path, run: SyntheticRun) -> dict[str, Cell]:
    return {cell.variant: cell for cell in analyse(run.write(folder))[0].cells}


def change_scenario(run: SyntheticRun, **changes: Any) -> None:
    run.run.scenarios["faults"] = run.run.scenarios["faults"].model_copy(update=changes)


def views_of(folder: Path, caller: Caller) -> dict[str, CallerView]:
    cells = cells_of(folder, faults_run({"demo": caller}))
    return {variant: cell.caller[0] for variant, cell in cells.items()}


def test_a_refused_call_is_an_error_timed_from_its_start(tmp_path: Path) -> None:
    view = views_of(tmp_path, KINDLY)["server-down"]
    assert (view.outcome, view.scope) == ("error", "call")
    assert (view.error_class, view.error_status) == ("DemoError", "BadDemo")
    assert "BadDemo" in view.error_message
    assert view.time_to_error_ms == pytest.approx(30)
    assert view.failed_operations == 10
    assert (view.outage_ms, view.blocked_ms, view.late_ticks) == (None, None, None)


def test_a_bad_item_leaves_the_rest_of_the_batch(tmp_path: Path) -> None:
    view = views_of(tmp_path, KINDLY)["bad-item"]
    assert (view.outcome, view.scope, view.good_items) == ("item-error", "item", True)
    assert view.time_to_error_ms == pytest.approx(1)


def test_a_bad_item_that_takes_the_whole_call_with_it(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    trial = run.of("demo", "bad-item")[0]
    trial.samples["status"][:] = 1
    for error in trial.record["roles"]["client"]["errors"]:
        error["scope"] = "call"
    view = cells_of(tmp_path, run)["bad-item"].caller[0]
    assert (view.outcome, view.good_items) == ("error", False)


def test_an_expected_error_that_nobody_saw_is_silence(tmp_path: Path) -> None:
    view = views_of(tmp_path, Caller(silent=True))["bad-item"]
    assert (view.outcome, view.failed_operations, view.good_items) == ("silent", 0, None)


def test_an_outage_lasts_from_the_fault_to_the_first_operation_on_time(tmp_path: Path) -> None:
    views = views_of(tmp_path, KINDLY)
    stopped, restarted = views["server-stopped"], views["server-restart"]
    assert (stopped.outcome, restarted.outcome) == ("recovered", "recovered")
    # The stop is at 1 s, on a tick: its read times out after 1 s.
    assert stopped.time_to_error_ms == pytest.approx(1000, abs=1)
    assert restarted.time_to_error_ms == pytest.approx(30, abs=1)
    # Killed at 1 s, back 60 ms after the restart at 3 s, good from 250 ms later: tick at 3.4 s.
    assert restarted.outage_ms == pytest.approx(2401, abs=1)
    assert restarted.late_ticks == 0


def test_a_timeout_that_fired_as_asked(tmp_path: Path) -> None:
    view = views_of(tmp_path, KINDLY)["server-stopped"]
    assert (view.timeout, view.timeout_ms) == ("fired", 1000)
    assert view.blocked_ms == pytest.approx(1000)
    # Calls of 1.0, 1.2, 1.4 and 1.6 s end a second after each other, at 2, 3, 4 and 5 s; then the
    # ticks up to 4.8 s are caught up with in a millisecond each, and that of 5.0 s is on time.
    assert view.late_ticks == 20
    assert view.outage_ms == pytest.approx(4017, abs=3)


def test_a_call_that_ignored_its_timeout_does_not_look_best(tmp_path: Path) -> None:
    view = views_of(tmp_path, FROZEN)["server-stopped"]
    assert (view.outcome, view.timeout) == ("recovered", "ignored")
    assert view.blocked_ms == pytest.approx(3001, abs=1)
    # Answered at 4.0 s, 1 ms after the server was back, but due at 1.0 s: nothing was on time.
    assert view.late_ticks == 15
    assert view.outage_ms == pytest.approx(3016, abs=3)
    assert view.failed_operations == 0


@pytest.mark.parametrize(
    ("timeout_ms", "seen"), [(500, "not-reached"), (1100, "fired"), (1400, "late")]
)
def test_whether_a_timeout_fired_follows_from_how_long_calls_took(
    tmp_path: Path, timeout_ms: float, seen: str
) -> None:
    view = views_of(tmp_path, replace(KINDLY, timeout_ms=timeout_ms))["server-stopped"]
    assert (view.timeout, view.blocked_ms) == (seen, pytest.approx(timeout_ms))


def test_who_raises_late_may_be_answered_before_that(tmp_path: Path) -> None:
    run = faults_run({"demo": replace(KINDLY, timeout_ms=2000)})
    trial = run.of("demo", "server-stopped")[0]
    answered = trial.samples["end_ns"] - trial.samples["start_ns"] == 2000 * MS
    assert int(answered.sum()) == 2
    last = int(answered.nonzero()[0][-1])
    trial.samples["status"][last] = 0
    trial.samples["end_ns"][last] -= 100 * MS
    assert cells_of(tmp_path, run)["server-stopped"].caller[0].timeout == "late"


def test_what_only_the_worker_ended_ignored_its_timeout(tmp_path: Path) -> None:
    view = views_of(tmp_path, replace(KINDLY, timeout_ms=4000))["server-stopped"]
    assert (view.outcome, view.timeout) == ("hang", "ignored")


def test_a_call_that_never_came_back_blocked_until_the_end(tmp_path: Path) -> None:
    run = faults_run({"demo": Caller(hang=True)})
    trial = run.of("demo", "server-stopped")[0]
    held = trial.record["ended_ns"] - int(trial.samples["end_ns"].max())
    view = cells_of(tmp_path, run)["server-stopped"].caller[0]
    assert (view.outcome, view.timeout, view.outage_ms) == ("hang", "ignored", None)
    assert view.blocked_ms == pytest.approx(held / MS)


def test_where_nothing_is_asked_of_calls_no_timeout_can_be_ignored(tmp_path: Path) -> None:
    run = faults_run({"demo": FROZEN})
    change_scenario(run, call_timeout="")
    view = cells_of(tmp_path, run)["server-stopped"].caller[0]
    assert (view.timeout, view.timeout_ms) == (None, None)
    assert view.blocked_ms == pytest.approx(3001, abs=1)


def test_the_limit_of_the_scenario_may_be_what_was_asked(tmp_path: Path) -> None:
    run = faults_run({"demo": replace(KINDLY, timeout_ms=4100)})
    change_scenario(run, call_timeout="operation_limit")
    view = cells_of(tmp_path, run)["server-stopped"].caller[0]
    assert (view.timeout, view.timeout_ms) == ("fired", 4000)


def test_a_deadline_says_what_is_on_time(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    operations = run.run.scenarios["faults"].operations
    patient = operations["read"].model_copy(update={"deadline": 5_000 * MS})
    change_scenario(run, operations={**operations, "read": patient})
    view = cells_of(tmp_path, run)["server-stopped"].caller[0]
    # The read of 1.0 s failed at 2 s; that of 1.8 s, the first that succeeded, did so within 5 s.
    assert view.outage_ms == pytest.approx(4001, abs=1)
    assert view.late_ticks == 0


def test_who_felt_nothing_had_no_outage(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    trial = run.of("demo", "server-restart")[0]
    trial.samples["status"][:] = 0
    for error in trial.record["roles"]["client"]["errors"][:]:
        trial.record["roles"]["client"]["errors"].remove(error)
    view = cells_of(tmp_path, run)["server-restart"].caller[0]
    assert (view.outcome, view.outage_ms, view.late_ticks) == ("recovered", 0, 0)


def test_contenders_are_ranked_by_the_outage(tmp_path: Path) -> None:
    callers = {
        "frozen": FROZEN,
        "kind": KINDLY,
        "quick": replace(KINDLY, timeout_ms=900),
        "lost": Caller(recovery_ms=None),
    }
    result = analyse(faults_run(callers, trials=3).write(tmp_path))[0]
    stopped = {cell.contender: cell for cell in result.cells if cell.variant == "server-stopped"}
    ranks = {name: cell.ranks.get("fault.outage.time") for name, cell in stopped.items()}
    assert ranks == {"frozen": None, "kind": 2, "quick": 1, "lost": None}
    unranked = stopped["frozen"].metrics["fault.outage.time"].unsupported
    assert unranked is not None
    assert unranked.code == "timeout-ignored"
    assert [view.outage_ms is not None for view in stopped["frozen"].caller] == [True, True, True]


def test_an_outage_without_end_in_one_trial_leaves_no_mean_of_the_others(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY}, trials=3)
    run.of("demo", "server-restart")[1].samples["status"][-3:] = 3
    cell = cells_of(tmp_path, run)["server-restart"]
    assert [view.outage_ms is None for view in cell.caller] == [False, True, False]
    assert cell.metrics["fault.outage.time"].value is None


def test_a_caller_that_never_recovers(tmp_path: Path) -> None:
    views = views_of(tmp_path, Caller(recovery_ms=None))
    assert views["server-restart"].outcome == "not-recovered"
    assert views["server-restart"].outage_ms is None
    assert views["server-down"].outcome == "error"


def test_one_good_answer_is_no_recovery_when_it_does_not_last(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    run.of("demo", "server-restart")[0].samples["status"][-3:] = 3
    assert cells_of(tmp_path, run)["server-restart"].caller[0].outcome == "not-recovered"


def test_one_answer_that_was_late_is_no_relapse(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    run.of("demo", "server-restart")[0].samples["status"][-1] = 2
    assert cells_of(tmp_path, run)["server-restart"].caller[0].outcome == "recovered"


@pytest.mark.parametrize(("failed", "outcome"), [(2, "recovered"), (3, "not-recovered")])
def test_where_a_server_makes_its_own_faults_the_last_answers_tell(
    tmp_path: Path, failed: int, outcome: str
) -> None:
    run = faults_run({"demo": KINDLY})
    trial = run.of("demo", "server-stopped")[0]
    for planned in (trial.planned, *run.run.plan):
        planned.faults.clear()
    trial.record["faults"] = []
    trial.samples["status"][-failed:] = 3
    view = cells_of(tmp_path, run)["server-stopped"].caller[0]
    assert (view.outcome, view.outage_ms) == (outcome, None)


def test_a_call_without_end_is_a_hang(tmp_path: Path) -> None:
    views = views_of(tmp_path, Caller(hang=True))
    assert views["server-restart"].outcome == "hang"
    assert views["server-stopped"].outcome == "hang"
    assert views["bad-item"].outcome == "item-error"


def test_a_worker_that_is_behind_does_not_hang(tmp_path: Path) -> None:
    # A timeout of 1 s at every tick of 200 ms: the core ends it long before it is through.
    run = faults_run({"demo": Caller(recovery_ms=None)})
    trial = run.of("demo", "server-stopped")[0]
    trial.drop(trial.samples["end_ns"] > trial.samples["end_ns"][20])
    trial.record["ended_ns"] = int(trial.samples["end_ns"][-1]) + 900 * MS
    assert cells_of(tmp_path, run)["server-stopped"].caller[0].outcome == "not-recovered"


def test_a_call_that_only_the_workers_own_limit_ended_is_a_hang(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    trial = run.of("demo", "server-stopped")[0]
    timed_out = trial.samples["status"] == 2
    trial.samples["end_ns"][timed_out] = trial.samples["start_ns"][timed_out] + 4000 * MS
    assert cells_of(tmp_path, run)["server-stopped"].caller[0].outcome == "hang"


def test_a_worker_that_had_to_be_killed_still_shows_its_hang(tmp_path: Path) -> None:
    run = faults_run({"demo": Caller(hang=True)})
    trial = run.of("demo", "server-stopped")[0]
    trial.record |= {"status": "failed", "reason": "ignored-stop", "detail": "still at work"}
    cell = cells_of(tmp_path, run)["server-stopped"]
    assert [view.outcome for view in cell.caller] == ["hang"]
    assert cell.verdict is Verdict.INVALID
    assert "ignored-stop" in cell.other_trials[trial.planned.id]


def test_errors_before_the_fault_are_not_its_doing(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY})
    trial = run.of("demo", "server-restart")[0]
    trial.samples["status"][0] = 1
    early = {
        **trial.record["roles"]["client"]["errors"][0],
        "class": "Earlier",
        "monotonic_ns": int(trial.samples["end_ns"][0]),
    }
    trial.record["roles"]["client"]["errors"].insert(0, early)
    view = cells_of(tmp_path, run)["server-restart"].caller[0]
    assert view.error_class == "DemoError"
    assert view.time_to_error_ms == pytest.approx(30, abs=1)


def test_a_restart_that_never_came_back_is_no_recovery(tmp_path: Path) -> None:
    run = faults_run({"demo": Caller(recovery_ms=None)})
    for fault in run.of("demo", "server-restart")[0].record["faults"]:
        fault.pop("ready_ns", None)
    view = cells_of(tmp_path, run)["server-restart"].caller[0]
    assert (view.outcome, view.outage_ms) == ("not-recovered", None)


def test_medians_over_the_trials(tmp_path: Path) -> None:
    run = faults_run({"demo": KINDLY}, trials=3)
    last = run.of("demo", "server-down")[-1]
    last.samples["end_ns"] += 970 * MS
    cell = cells_of(tmp_path, run)["server-down"]
    assert len(cell.caller) == 3
    assert cell.metrics["fault.error.time"].value == pytest.approx(30)
    assert cell.metrics["fault.error.time"].per_trial[-1] == pytest.approx(1000)
    assert cell.metrics["fault.outage.time"].value is None
    assert cell.metrics["connect.error.count"].value == 30
    assert "connect.latency.p50" not in cell.metrics

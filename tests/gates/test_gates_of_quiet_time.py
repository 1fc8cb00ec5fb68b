"""Gates beside other programs: what these did is no fault of a trial; what it did itself is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gates_support import Judge, spoken

from synthetic import MS, SECOND, Client, SyntheticRun, Trial, crowd_run, load_run, spoil
from synthetic.neighbour import record_host
from wirelab.cells.analysis import analyse, unstable_cells
from wirelab.model.result import Verdict

PERIOD_NS = 100 * MS

Change = Callable[[Trial, np.ndarray], None]


def beside(trial: Trial) -> np.ndarray:
    """Looks before which others ran: half a second of every three."""
    at = trial.probe["host"]["monotonic_ns"]
    return np.arange(len(at)) % 30 < 5


def chosen(trial: Trial, *, disturbed: bool) -> np.ndarray:
    """Samples intended while others ran, or in the last second before they run again."""
    at = trial.probe["host"]["monotonic_ns"]
    looks = np.flatnonzero(beside(trial)) if disturbed else np.arange(22, len(at), 30)
    begins = at[looks[looks > 0] - 1]
    number = np.searchsorted(begins, trial.samples["intended_ns"], side="right") - 1
    since = trial.samples["intended_ns"] - begins[np.maximum(number, 0)]
    return (number >= 0) & (since < PERIOD_NS * (1 if disturbed else 5))


def disturbing(change: Change, *, disturbed: bool) -> Callable[[Trial], None]:
    """Change what was intended beside other programs, or as much that was not."""

    def of(trial: Trial) -> None:
        record_host(trial, beside(trial))
        change(trial, chosen(trial, disturbed=disturbed))

    return of


def later(trial: Trial, rows: np.ndarray) -> None:
    for name in ("start_ns", "end_ns"):
        trial.samples[name][rows] += 150 * MS


def gone(trial: Trial, rows: np.ndarray) -> None:
    trial.drop(rows)


def slower(trial: Trial, rows: np.ndarray, factor: float = 30.0) -> None:
    service = trial.samples["end_ns"] - trial.samples["start_ns"]
    taken = np.where(rows, service * factor, service).astype(np.int64)
    trial.columns(end_ns=trial.samples["start_ns"] + taken)


@pytest.mark.parametrize("disturbed", [True, False])
@pytest.mark.parametrize(("gate", "change"), [("late-start", later), ("rate-missed", gone)])
def test_what_happens_beside_other_programs_is_no_fault(
    run: SyntheticRun, judge: Judge, gate: str, change: Change, disturbed: bool
) -> None:
    found = spoken(judge(spoil(run, "swift", disturbing(change, disturbed=disturbed))))
    assert (gate in found) == (not disturbed)
    assert "host-disturbed" in found


@pytest.mark.parametrize("disturbed", [True, False])
def test_trials_that_differ_beside_other_programs_alone_agree(
    tmp_path: Path, disturbed: bool
) -> None:
    run = load_run({"swift": Client()}, trials=4)
    for trial in run.trials:
        record_host(trial, beside(trial))
    trial = run.trial("swift")
    slower(trial, chosen(trial, disturbed=disturbed))
    folder = run.write(tmp_path)
    cell = analyse(folder)[0].cells[0]
    assert ("unstable" in spoken(cell)) == (not disturbed)
    assert unstable_cells(folder) == ([] if disturbed else [cell.id])


@pytest.mark.parametrize("disturbed", [True, False])
def test_a_drift_beside_other_programs_is_none(tmp_path: Path, disturbed: bool) -> None:
    clients = {name: Client(median_ms=m) for name, m in (("one", 1.0), ("two", 2.0))}
    run = load_run(clients, trials=6, discard=0)
    for trial in run.trials:
        record_host(trial, beside(trial))
        slower(trial, chosen(trial, disturbed=disturbed), 1 + trial.planned.position / 2)
    cells = analyse(run.write(tmp_path))[0].cells
    assert ["order-bias" in spoken(cell) for cell in cells] == [not disturbed, not disturbed]


def late_level(trial: Trial, rows: np.ndarray) -> None:
    """Another level of some operations in the last third of the window."""
    late = trial.samples["intended_ns"] > trial.record["tick0_ns"] + 42 * SECOND
    slower(trial, rows & late, 2.0)


@pytest.mark.parametrize("disturbed", [True, False])
def test_a_level_that_changes_beside_other_programs_is_none(
    run: SyntheticRun, judge: Judge, disturbed: bool
) -> None:
    def change(trial: Trial) -> None:
        at = trial.probe["host"]["monotonic_ns"]
        busy = at > trial.record["tick0_ns"] + 42 * SECOND
        record_host(trial, busy if disturbed else beside(trial))
        late_level(trial, np.ones(len(trial.samples["op"]), dtype=bool))

    assert ("not-steady" in spoken(judge(spoil(run, "swift", change)))) == (not disturbed)


def signs(**environment: float) -> Callable[[Trial], None]:
    def change(trial: Trial) -> None:
        trial.record["environment"] |= environment

    return change


@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize("sign", [{"foreign_cpu": 0.3}, {"psi_cpu": 0.4}])
def test_neighbours_whose_time_was_left_out_are_a_remark(
    run: SyntheticRun, judge: Judge, sign: dict[str, float], recorded: bool
) -> None:
    spoil(run, "swift", signs(**sign))
    for trial in run.trials if recorded else ():
        record_host(trial, beside(trial))
    cell = judge(run)
    assert spoken(cell)["noisy-neighbour"].verdict is (Verdict.VALID if recorded else Verdict.WARN)
    assert cell.verdict is (Verdict.VALID if recorded else Verdict.WARN)


def test_neighbours_of_one_trial_that_was_not_recorded_warn(
    run: SyntheticRun, judge: Judge
) -> None:
    spoil(run, "swift", signs(foreign_cpu=0.3))
    record_host(run.trial("swift"), beside(run.trial("swift")))
    assert spoken(judge(run))["noisy-neighbour"].verdict is Verdict.WARN


@pytest.mark.parametrize(("trials", "verdict"), [(2, Verdict.WARN), (3, Verdict.INVALID)])
def test_two_trials_are_too_few_to_be_invalid_by(
    judge: Judge, trials: int, verdict: Verdict
) -> None:
    run = load_run({"swift": Client()}, trials=trials, discard=0, count=50, warmup=10)
    slower(run.trial("swift"), np.ones(len(run.trial("swift").samples["op"]), dtype=bool), 2.0)
    assert spoken(judge(run))["unstable"].verdict is verdict


@pytest.mark.parametrize(("count", "expected"), [(31, None), (600, Verdict.INVALID)])
def test_one_jiffy_of_a_short_window_is_no_steal(
    judge: Judge, count: int, expected: Verdict | None
) -> None:
    # 7 % of a tenth of a second is one jiffy in 14; of a minute it is what it says.
    run = load_run({"swift": Client()}, count=count)
    found = spoken(judge(spoil(run, "swift", signs(steal_ratio=0.07)))).get("steal")
    assert (found and found.verdict) == expected


@pytest.mark.parametrize("disturbed", [True, False])
def test_a_pause_beside_other_programs_is_none(judge: Judge, disturbed: bool) -> None:
    def pause(trial: Trial) -> None:
        begin = trial.record["tick0_ns"] + 18 * SECOND
        ends = trial.samples["end_ns"]
        held = (ends >= begin) & (ends < begin + 400 * MS)
        trial.columns(end_ns=np.where(held, begin + 400 * MS, ends))
        at = trial.probe["host"]["monotonic_ns"] - begin - (0 if disturbed else 3 * SECOND)
        record_host(trial, (at > 0) & (at < 500 * MS))

    run = spoil(crowd_run({"swift": Client(mode="event")}), "swift", pause)
    assert ("stood-still" in spoken(judge(run))) == (not disturbed)

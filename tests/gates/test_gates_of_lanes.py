"""The gate on time between operations: of lanes by themselves, of one, and of rounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gates_support import spoken

from synthetic import MS, Client, SyntheticRun, Trial, closed_run, closed_scenario, spoil
from synthetic.neighbour import bursts, record_host
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Verdict

GATE = "between-operations"
RTT, CONNECT = 1, 3
CLIENT = Client(median_ms=20.0, spread=0.2, trial_spread=0.001)
ONE = {"one": {"title": {"en": "1 user"}, "users": 1}}

Judge = Callable[[SyntheticRun], Cell]
Hidden = Callable[[Trial], np.ndarray]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """The cell of the last step."""
    return lambda run: analyse(run.write(tmp_path / "run"))[0].cells[-1]


def asking(client: Client = CLIENT, *, ticks: int = 100, **changes: Any) -> SyntheticRun:
    """Three trials whose users ask and are answered, and bring nothing to others."""
    operations = closed_scenario().model_dump(mode="json")["operations"]
    kept = {name: operations[name] for name in ("rtt", "connect")}
    rankings = [{"metric": "rtt.latency.p50"}]
    scenario = closed_scenario(operations=kept, rankings=rankings, **changes)
    run = closed_run({"swift": client}, scenario=scenario, ticks=ticks)
    for trial in run.trials:
        trial.drop(~np.isin(trial.samples["op"], [RTT, CONNECT]))
        trial.intervals = []
    return run


def hiding(share: Hidden) -> Callable[[Trial], None]:
    """End operations earlier by a share of them: the rest is done before the next one starts."""

    def change(trial: Trial) -> None:
        start, end = trial.samples["start_ns"], trial.samples["end_ns"]
        hidden = np.where(trial.samples["op"] == RTT, share(trial), 0.0)
        trial.columns(end_ns=end - ((end - start) * hidden).astype(np.int64))

    return change


def a_part(_trial: Trial) -> np.ndarray:
    return np.array(0.2)


def now_and_then(trial: Trial) -> np.ndarray:
    return np.where(np.arange(len(trial.samples["op"])) % 2 == 0, 0.5, 0.0)


def test_what_every_lane_does_between_its_operations_is_invalid(judge: Judge) -> None:
    cell = judge(spoil(asking(), "swift", hiding(a_part)))
    finding = spoken(cell)[GATE]
    assert finding.verdict is Verdict.INVALID
    assert len(finding.trials) == 3
    assert finding.evidence["trial"] in finding.trials
    assert finding.evidence["least"]["between_ms"] == pytest.approx(4, rel=0.1)
    assert finding.evidence["least"]["operation_ms"] == pytest.approx(16, rel=0.1)
    assert not finding.evidence.get("in_rounds")
    assert cell.ranks == {}


def test_the_honest_are_not_accused(judge: Judge) -> None:
    assert GATE not in spoken(judge(asking()))


def test_one_trial_says_nothing(judge: Judge) -> None:
    run = asking()
    hiding(a_part)(run.trials[1])
    assert GATE not in spoken(judge(run))


def test_a_harness_takes_its_time_between_short_operations(judge: Judge) -> None:
    short = Client(median_ms=0.4, spread=0.1, trial_spread=0.001)
    assert GATE not in spoken(judge(spoil(asking(short), "swift", hiding(a_part))))


@pytest.mark.parametrize(("canary_ns", "speaks"), [(1_050_000, True), (3_150_000, False)])
def test_a_harness_may_take_longer_on_a_slower_machine(
    judge: Judge, canary_ns: int, speaks: bool
) -> None:
    def change(trial: Trial) -> None:
        hiding(a_part)(trial)
        trial.record["environment"]["canary_ns"] = canary_ns

    run = asking(Client(median_ms=2.0, spread=0.1, trial_spread=0.001))
    assert (GATE in spoken(judge(spoil(run, "swift", change)))) is speaks


def test_large_messages_are_composed_and_compared_there(judge: Judge) -> None:
    def large(trial: Trial) -> None:
        hiding(a_part)(trial)
        trial.columns(size=np.where(trial.samples["op"] == RTT, 4_000_000, 0))

    assert GATE not in spoken(judge(spoil(asking(), "swift", large)))


def test_one_lane_is_judged_by_what_it_does_now_and_then(judge: Judge) -> None:
    finding = spoken(judge(spoil(asking(steps=ONE), "swift", hiding(now_and_then))))[GATE]
    assert finding.evidence["in_rounds"]
    assert finding.evidence["least"]["between_ms"] == pytest.approx(0.3 / 0.8 * 0.5 * 20, rel=0.15)


def in_rounds(trial: Trial, gap_ms: float) -> None:
    """Let all lanes begin each tick together, and end 4 ms after each other."""
    start, end = trial.samples["start_ns"].copy(), trial.samples["end_ns"].copy()
    lane, rtt = trial.samples["lane"], trial.samples["op"] == RTT
    for begin, stop in trial.record["steps"].values():
        inside = rtt & (start >= begin) & (start < stop)
        for number in np.unique(lane[inside]).tolist():
            own = np.flatnonzero(inside & (lane == number))
            length = (stop - begin) // len(own)
            start[own] = begin + length * np.arange(len(own)) + number * 1_000
            end[own] = start[own] + length - round(gap_ms * MS) - number * (4 * MS + 1_000)
    trial.columns(intended_ns=start, start_ns=start, end_ns=end)


@pytest.mark.parametrize(("gap_ms", "speaks"), [(0.1, False), (4.0, True)])
def test_a_gap_of_a_round_counts_from_when_the_next_one_could_have_begun(
    judge: Judge, gap_ms: float, speaks: bool
) -> None:
    found = spoken(judge(spoil(asking(), "swift", lambda trial: in_rounds(trial, gap_ms))))
    assert (GATE in found) is speaks
    if speaks:
        assert found[GATE].evidence["in_rounds"]
        assert found[GATE].evidence["least"]["between_ms"] == pytest.approx(gap_ms, rel=0.01)


@pytest.mark.parametrize("beside", [True, False])
def test_time_beside_other_programs_is_not_judged(judge: Judge, beside: bool) -> None:
    def change(trial: Trial) -> None:
        busy = bursts(trial, 0.4)
        record_host(trial, busy)
        looks = trial.probe["host"]["monotonic_ns"]
        following = np.searchsorted(looks, trial.samples["start_ns"])
        chosen = busy[np.minimum(following, len(busy) - 1)] == beside
        hiding(lambda _: np.where(chosen, 0.5, 0.0))(trial)

    found = spoken(judge(spoil(asking(steps=ONE, ticks=1_000), "swift", change)))
    assert (GATE in found) is not beside
    assert "host-disturbed" in found


def test_answers_that_were_asked_for_are_taken_off(judge: Judge) -> None:
    def paused(trial: Trial) -> None:
        hiding(a_part)(trial)
        trial.record["paused"] = {"one": 100 * 5 * MS}

    assert GATE not in spoken(judge(spoil(asking(steps=ONE), "swift", paused)))


def test_who_hands_messages_over_to_others_is_not_judged(judge: Judge) -> None:
    run = closed_run({"swift": CLIENT}, ticks=100)
    assert GATE not in spoken(judge(spoil(run, "swift", hiding(a_part))))

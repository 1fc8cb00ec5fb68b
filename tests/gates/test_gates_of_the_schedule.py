"""rate-missed, late-start, not-steady, clock: does the gate speak, and only then?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gates_support import Judge, spoken

from synthetic import MS, SECOND, Client, SyntheticRun, Trial, load_run, load_scenario, spoil
from wirelab.gates.levels import steady_levels
from wirelab.model.result import Verdict


def test_a_good_run_is_valid_and_nothing_speaks(run: SyntheticRun, judge: Judge) -> None:
    cell = judge(run)
    assert spoken(cell) == {}
    assert cell.verdict is Verdict.VALID


def drop_share(share: float) -> Callable[[Trial], None]:
    """Leave out some of the reads, as a worker does that skips ticks."""

    def change(trial: Trial) -> None:
        reads = np.flatnonzero(trial.samples["op"] == 1)
        gone = np.zeros(len(trial.samples["op"]), dtype=bool)
        gone[reads[100 : 100 + round(share * 570)]] = True
        trial.drop(gone)

    return change


@pytest.mark.parametrize(
    ("share", "verdict"),
    [(0.005, None), (0.015, Verdict.WARN), (0.09, Verdict.WARN), (0.11, Verdict.INVALID)],
)
def test_rate_missed(
    run: SyntheticRun, judge: Judge, share: float, verdict: Verdict | None
) -> None:
    found = spoken(judge(spoil(run, "swift", drop_share(share)))).get("rate-missed")
    assert (found and found.verdict) == verdict
    if found:
        of_trial = found.evidence["trials"][found.trials[0]]
        assert of_trial["read"]["scheduled"] == 570
        assert of_trial["read"]["sent"] == 570 - round(share * 570)
        assert found.evidence["worst"] == pytest.approx(share, abs=0.002)


@pytest.mark.parametrize("which", ["middle", "last"])
def test_left_out(run: SyntheticRun, judge: Judge, which: str) -> None:
    """One read is missing in the midst of others; or the last ones are, as after a stop."""

    def change(trial: Trial) -> None:
        reads = np.flatnonzero(trial.samples["op"] == 1)
        gone = np.zeros(len(trial.samples["op"]), dtype=bool)
        gone[reads[100:101] if which == "middle" else reads[-4:]] = True
        trial.drop(gone)

    found = spoken(judge(spoil(run, "swift", change))).get("left-out")
    assert (found is not None) == (which == "middle")
    if found:
        assert found.verdict is Verdict.INVALID
        assert found.evidence["trials"][found.trials[0]] == {"read": {"left_out": 1, "due": 570}}


def test_rate_missed_speaks_of_repeated_ticks_too(run: SyntheticRun, judge: Judge) -> None:
    def repeat(trial: Trial) -> None:
        again = np.concatenate([np.arange(len(trial.samples["op"])), np.arange(300, 400)])
        trial.samples = {name: column[again] for name, column in trial.samples.items()}

    found = spoken(judge(spoil(run, "swift", repeat)))["rate-missed"]
    assert found.verdict is Verdict.INVALID


def delay(share: float, by_ns: int) -> Callable[[Trial], None]:
    """Start (and end) some operations later."""

    def change(trial: Trial) -> None:
        step = round(1 / share)
        for name in ("start_ns", "end_ns"):
            trial.samples[name][::step] += by_ns

    return change


def test_late_start(run: SyntheticRun, judge: Judge) -> None:
    cell = judge(spoil(run, "swift", delay(0.05, 10 * MS)))
    found = spoken(cell)["late-start"]
    assert found.verdict is Verdict.WARN
    p99 = found.evidence["metrics"]["read.latency.p99"]
    assert p99["response_ms"] > p99["service_ms"] + 5
    assert found.evidence["lateness"]["read"]["stalls"] == 0
    # One start of twenty was late: the median does not show it, and response times hide nothing.
    assert cell.metrics["read.latency.p50"].verdict is Verdict.VALID
    assert cell.metrics["read.latency.p99"].verdict is Verdict.WARN
    assert cell.metrics["read.response.p99"].verdict is Verdict.VALID


def test_a_single_stall_is_shown(run: SyntheticRun, judge: Judge) -> None:
    cell = judge(spoil(run, "swift", delay(1 / 400, 150 * MS)))
    evidence = spoken(cell)["late-start"].evidence["lateness"]["read"]
    assert evidence["stalls"] > 0
    assert evidence["max_ms"] > 150
    assert cell.metrics["read.latency.p50"].verdict is Verdict.WARN


def test_a_rare_operation_that_starts_late_is_seen_in_its_median(judge: Judge) -> None:
    """57 writes a trial, each of which waits for the read of its tick."""

    def wait(trial: Trial) -> None:
        for name in ("start_ns", "end_ns"):
            trial.samples[name][trial.samples["op"] == 2] += MS

    cell = judge(spoil(load_run({"swift": Client(median_ms=2.0)}), "swift", wait))
    assert cell.metrics["write.latency.p50"].verdict is Verdict.WARN
    assert cell.metrics["read.latency.p50"].verdict is Verdict.VALID


def test_lateness_below_a_tenth_of_the_service_time_is_let_pass(judge: Judge) -> None:
    cell = judge(load_run({"swift": Client(median_ms=2.0, drift_ms=0.02)}))
    assert "late-start" not in spoken(cell)


def shift_from(share: float, factor: float) -> Callable[[Trial], None]:
    """Service times of another level from some part of the window on."""

    def change(trial: Trial) -> None:
        first = trial.record["tick0_ns"] + 3 * SECOND
        late = trial.samples["intended_ns"] >= first + round(share * 57) * SECOND
        service = trial.samples["end_ns"] - trial.samples["start_ns"]
        end = trial.samples["start_ns"] + np.where(late, service * factor, service).astype(int)
        trial.columns(end_ns=end)

    return change


@pytest.mark.parametrize(
    ("from_share", "factor", "fires"),
    [(0.7, 1.6, True), (0.7, 0.6, True), (0.2, 1.6, False), (0.7, 1.04, False)],
)
def test_not_steady(
    run: SyntheticRun, judge: Judge, from_share: float, factor: float, fires: bool
) -> None:
    found = spoken(judge(spoil(run, "swift", shift_from(from_share, factor)))).get("not-steady")
    assert (found is not None) == fires
    if found:
        evidence = found.evidence["trials"][found.trials[0]]
        assert evidence["steady_seconds"] == pytest.approx(17, abs=2)
        assert evidence["levels_ms"][-1] / evidence["levels_ms"][0] == pytest.approx(
            factor, rel=0.1
        )


def test_a_level_that_comes_and_goes_is_no_transition(run: SyntheticRun, judge: Judge) -> None:
    """A fifth of the window at another level, as a slower processor for a while makes it; the last
    level holds for less than half of it, and is that of most of the window."""

    def episode(trial: Trial) -> None:
        shift_from(0.5, 1.6)(trial)
        shift_from(0.7, 1 / 1.6)(trial)

    assert "not-steady" not in spoken(judge(spoil(run, "swift", episode)))


def test_noise_alone_is_one_level() -> None:
    rng = np.random.default_rng(3)
    for spread in (0.01, 0.05, 0.2):
        for _ in range(50):
            assert len(steady_levels(2 * np.exp(rng.normal(0, spread, 300)))) <= 2
    quiet = [len(steady_levels(2 * np.exp(rng.normal(0, 0.03, 300)))) for _ in range(50)]
    assert quiet == [1] * 50


def test_levels_are_found_where_they_are() -> None:
    rng = np.random.default_rng(4)
    medians = np.repeat([3.0, 2.0, 2.05], [60, 90, 150]) * np.exp(rng.normal(0, 0.02, 300))
    levels = steady_levels(medians)
    assert [begin for begin, _ in levels] == [0, 60]
    assert [level for _, level in levels] == pytest.approx([3.0, 2.03], rel=0.02)


def test_perfectly_constant_medians_are_one_level() -> None:
    assert steady_levels(np.full(100, 2.0)) == [(0, 2.0)]
    assert len(steady_levels(np.repeat([2.0, 3.0], 50))) == 2


def test_a_smoke_run_is_too_short_to_be_called_unsteady(judge: Judge) -> None:
    run = load_run({"swift": Client()}, trials=2, discard=0, count=50, warmup=10)
    cell = judge(spoil(run, "swift", shift_from(0.0, 3.0)))
    assert "not-steady" not in spoken(cell)


def first(name: str, by_ns: int, count: int = 1) -> Callable[[Trial], None]:
    """Move a stamp of the first samples of the window."""

    def change(trial: Trial) -> None:
        trial.samples[name][200 : 200 + count] += by_ns

    return change


def early_by(ns: int) -> Callable[[Trial], None]:
    """Have one operation start a little before it was due."""

    def change(trial: Trial) -> None:
        trial.samples["start_ns"][200] = trial.samples["intended_ns"][200] - ns

    return change


def overlapping(trial: Trial) -> None:
    trial.record["overlapping"] = 3


def unknown_operation(trial: Trial) -> None:
    trial.samples["op"][200] = 99


@pytest.mark.parametrize(
    ("change", "evidence"),
    [
        (first("end_ns", -50 * MS), "backwards"),
        (first("start_ns", -5 * MS, 3), "early"),
        (early_by(17), "early"),
        (overlapping, "overlapping"),
        (first("start_ns", -50 * SECOND), "before_start"),
        (first("end_ns", 3600 * SECOND), "outside"),
        (first("intended_ns", 7), "off_schedule"),
        (unknown_operation, "unknown_operations"),
    ],
)
def test_clock(
    run: SyntheticRun, judge: Judge, change: Callable[[Trial], None], evidence: str
) -> None:
    cell = judge(spoil(run, "swift", change))
    found = spoken(cell)["clock"]
    assert found.verdict is Verdict.INVALID
    assert found.evidence[found.trials[0]][evidence] >= 1
    assert cell.verdict is Verdict.INVALID


@pytest.mark.parametrize("stamp", ["start_ns", "end_ns"])
def test_stamps_that_are_round_numbers(run: SyntheticRun, judge: Judge, stamp: str) -> None:
    def change(trial: Trial) -> None:
        up = 10_000 if stamp == "start_ns" else 0
        trial.columns(**{stamp: trial.samples[stamp] // 10_000 * 10_000 + up})

    found = spoken(judge(spoil(run, "swift", change)))["clock"]
    assert found.verdict is Verdict.INVALID
    (trial, *_) = found.trials
    assert found.evidence[trial]["rounded"] >= 570


@pytest.mark.parametrize("step_ns", [999_983, 3_333_361, 4_000_117])
def test_ends_of_a_clock_that_moves_in_steps(run: SyntheticRun, judge: Judge, step_ns: int) -> None:
    def change(trial: Trial) -> None:
        starts, ends = trial.samples["start_ns"], trial.samples["end_ns"] + 5 * MS
        trial.columns(end_ns=np.maximum(starts, ends - ends % step_ns))

    found = spoken(judge(spoil(run, "swift", change)))["clock"]
    assert found.verdict is Verdict.INVALID
    assert found.evidence[found.trials[0]].keys() == {"in_steps"}
    assert found.evidence[found.trials[0]]["in_steps"] >= 500


def test_operations_that_take_no_time(run: SyntheticRun, judge: Judge) -> None:
    def change(trial: Trial) -> None:
        trial.columns(end_ns=trial.samples["start_ns"])

    found = spoken(judge(spoil(run, "swift", change)))["clock"]
    assert found.verdict is Verdict.INVALID
    assert found.evidence[found.trials[0]]["in_no_time"] >= 570


def test_a_start_that_is_rounded_is_let_pass(run: SyntheticRun, judge: Judge) -> None:
    assert "clock" not in spoken(judge(spoil(run, "swift", early_by(16))))


@pytest.mark.parametrize("off_ns", [-2 * SECOND, 2 * SECOND])
def test_a_worker_with_another_clock(run: SyntheticRun, judge: Judge, off_ns: int) -> None:
    def change(trial: Trial) -> None:
        trial.record["roles"]["client"]["ready"]["monotonic_ns"] += off_ns

    found = spoken(judge(spoil(run, "swift", change)))["clock"]
    assert found.verdict is Verdict.INVALID
    assert np.sign(found.evidence[found.trials[0]]["ready_off_by_ns"]) == np.sign(off_ns)


def test_a_time_of_ready_that_is_not_recorded_is_said(run: SyntheticRun, judge: Judge) -> None:
    def change(trial: Trial) -> None:
        del trial.record["roles"]["client"]["ready"]["started_ns"]

    assert "clock" in spoken(judge(spoil(run, "swift", change)))


def test_a_coarse_clock_source_warns(run: SyntheticRun, judge: Judge) -> None:
    def change(trial: Trial) -> None:
        trial.record["environment"]["clock_source"] = "acpi_pm"

    found = spoken(judge(spoil(run, "swift", change)))["clock"]
    assert (found.verdict, found.evidence) == (Verdict.WARN, {"sources": ["acpi_pm"]})


def test_ticks_of_a_closed_loop_are_the_workers_own(judge: Judge) -> None:
    run = load_run(
        {"swift": Client()}, scenario=load_scenario(load={"type": "closed", "at_most": "100ms"})
    )
    found = spoken(judge(spoil(run, "swift", first("intended_ns", 7))))
    assert not {"clock", "rate-missed"} & found.keys()

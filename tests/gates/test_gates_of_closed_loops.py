"""Gates on closed loops: what must speak there, and what has nothing to say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gates_support import spoken

from synthetic import MS, SECOND, Client, SyntheticRun, Trial, closed_run, closed_scenario, spoil
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Verdict

Judge = Callable[[SyntheticRun], Cell]
RTT, ALL = 1, 4


@pytest.fixture
def closed_loop() -> SyntheticRun:
    return closed_run({"swift": Client()})


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """The cell of the last step."""
    return lambda run: analyse(run.write(tmp_path / "run"))[0].cells[-1]


def of_step(trial: Trial, op: int, step: str = "more") -> np.ndarray:
    """Mask of the samples of an operation in a step."""
    begin, end = trial.record["steps"][step]
    start = trial.samples["start_ns"]
    chosen: np.ndarray = (trial.samples["op"] == op) & (start >= begin) & (start < end)
    return chosen


def test_nothing_is_said_where_nothing_is_wrong(closed_loop: SyntheticRun, tmp_path: Path) -> None:
    cells = analyse(closed_loop.write(tmp_path / "run"))[0].cells
    assert {cell.step: set(spoken(cell)) for cell in cells} == {
        "": set(),
        "few": set(),
        "more": set(),
    }


def test_what_no_closed_loop_can_miss(closed_loop: SyntheticRun, judge: Judge) -> None:
    # As if all had been due long before: there is no schedule to be late for.
    early = closed_loop.trials[0].samples["intended_ns"] - 700 * MS
    closed_loop.trials[0].columns(intended_ns=early)
    said = spoken(judge(closed_loop)).keys()
    assert not said & {"rate-missed", "late-start", "clock", "loss-or-error"}


def test_an_operation_that_was_never_done_is_lost(closed_loop: SyntheticRun, judge: Judge) -> None:
    trial = closed_loop.trials[0]
    trial.drop(of_step(trial, RTT) & (np.cumsum(of_step(trial, RTT)) <= 3))
    cell = judge(closed_loop)
    finding = spoken(cell)["loss-or-error"]
    assert finding.verdict is Verdict.INVALID
    assert finding.evidence["operations"]["rtt"]["lost"] == 3
    assert finding.evidence["operations"]["rtt"]["expected"] == 3 * 4 * 600
    assert finding.trials == [trial.planned.id]
    assert cell.metrics["rtt.error.count"].value == 3
    assert cell.metrics["rtt.miss.count"].value == 3


@pytest.mark.parametrize("how", ["timeout", "without a record"])
def test_a_user_that_never_completed(closed_loop: SyntheticRun, judge: Judge, how: str) -> None:
    trial = closed_loop.trials[0]
    one = of_step(trial, ALL) & (trial.samples["lane"] == 2)
    if how == "timeout":
        trial.columns(status=np.where(one, 2, 0))
    else:
        trial.drop(one)
    finding = spoken(judge(closed_loop))["loss-or-error"]
    assert finding.verdict is Verdict.INVALID
    assert finding.evidence["operations"]["all"]["failed"] == 1


def test_a_user_that_never_joined(closed_loop: SyntheticRun, judge: Judge) -> None:
    trial = closed_loop.trials[0]
    trial.drop((trial.samples["op"] == 3) & (trial.samples["lane"] == 3))
    evidence = spoken(judge(closed_loop))["loss-or-error"].evidence
    assert evidence["operations"]["connect"]["lost"] == 1


@pytest.mark.parametrize(
    ("change", "gate", "verdict"),
    [
        (("received", -1), "loss-or-error", Verdict.INVALID),
        (("duplicates", 1), "duplicated", Verdict.INVALID),
        (("reordered", 1), "reordered", Verdict.WARN),
        (("wrong", 1), "wrong-answer", Verdict.INVALID),
    ],
)
def test_deliveries_of_the_step(
    closed_loop: SyntheticRun, judge: Judge, change: tuple[str, int], gate: str, verdict: Verdict
) -> None:
    line = closed_loop.trials[0].intervals[-1]
    count, by = change
    line["counts"][count] += by
    line["service"] = ""
    found = spoken(judge(closed_loop))
    assert found[gate].verdict is verdict


def test_deliveries_of_another_step_are_its_own(closed_loop: SyntheticRun, judge: Judge) -> None:
    line = next(line for line in closed_loop.trials[0].intervals if line["step"] == "few")
    line["counts"]["duplicates"] = 1
    line["second"] = closed_loop.trials[0].intervals[-1]["second"]
    assert "duplicated" not in spoken(judge(closed_loop))


def test_a_record_outside_its_trial(closed_loop: SyntheticRun, judge: Judge) -> None:
    closed_loop.trials[0].record["ended_ns"] = (
        closed_loop.trials[0].record["steps"]["more"][1] - SECOND // 2
    )
    finding = spoken(judge(closed_loop))["clock"]
    assert finding.verdict is Verdict.INVALID
    assert next(iter(finding.evidence.values()))["outside"] > 0


def test_a_step_that_did_not_wait_for_what_it_had_begun(
    closed_loop: SyntheticRun, judge: Judge
) -> None:
    begin, end = closed_loop.trials[0].record["steps"]["more"]
    closed_loop.trials[0].record["steps"]["more"] = (begin, end - 3 * MS)
    finding = spoken(judge(closed_loop))["clock"]
    assert finding.verdict is Verdict.INVALID
    assert set(next(iter(finding.evidence.values()))) == {"past_step"}


def test_a_step_of_a_ramp_waits_for_nothing(closed_loop: SyntheticRun, judge: Judge) -> None:
    begin, end = closed_loop.trials[0].record["steps"]["more"]
    closed_loop.trials[0].record["steps"]["more"] = (begin, end - 3 * MS)
    plan = []
    for planned in closed_loop.run.plan:
        steps = [step.model_copy(update={"ramp_ns": 1}) for step in planned.load.steps]
        load = planned.load.model_copy(update={"steps": steps})
        plan.append(planned.model_copy(update={"load": load}))
    closed_loop.run = closed_loop.run.model_copy(update={"plan": plan})
    assert "clock" not in spoken(judge(closed_loop))


# ------------------------------------------------------------------------------ not-served


@pytest.mark.parametrize(("served", "speaks"), [(999, True), (1000, False), (1200, False)])
def test_operations_that_their_server_did_not_serve(
    closed_loop: SyntheticRun, judge: Judge, served: int, speaks: bool
) -> None:
    closed_loop.trials[0].record["ledger"] = {"echo": {"claimed": 1000, "served": served}}
    cell = judge(closed_loop)
    assert ("not-served" in spoken(cell)) is speaks
    if speaks:
        finding = spoken(cell)["not-served"]
        assert finding.verdict is Verdict.INVALID
        [account] = finding.evidence["trials"].values()
        assert (account["echo"]["claimed"], account["echo"]["served"]) == (1000, served)


def test_a_step_cannot_be_made_up_for_by_another(closed_loop: SyntheticRun, tmp_path: Path) -> None:
    lacking, enough = ({"claimed": 1000, "served": served} for served in (600, 1400))
    record = closed_loop.trials[0].record
    record["ledger"] = {"echo": {"claimed": 2000, "served": 2000}}
    record["ledger_steps"] = {"few": {"echo": enough}, "more": {"echo": lacking}}
    cells = {
        cell.step: spoken(cell) for cell in analyse(closed_loop.write(tmp_path / "run"))[0].cells
    }
    assert {step: "not-served" in found for step, found in cells.items()} == {
        "": False,
        "few": False,
        "more": True,
    }
    [account] = cells["more"]["not-served"].evidence["trials"].values()
    assert lacking.items() <= account["echo"].items()


# ------------------------------------------------------------------------------ less-traffic


def sized(trial: Trial, size: int) -> None:
    """Every round trip carries ``size`` bytes, or its deliveries together do."""
    trial.columns(size=np.where(trial.samples["op"] == RTT, size, 0))


def test_answers_that_were_never_on_the_loopback(closed_loop: SyntheticRun, judge: Judge) -> None:
    # 2,400 round trips of 10 kB, and 200 kB a second seen by the host.
    cell = judge(spoil(closed_loop, "swift", lambda trial: sized(trial, 10_000)))
    finding = spoken(cell)["less-traffic"]
    assert finding.verdict is Verdict.INVALID
    assert len(finding.trials) == 3
    evidence = finding.evidence["trials"][finding.trials[0]]
    deliveries = 2_400 * 3 * 10
    assert evidence["payload"] == 2_400 * 10_000 + deliveries
    assert 200_000 < evidence["received"] < 600_000


def test_deliveries_that_were_never_on_the_loopback(
    closed_loop: SyntheticRun, judge: Judge
) -> None:
    def heavy(trial: Trial) -> None:
        for line in trial.intervals:
            line["counts"]["bytes"] *= 100

    evidence = spoken(judge(spoil(closed_loop, "swift", heavy)))["less-traffic"].evidence["trials"]
    assert set(evidence) == {trial.planned.id for trial in closed_loop.of("swift")}
    assert len(evidence) == 3
    assert all(of["payload"] > 7_000_000 for of in evidence.values())


def test_traffic_that_was_there(closed_loop: SyntheticRun, judge: Judge) -> None:
    def carried(trial: Trial) -> None:
        sized(trial, 10_000)
        rows = trial.probe["host"]
        rows["net_rx_bytes"] = rows["net_rx_bytes"] * 100

    assert "less-traffic" not in spoken(judge(spoil(closed_loop, "swift", carried)))


@pytest.mark.parametrize(
    ("received", "sent_by", "speaks"),
    [
        # Two of three copies are another's: what a mesh writes, with a tenth for frames.
        (10_600_000, "rtt", False),
        (10_600_000, None, True),
        (9_000_000, "rtt", True),
    ],
)
def test_a_mesh_needs_no_more_than_the_copies_of_others(
    judge: Judge, received: int, sent_by: str | None, speaks: bool
) -> None:
    operations = closed_scenario().model_dump(mode="json")["operations"]
    operations["delivery"]["sent_by"] = sent_by
    run = closed_run({"swift": Client()}, scenario=closed_scenario(operations=operations))

    def meshed(trial: Trial) -> None:
        # 2,400 messages and 7,200 copies of them, of 2,000 bytes each.
        sized(trial, 2_000)
        for line in trial.intervals:
            line["counts"]["bytes"] *= 200
        begin, _end = trial.record["steps"]["more"]
        rows = trial.probe["host"]
        rows["net_rx_bytes"] = np.where(rows["monotonic_ns"] <= begin, 0, received)

    found = spoken(judge(spoil(run, "swift", meshed))).get("less-traffic")
    assert (found is not None) is speaks
    if found is not None:
        payloads = {of["payload"] for of in found.evidence["trials"].values()}
        assert payloads == {2_400 * 2_000 * (4 if sent_by is None else 2)}


def test_all_that_was_handed_over_has_crossed_where_nobody_else_gets_it(judge: Judge) -> None:
    operations = closed_scenario().model_dump(mode="json")["operations"]
    operations["delivery"]["sent_by"] = "rtt"
    run = closed_run({"swift": Client()}, scenario=closed_scenario(operations=operations))

    def alone(trial: Trial) -> None:
        sized(trial, 10_000)
        for line in trial.intervals:
            line["counts"]["bytes"] = line["counts"]["received"] // 3 * 10_000

    evidence = spoken(judge(spoil(run, "swift", alone)))["less-traffic"].evidence["trials"]
    assert {of["payload"] for of in evidence.values()} == {2_400 * 10_000}


@pytest.mark.parametrize("why", ["no sizes", "failed", "alone", "a little", "probe ended"])
def test_traffic_is_not_judged_where_nothing_can_be_told(judge: Judge, why: str) -> None:
    scenario = closed_scenario(bounds={"error_ratio": 1, "cv_operation": "rtt"})
    if why == "alone":
        alone = {"client": {"provider": "contender", "measured": True}}
        scenario = closed_scenario(roles=alone)
    run = closed_run({"swift": Client()}, scenario=scenario)

    def change(trial: Trial) -> None:
        sized(trial, 0 if why == "no sizes" else 20 if why == "a little" else 10_000)
        for line in trial.intervals:
            line["counts"]["bytes"] = 0
        if why == "failed":
            trial.columns(status=np.where(trial.samples["op"] == RTT, 1, 0))
        if why == "probe ended":
            last = trial.record["steps"]["more"][1]
            for role, rows in trial.probe.items():
                kept = rows["monotonic_ns"] < last - SECOND // 2
                trial.probe[role] = {name: column[kept] for name, column in rows.items()}

    assert "less-traffic" not in spoken(judge(spoil(run, "swift", change)))


def test_clients_of_the_contender_are_no_generator(judge: Judge) -> None:
    roles = {
        "server": {"provider": "contender", "subject": True},
        "client": {"provider": "contender", "measured": True},
    }

    def busy(trial: Trial) -> None:
        rows = trial.probe["client"]
        rows["cpu_ns"] = (rows["monotonic_ns"] - rows["monotonic_ns"][0]) * 9 // 10

    run = closed_run({"swift": Client()}, scenario=closed_scenario(roles=roles))
    assert "generator-saturated" not in spoken(judge(spoil(run, "swift", busy)))
    roles["client"]["provider"] = "engine:websocket"
    run = closed_run({"swift": Client()}, scenario=closed_scenario(roles=roles))
    assert "generator-saturated" in spoken(judge(spoil(run, "swift", busy)))


@pytest.mark.parametrize(
    ("part", "verdict"), [(50, Verdict.WARN), (10, Verdict.INVALID)], ids=["2 %", "10 %"]
)
def test_a_wait_for_a_processor_is_bounded_in_what_it_can_have_done(
    judge: Judge, part: int, verdict: Verdict
) -> None:
    roles = {
        "server": {"provider": "contender", "subject": True},
        "client": {"provider": "engine:websocket", "measured": True},
    }

    def starved(trial: Trial) -> None:
        rows = trial.probe["client"]
        rows["run_delay_ns"] = (rows["monotonic_ns"] - rows["monotonic_ns"][0]) // part

    run = closed_run({"swift": Client()}, scenario=closed_scenario(roles=roles))
    finding = spoken(judge(spoil(run, "swift", starved)))["generator-saturated"]
    assert finding.verdict is verdict

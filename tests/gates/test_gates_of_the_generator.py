"""Gates on the generator and on deliveries: each spoken to, and silent where nothing is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gates_support import spoken

from synthetic import MS, SECOND, Client, SyntheticRun, Trial, crowd_run, crowd_scenario
from synthetic.neighbour import every, record_host
from synthetic.wire import wire_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Finding, Verdict

Judge = Callable[[SyntheticRun], Cell]
GATES = {
    *("generator-saturated", "generator-ceiling", "duplicated", "reordered", "stood-still"),
    *("wrong-answer", "loss-or-error"),
}


@pytest.fixture
def crowd() -> SyntheticRun:
    return crowd_run({"swift": Client()})


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """The cell of the last step."""
    return lambda run: analyse(run.write(tmp_path / "run"))[0].cells[-1]


def signs_of(finding: Finding) -> set[str]:
    return {sign for signs in finding.evidence["trials"].values() for sign in signs}


def spoil(run: SyntheticRun, change: Callable[[Trial], None]) -> SyntheticRun:
    for trial in run.trials:
        change(trial)
    return run


def test_nothing_is_said_where_nothing_is_wrong(crowd: SyntheticRun, judge: Judge) -> None:
    assert GATES & set(spoken(judge(crowd))) == set()


def test_a_busy_generator(crowd: SyntheticRun, judge: Judge) -> None:
    def busy(trial: Trial) -> None:
        rows = trial.probe["client"]
        rows["cpu_ns"] = (rows["monotonic_ns"] - rows["monotonic_ns"][0]) * 9 // 10

    finding = spoken(judge(spoil(crowd, busy)))["generator-saturated"]
    assert finding.verdict is Verdict.INVALID
    signs = next(iter(finding.evidence["trials"].values()))
    assert signs == {"cpu_share": pytest.approx(0.9, abs=0.01)}


def test_a_generator_that_waits_for_a_processor(crowd: SyntheticRun, judge: Judge) -> None:
    def starved(trial: Trial) -> None:
        rows = trial.probe["client"]
        rows["run_delay_ns"] = (rows["monotonic_ns"] - rows["monotonic_ns"][0]) // 50

    finding = spoken(judge(spoil(crowd, starved)))["generator-saturated"]
    assert finding.verdict is Verdict.INVALID
    signs = next(iter(finding.evidence["trials"].values()))
    assert signs == {"delay_share": pytest.approx(0.02, abs=0.001)}


def waits(trial: Trial, share: float, busy: np.ndarray | None = None) -> None:
    """Let the generator wait for a processor for a share of the time, or of that before the looks
    of ``busy``."""
    rows = trial.probe["client"]
    elapsed = np.diff(rows["monotonic_ns"], prepend=rows["monotonic_ns"][0])
    chosen = 1 if busy is None else busy[: len(elapsed)]
    rows["run_delay_ns"] = np.cumsum(elapsed * share * chosen).astype(np.int64)


def test_what_a_generator_waits_beside_a_null_server_is_no_want_of_processors(
    tmp_path: Path,
) -> None:
    """All of an honest ramp waited for 2.9 % of the time, the null server's cells as well."""
    run = crowd_run({"null": Client(), "swift": Client(), "greedy": Client()})
    null = run.run.participants["null"]
    manifest = null.manifest.model_copy(update={"reference": True})
    changed = null.model_copy(update={"manifest": manifest})
    participants = {**run.run.participants, "null": changed}
    run.run = run.run.model_copy(update={"participants": participants})
    for trial in run.trials:
        waits(trial, 0.06 if trial.planned.contender == "greedy" else 0.029)
    cells = analyse(run.write(tmp_path / "run"))[0].cells
    accused = {
        cell.contender: finding.evidence["trials"]
        for cell in cells
        if (finding := spoken(cell).get("generator-saturated")) is not None
    }
    assert set(accused) == {"greedy"}
    for signs in accused["greedy"].values():
        assert signs == {"delay_share": pytest.approx(0.031, abs=0.002)}


@pytest.mark.parametrize("beside", [True, False])
def test_a_generator_that_waits_beside_others_alone_is_not_accused(
    crowd: SyntheticRun, judge: Judge, beside: bool
) -> None:
    for trial in crowd.trials:
        busy = every(trial, 20)
        record_host(trial, busy)
        waits(trial, 0.4, busy if beside else np.roll(busy, 10))
    assert ("generator-saturated" in spoken(judge(crowd))) is not beside


def stopped(trial: Trial) -> None:
    """Nine tenths of each 100 ms, as a quota does it: what falls in there waits for the end."""
    at = trial.samples["intended_ns"] - trial.record["tick0_ns"]
    wait = np.maximum(0, 90 * MS - at % (100 * MS))
    trial.columns(start_ns=trial.samples["start_ns"] + wait, end_ns=trial.samples["end_ns"] + wait)


def test_a_generator_that_was_stopped_sends_late(crowd: SyntheticRun, judge: Judge) -> None:
    finding = spoken(judge(spoil(crowd, stopped)))["generator-saturated"]
    signs = next(iter(finding.evidence["trials"].values()))
    assert set(signs) == {"lag_p99_ms"}
    assert signs["lag_p99_ms"] > 80


def over_http() -> SyntheticRun:
    """The crowd, with requests that wait for the one before them on their lane."""
    roles = crowd_scenario().model_dump()["roles"]
    roles["client"]["provider"] = "engine:http"
    return crowd_run({"swift": Client()}, scenario=crowd_scenario(roles=roles))


def slow_server(trial: Trial) -> None:
    """Each request takes 1.2 s where one is due each second: later ones wait ever longer."""
    samples = trial.samples
    start_ns, free_ns = samples["start_ns"].copy(), dict[tuple[int, int], int]()
    for at in np.argsort(samples["intended_ns"], kind="stable"):
        lane = (int(samples["op"][at]), int(samples["lane"][at]))
        start_ns[at] = max(int(start_ns[at]), free_ns.get(lane, 0))
        free_ns[lane] = int(start_ns[at]) + 1200 * MS
    trial.columns(start_ns=start_ns, end_ns=start_ns + 1200 * MS)


@pytest.mark.parametrize(
    ("part", "verdict"), [(50, Verdict.WARN), (10, Verdict.INVALID)], ids=["2 %", "10 %"]
)
def test_requests_that_wait_for_answers_bound_what_a_wait_can_do(
    judge: Judge, part: int, verdict: Verdict
) -> None:
    def starved(trial: Trial) -> None:
        rows = trial.probe["client"]
        rows["run_delay_ns"] = (rows["monotonic_ns"] - rows["monotonic_ns"][0]) // part

    finding = spoken(judge(spoil(over_http(), starved)))["generator-saturated"]
    assert finding.verdict is verdict


def witnessed(until: float, spread: float = 0.25) -> SyntheticRun:
    """Requests of a generator whose answers are there at a share of their time."""
    clients = {"swift": Client(spread=spread)}
    kind = {"measured": "engine:websocket", "judged": "server"}
    return wire_run(clients, shares=(0.0, until), **kind)


@pytest.mark.parametrize(
    ("until", "verdict"), [(0.999, None), (0.95, Verdict.WARN), (0.5, Verdict.INVALID)]
)
def test_what_a_wait_did_to_requests_is_seen_on_the_wire(
    judge: Judge, until: float, verdict: Verdict | None
) -> None:
    """A tenth of the time, which nobody would know the effect of without a witness."""
    run = witnessed(until, spread=0.5)
    for trial in run.trials:
        waits(trial, 0.1)
    found = spoken(judge(run)).get("generator-saturated")
    assert (found.verdict if found else None) is verdict
    if found:
        assert signs_of(found) == {"held_up"}


def test_a_wait_is_judged_by_itself_where_the_witness_missed_requests(judge: Judge) -> None:
    run = witnessed(0.999)
    for trial in run.trials:
        waits(trial, 0.1)
        assert trial.witness is not None
        kept = trial.witness.messages["request"] % 20 != 0
        left = {name: column[kept] for name, column in trial.witness.messages.items()}
        trial.witness = dataclasses.replace(trial.witness, messages=left)
    finding = spoken(judge(run))["generator-saturated"]
    assert finding.verdict is Verdict.INVALID
    assert signs_of(finding) == {"delay_share"}


def test_a_slow_server_makes_no_generator_late(judge: Judge) -> None:
    cell = judge(spoil(over_http(), slow_server))
    assert "generator-saturated" not in spoken(cell)
    # Service times flatter then, and that is said.
    assert "late-start" in spoken(cell)


def test_sends_that_wait_for_nobody_are_late_by_the_generator(
    crowd: SyntheticRun, judge: Judge
) -> None:
    assert "generator-saturated" in spoken(judge(spoil(crowd, slow_server)))


def test_a_generator_of_requests_that_was_stopped_sends_late(judge: Judge) -> None:
    finding = spoken(judge(spoil(over_http(), stopped)))["generator-saturated"]
    assert next(iter(finding.evidence["trials"].values()))["lag_p99_ms"] > 80


def with_ceiling(reached: float) -> SyntheticRun:
    """Beside the crowd, the ceiling of its generator: ``reached`` deliveries a second."""
    scenario = crowd_scenario(ceiling={"scenario": "limit", "metric": "delivery.rate"})
    run = crowd_run({"swift": Client()}, scenario=scenario)
    limit = crowd_scenario(reference_only=True)
    run.run = run.run.model_copy(update={"scenarios": {"limit": limit, **run.run.scenarios}})
    extra = crowd_run({"swift": Client()}, scenario=limit)
    for number, trial in enumerate(extra.trials):
        trial.planned = trial.planned.model_copy(
            update={"id": f"9{number:03d}-limit", "scenario": "limit"}
        )
        for line in trial.intervals:
            line["counts"]["expected"] = line["counts"]["received"] = round(reached)
            del line["service"], line["response"]
    run.trials = [*extra.trials, *run.trials]
    run.run = run.run.model_copy(update={"plan": [t.planned for t in run.trials]})
    return run


@pytest.mark.parametrize(("reached", "speaks"), [(200, False), (120, True)])
def test_a_load_near_the_ceiling(judge: Judge, reached: float, speaks: bool) -> None:
    cell = judge(with_ceiling(reached))
    assert cell.scenario == "crowd"
    assert cell.metrics["delivery.rate"].value == 80
    found = spoken(cell).get("generator-ceiling")
    assert (found is not None) is speaks
    if found is not None:
        assert found.verdict is Verdict.WARN
        assert found.evidence["share"] == pytest.approx(80 / 120)


@pytest.mark.parametrize("spoilt", ["queue", "loss"])
def test_a_ceiling_reached_by_falling_behind_is_none(judge: Judge, spoilt: str) -> None:
    run = with_ceiling(200)
    for trial in run.trials:
        if trial.planned.scenario == "limit" and spoilt == "queue":
            trial.columns(end_ns=trial.samples["end_ns"] + 1_500 * MS)
        elif trial.planned.scenario == "limit":
            trial.intervals[5]["counts"]["received"] -= 1
            trial.intervals[-5]["counts"]["received"] -= 1
    assert spoken(judge(run))["generator-ceiling"].evidence["ceiling"] is None


def test_a_ceiling_that_nobody_looked_for(judge: Judge) -> None:
    scenario = crowd_scenario(ceiling={"scenario": "limit", "metric": "delivery.rate"})
    finding = spoken(judge(crowd_run({"swift": Client()}, scenario=scenario)))["generator-ceiling"]
    assert finding.evidence["ceiling"] is None
    assert finding.verdict is Verdict.VALID


@pytest.mark.parametrize(("share", "verdicts"), [(0.4, []), (0.6, [Verdict.WARN])])
def test_messages_that_are_held_back_to_leave_together(
    crowd: SyntheticRun, judge: Judge, share: float, verdicts: list[Verdict]
) -> None:
    lines = [line for trial in crowd.trials for line in trial.intervals]
    counts = [line["counts"] for line in lines if line["operation"] == "delivery"]
    assert counts
    for of in counts:
        of["held"] = round(share * of["received"])
    found = spoken(judge(crowd))
    assert [one.verdict for gate, one in found.items() if gate == "held-back"] == verdicts


@pytest.mark.parametrize(
    ("count", "gate", "verdict"),
    [
        ("duplicates", "duplicated", Verdict.INVALID),
        ("reordered", "reordered", Verdict.WARN),
        ("wrong", "wrong-answer", Verdict.INVALID),
    ],
)
def test_one_delivery_that_should_not_have_been(
    crowd: SyntheticRun, judge: Judge, count: str, gate: str, verdict: Verdict
) -> None:
    crowd.trials[0].intervals[-1]["counts"][count] = 1
    cell = judge(crowd)
    finding = spoken(cell)[gate]
    assert finding.verdict is verdict
    assert finding.trials == [crowd.trials[0].planned.id]
    assert (cell.metrics["delivery.rate"].value is None) is (gate == "wrong-answer")


def test_a_server_that_stands_still_for_a_moment(crowd: SyntheticRun, judge: Judge) -> None:
    def pause(trial: Trial) -> None:
        begin = trial.record["tick0_ns"] + 18 * SECOND
        ends = trial.samples["end_ns"]
        held = (ends >= begin) & (ends < begin + 400 * MS)
        trial.columns(end_ns=np.where(held, begin + 400 * MS, ends))

    finding = spoken(judge(spoil(crowd, pause)))["stood-still"]
    assert finding.verdict is Verdict.WARN
    evidence = next(iter(finding.evidence["trials"].values()))
    assert evidence["pauses"] == 1
    assert 400 <= evidence["longest_ms"] < 600

"""Trials with steps: cells of their own, exact counts, and resources of the right process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from synthetic import BOARD, Client, SyntheticRun, crowd_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell, Verdict

STEP_SECONDS, WINDOW = 12, 10


def cells_of(run: SyntheticRun, folder: Path) -> dict[str, Cell]:
    return {cell.id: cell for cell in analyse(run.write(folder / "run"))[0].cells}


@pytest.fixture
def run() -> SyntheticRun:
    return crowd_run({"swift": Client(), "slow": Client(median_ms=20.0)})


def test_a_trial_is_in_the_cell_of_each_step_and_of_the_whole(
    run: SyntheticRun, tmp_path: Path
) -> None:
    cells = cells_of(run, tmp_path)
    assert set(cells) == {
        f"demo/crowd/{part}{name}" for part in ("", "few/", "more/") for name in ("swift", "slow")
    }
    assert {cell.step for cell in cells.values()} == {"", "few", "more"}
    assert all(len(cell.trials) == 2 for cell in cells.values())


def test_a_step_counts_its_own_sends_after_settling(run: SyntheticRun, tmp_path: Path) -> None:
    cells = cells_of(run, tmp_path)
    few, more, whole = (cells[f"demo/crowd/{p}swift"] for p in ("few/", "more/", ""))
    assert few.metrics["rtt.rate"].value == 10
    assert more.metrics["rtt.rate"].value == 20
    assert few.metrics["delivery.rate"].value == 10 * (BOARD - 1)
    sends = 2 * (10 * WINDOW + 10 * 2 + 20 * WINDOW)
    assert whole.metrics["delivery.received.count"].value == sends * (BOARD - 1)
    assert whole.metrics["rtt.attainment"].value == 100


def test_joining_is_counted_while_others_settle(run: SyntheticRun, tmp_path: Path) -> None:
    cells = cells_of(run, tmp_path)
    for part in ("few/", "more/"):
        cell = cells[f"demo/crowd/{part}swift"]
        assert cell.metrics["connect.attainment"].value == 100
        assert cell.statuses["connect"] == {"ok": 20}
    assert cells["demo/crowd/swift"].statuses["connect"] == {"ok": 40}


def test_lateness_of_joining_is_no_drift(run: SyntheticRun, tmp_path: Path) -> None:
    for trial in run.of("swift"):
        late = trial.samples["op"] == 3
        trial.columns(
            start_ns=trial.samples["start_ns"] + late * 500_000_000,
            end_ns=trial.samples["end_ns"] + late * 500_000_000,
        )
    drift = cells_of(run, tmp_path)["demo/crowd/swift"].metrics["tick.drift.max"].value
    assert drift is not None
    assert drift < 100


def test_figures_of_counted_times_are_those_that_were_drawn(
    run: SyntheticRun, tmp_path: Path
) -> None:
    metrics = cells_of(run, tmp_path)["demo/crowd/more/swift"].metrics
    median = metrics["delivery.latency.p50"]
    assert median.value == pytest.approx(2.4, rel=0.1)
    assert median.interval is not None
    assert median.interval[0] <= median.value <= median.interval[1]
    response = metrics["delivery.response.p50"].value
    assert response is not None
    assert response == pytest.approx(median.value + 0.02, rel=0.01)
    assert metrics["delivery.traffic"].value == pytest.approx(20 * (BOARD - 1) * 130 / 1e6)
    busiest = metrics["delivery.traffic.max"]
    assert busiest.value == pytest.approx(max(value or 0.0 for value in busiest.per_trial))
    assert busiest.value >= metrics["delivery.traffic"].value


def test_the_server_is_whose_resources_count(run: SyntheticRun, tmp_path: Path) -> None:
    metrics = cells_of(run, tmp_path)["demo/crowd/more/swift"].metrics
    assert metrics["cpu.mean"].value == pytest.approx(5, rel=0.2)
    assert metrics["client.cpu.mean"].value == pytest.approx(3, rel=0.2)
    cpu = metrics["cpu.mean"].value
    assert cpu is not None
    per_cpu = metrics["delivery.per.cpu"].value
    assert per_cpu == pytest.approx(20 * (BOARD - 1) / (cpu / 100), rel=0.01)
    assert "broker.cpu.mean" not in metrics
    assert metrics["total.cpu.mean"].value == pytest.approx(cpu)


def test_what_stands_beside_the_server_is_counted_apart_and_together(
    run: SyntheticRun, tmp_path: Path
) -> None:
    for trial in run.of("swift"):
        trial.record["roles"]["broker"] = {"role": "broker", "command": ["b"], "cpus": [0]}
        trial.probe["broker"] = {n: rows.copy() for n, rows in trial.probe["server"].items()}
    metrics = cells_of(run, tmp_path)["demo/crowd/more/swift"].metrics
    own, beside = metrics["cpu.mean"].value, metrics["broker.cpu.mean"].value
    assert own is not None
    assert own == beside
    assert metrics["total.cpu.mean"].value == pytest.approx(2 * own)
    per_cpu = metrics["delivery.per.cpu"].value
    assert per_cpu == pytest.approx(20 * (BOARD - 1) / (2 * own / 100), rel=0.01)


def test_loss_is_exact_and_belongs_to_its_step(run: SyntheticRun, tmp_path: Path) -> None:
    for trial in run.of("swift"):
        line = next(line for line in trial.intervals if line["second"] == STEP_SECONDS + 5)
        line["counts"]["received"] -= 3
        line["counts"]["expected"] += 0
        del line["service"], line["response"]
    cells = cells_of(run, tmp_path)
    few, more = cells["demo/crowd/few/swift"], cells["demo/crowd/more/swift"]
    assert few.metrics["delivery.loss.count"].value == 0
    assert more.metrics["delivery.loss.count"].value == 6
    sent = 2 * 20 * WINDOW * (BOARD - 1)
    assert more.metrics["delivery.loss.ratio"].value == pytest.approx(100 * 6 / sent)
    assert more.statuses["delivery"] == {"ok": sent - 6, "lost": 6}
    assert few.verdict is not Verdict.INVALID
    assert more.verdict is Verdict.INVALID
    (finding,) = [f for f in more.findings if f.gate == "loss-or-error"]
    assert finding.evidence["operations"]["delivery"]["lost"] == 6


def test_a_step_is_ranked_by_itself_and_a_yardstick_never(
    run: SyntheticRun, tmp_path: Path
) -> None:
    cells = cells_of(run, tmp_path / "a")
    for part in ("few/", "more/", ""):
        assert cells[f"demo/crowd/{part}swift"].ranks["rtt.response.p50"] == 1
        assert cells[f"demo/crowd/{part}slow"].ranks["rtt.response.p50"] == 2
    participant = run.run.participants["swift"]
    manifest = participant.manifest.model_copy(update={"reference": True})
    run.run.participants["swift"] = participant.model_copy(update={"manifest": manifest})
    assert all(not cell.ranks for cell in cells_of(run, tmp_path / "b").values())


def test_another_generators_cells_are_not_ranked_with_ours(
    run: SyntheticRun, tmp_path: Path
) -> None:
    for trial in run.of("slow"):
        trial.planned = trial.planned.model_copy(update={"generator": "other"})
    plan = {trial.planned.id: trial.planned for trial in run.trials}
    run.run = run.run.model_copy(update={"plan": [plan[t.id] for t in run.run.plan]})
    for trial in run.of("slow"):
        # It keeps a schedule of its own.
        sends = trial.samples["op"] == 1
        trial.columns(intended_ns=trial.samples["intended_ns"] + sends * 7)
    cells = cells_of(run, tmp_path)
    other = cells["demo/crowd/more/slow@other"]
    assert "clock" not in {finding.gate for finding in other.findings}
    assert other.metrics["rtt.miss.count"].value == 0
    assert all(not cell.ranks for cell in cells.values())


def test_figures_stay_the_same_when_lines_are_written_in_parts(
    run: SyntheticRun, tmp_path: Path
) -> None:
    before = cells_of(run, tmp_path / "a")["demo/crowd/more/swift"].metrics
    for trial in run.of("swift"):
        late = [
            {**line, "counts": {"received": 2}, "service": "", "response": ""}
            for line in trial.intervals
        ]
        for line in trial.intervals:
            line["counts"]["received"] -= 2
        order = np.random.default_rng(3).permutation(len(trial.intervals))
        trial.intervals = [trial.intervals[at] for at in order] + late
    after = cells_of(run, tmp_path / "b")["demo/crowd/more/swift"].metrics
    for name in ("delivery.received.count", "delivery.loss.count", "delivery.latency.p50"):
        assert after[name].value == before[name].value

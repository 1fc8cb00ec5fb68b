"""The parts of ``wl bench truth`` that compare contenders within the blocks of real runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_truth_simulated import MADE

from cli.command_lines import said
from synthetic import Client, load_run
from wirelab.bench.truth import PARTS, agreement
from wirelab.bench.truth.rows import Entry, PartFile, Value, write
from wirelab.bench.truth.runs import AskedRun
from wirelab.cells.analysis import analyse
from wirelab.samples.run_folder import RunFolder

Row = dict[str, Value]


def told(part: str, rows: list[Row]) -> list[str]:
    return PARTS[part].table([Entry(piece="x", made=MADE, rows=rows)])


# ------------------------------------------------------------------------------- power


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_two_servers_meet_in_the_blocks_of_a_run(tmp_path: Path) -> None:
    scatter: Row = {"way": "wait", "host": "quiet", "what": "scatter", "scatter": 0.03, "needed": 7}
    made = MADE.model_copy(update={"profile": "smoke"})
    entry = Entry(piece="wait quiet scatter", made=made, rows=[scatter])
    write(tmp_path, PartFile(part="power", entries=[entry]))
    words = ("power", "--profile", "smoke", "--resume", "--out", str(tmp_path))
    ended = said("bench", "truth", *words, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    written = json.loads((tmp_path / "truth" / "power.json").read_text())
    assert [one["piece"] for one in written["entries"]] == [
        "wait quiet scatter",
        "wait quiet run 1",
    ]
    (row,) = written["entries"][1]["rows"]
    assert (row["way"], row["run"], row["too_long"]) == ("wait", 1, False)
    assert {"ratio", "apart", "without_1", "slower"} <= row.keys()
    (run,) = tmp_path.glob("results/truth-power/*/*/run.json")
    plan = RunFolder(run.parent).read_run().plan
    assert {(trial.block, trial.contender) for trial in plan} == {
        (block, name) for block in range(2) for name in ("wait", "wait-slower")
    }


def run_row(number: int, slower: bool, without_1: bool) -> Row:
    return {
        **{"way": "work", "host": "quiet", "what": "run", "run": number, "too_long": False},
        **{"slower": slower, "without_1": without_1},
    }


def test_a_difference_is_found_where_ranks_and_interval_say_so() -> None:
    scatter: Row = {
        **{"way": "work", "host": "quiet", "what": "scatter", "scatter": 0.04},
        **{"needed": 10, "slower_by": 0.049},
    }
    found = [run_row(number, True, True) for number in range(7)]
    missed = [run_row(7, True, False), run_row(8, False, True), run_row(9, False, False)]
    line = told("power", [scatter, *found, *missed])[-1]
    assert line == "| work | quiet | 4.0 % | +4.9 % | 10 | 1.8 | 10 | 7 | no |"
    line = told("power", [scatter, *found, run_row(7, True, True), *missed[1:]])[-1]
    assert line.endswith("| 10 | 8 | yes |")
    assert told("power", [scatter, *found])[-1].endswith("| 7 | 7 | 7 of 10 runs |")


def test_a_scatter_that_asks_for_too_long_runs_is_said() -> None:
    scatter: Row = {
        **{"way": "wait", "host": "neighbour", "what": "scatter", "scatter": 0.2},
        **{"needed": 180, "slower_by": 0.05},
    }
    too_long: Row = {"way": "wait", "host": "neighbour", "what": "run", "too_long": True}
    line = told("power", [scatter, too_long])[-1]
    assert line.endswith("| 0 | 0 | s = 20.0 % asks for more than 15 min |")


# --------------------------------------------------------------------------------- A/A


@pytest.mark.parametrize(
    ("apart", "outside", "verdict"),
    [(5, 0, "yes"), (0, 5, "yes"), (5, 5, "yes"), (6, 0, "no"), (0, 6, "no")],
)
def test_equal_contenders_may_be_told_apart_in_five_of_forty_runs(
    apart: int, outside: int, verdict: str
) -> None:
    rows: list[Row] = [
        {"host": "quiet", "ratio": 1.0, "apart": number < apart, "without_1": number < outside}
        for number in range(40)
    ]
    assert told("alike", rows)[-1] == f"| quiet | 40 | 40 | {apart} | {outside} | {verdict} |"
    without: Row = {"host": "quiet", "ratio": None, "apart": None, "without_1": None}
    assert told("alike", [*rows[1:], without])[-1].endswith("| 39 of 40 runs |")


# --------------------------------------------------------------------------- agreement


def test_quiet_and_disturbed_blocks_are_analysed_apart(tmp_path: Path) -> None:
    swift, slow = (Client(median_ms=ms, spread=0.1, trial_spread=0.001) for ms in (40.0, 60.0))
    run = load_run({"swift": swift, "slow": slow}, trials=4, count=400)
    folder = run.write(tmp_path / "run")
    parts = {}
    for name, odd in (("quiet", False), ("neighbour", True)):
        part = agreement.of_blocks(folder, tmp_path / name, odd=odd)
        plan = RunFolder(part).read_run().plan
        assert len(plan) >= 4
        assert {trial.block % 2 for trial in plan} == {int(odd)}
        parts[name], _ = analyse(part)
    rows = agreement.rows_of("synthetic", parts["quiet"], parts["neighbour"])
    by_contender = {str(row["contender"]): row for row in rows}
    assert set(by_contender) == {"swift", "slow"}
    for name, true in (("swift", 40.0), ("slow", 60.0)):
        row: dict[str, Any] = by_contender[name]
        assert row["quiet"] == pytest.approx(true, rel=0.1)
        assert row["ratio"] == pytest.approx(row["quiet"] / row["neighbour"])
    lines = told("agreement", rows)
    assert lines[0].startswith("**synthetic**: of 2 cells with a figure quiet 2 have one")


def test_what_makes_up_for_lost_trials_is_in_neither_half(tmp_path: Path) -> None:
    run = load_run({"swift": Client()}, trials=4, count=50, warmup=10)
    lost, further = run.run.plan[1], run.trials[-1]
    further.planned = further.planned.model_copy(update={"repeats": lost.id})
    plan = [*run.run.plan[:-1], further.planned]
    run.run = run.run.model_copy(update={"plan": plan})
    folder = run.write(tmp_path / "run")
    halves = [
        RunFolder(agreement.of_blocks(folder, tmp_path / str(odd), odd=odd)).read_run().plan
        for odd in (False, True)
    ]
    assert sorted(trial.id for half in halves for trial in half) == sorted(
        trial.id for trial in plan[:-1]
    )


def test_blocks_beside_the_neighbour_are_not_made_up_for(tmp_path: Path) -> None:
    asked = AskedRun("s7", [], "smoke", 1, trials=12, suite="opcua", makes_up=False)
    words = asked.arguments(tmp_path, tmp_path)
    assert words[words.index("--make-up") + 1] == "0"
    assert "--make-up" not in AskedRun("s7", [], "smoke", 1).arguments(tmp_path, tmp_path)


def test_the_time_of_a_piece_is_that_of_its_plan() -> None:
    minutes = {piece.name: piece.minutes for piece in PARTS["agreement"].pieces("publish")}
    # 12 trials of 5 s of each of ten clients, and 3 s to start and stop each.
    assert minutes["opcua"] == 12 * 10 * 8 / 60
    [few] = PARTS["agreement"].pieces("smoke")
    assert few.minutes == minutes["opcua"] / 6
    assert minutes["codec"] > 12 * 60 * 3 / 60


def test_agreement_is_judged_by_the_share_of_cells() -> None:
    row: Row = {"suite": "s", "scenario": "main", "variant": "", "step": "", "contender": "c"}
    row |= {"figure": "read.latency.p50", "unit": "ms", "why": ""}
    near: Row = {**row, "quiet": 1.0, "neighbour": 1.1, "ratio": 1 / 1.1}
    far: Row = {**row, "quiet": 1.0, "neighbour": 1.3, "ratio": 1 / 1.3}
    none: Row = {**row, "quiet": 1.0, "neighbour": None, "ratio": None, "why": "host-disturbed"}
    lines = told("agreement", [*[near] * 8, far, none])
    assert (
        "10 cells with a figure quiet 9 have one beside the neighbour (90.0 %, at least" in lines[0]
    )
    assert "of these 8 are within 15 % (88.9 %, below 90.0 %)" in lines[0]
    assert [line.split(" | ")[-1] for line in lines[-2:]] == ["no |", "host-disturbed |"]

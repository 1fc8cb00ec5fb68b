"""Whole run folders: interrupted, failed, of several contenders, and what charts get."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from cli.command_lines import said
from synthetic import Client, Trial, load_run, load_scenario
from wirelab.cells import analysis
from wirelab.cells.analysis import Analysis, analyse
from wirelab.cells.cell_figures import Figures, figures_of
from wirelab.cells.recorded import RecordedTrial
from wirelab.model.result import Result, Series, Verdict
from wirelab.model.run import Run
from wirelab.samples.run_folder import NoSuchRunError


def test_what_is_written_is_what_is_returned(tmp_path: Path) -> None:
    folder = load_run({"swift": Client()}).write(tmp_path)
    result, series = analyse(folder)
    assert Result.model_validate_json((folder / "result.json").read_bytes()) == result
    assert Series.model_validate_json((folder / "series.json").read_bytes()) == series
    assert not list(folder.glob("*.partial"))


def test_every_figure_is_in_a_table_with_its_trials(tmp_path: Path) -> None:
    clients = {"swift": Client(), "slow": Client(median_ms=9)}
    folder = load_run(clients).write(tmp_path)
    ended = said("analyse", str(folder), cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    result = Result.model_validate_json((folder / "result.json").read_bytes())
    with (folder / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(len(cell.metrics) for cell in result.cells) > 40
    (row,) = (
        one for one in rows if (one["contender"], one["metric"]) == ("slow", "read.latency.p50")
    )
    (cell,) = (one for one in result.cells if one.contender == "slow")
    figure = cell.metrics["read.latency.p50"]
    assert (float(row["value"]), row["unit"], row["n"]) == (figure.value, "ms", str(figure.n))
    assert len(cell.trials) == 2
    assert [row["trial T1"], row["trial T2"]] == cell.trials
    assert [float(row["T1"]), float(row["T2"])] == figure.per_trial


def test_an_interrupted_run_keeps_what_it_has(tmp_path: Path) -> None:
    run = load_run({"swift": Client(), "slow": Client(median_ms=9)})
    folder = run.write(tmp_path)
    for trial in run.trials[3:]:
        shutil.rmtree(folder / "trials" / trial.planned.id)
    (folder / "trials" / run.trials[4].planned.id).mkdir()  # begun, without a record
    result, _ = analyse(folder)
    assert not result.complete
    assert len(result.cells) == 2
    for cell in result.cells:
        planned = {t.planned.id for t in run.of(cell.contender)}
        assert set(cell.trials) | set(cell.other_trials) == planned
        assert "not-run" in cell.other_trials.values()
        assert "session-warm-up" in cell.other_trials.values()
    having = [cell for cell in result.cells if cell.trials]
    assert having
    assert all(cell.metrics["read.latency.p50"].value for cell in having)
    assert all(cell.verdict is Verdict.INVALID for cell in result.cells if not cell.trials)


def test_a_finished_run_is_complete(tmp_path: Path) -> None:
    assert analyse(load_run({"swift": Client()}).write(tmp_path))[0].complete


def test_a_trial_that_was_interrupted_is_in_no_figure(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})
    run.trials[-1].record |= {"status": "interrupted", "reason": "interrupted"}
    result, _ = analyse(run.write(tmp_path))
    assert not result.complete
    assert result.cells[0].other_trials[run.trials[-1].planned.id] == "interrupted"
    assert len(result.cells[0].trials) == 1


def test_a_trial_that_failed_before_it_left_samples(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})
    failed = run.trial("swift")
    failed.record |= {
        "status": "failed",
        "reason": "never-ready",
        "detail": "60 s",
        "tick0_ns": None,
        "environment": None,
    }
    folder = run.write(tmp_path)
    (folder / "trials" / failed.planned.id / "client.parquet").unlink()
    result, _ = analyse(folder)
    assert result.complete
    assert result.cells[0].other_trials[failed.planned.id] == "never-ready: 60 s"


def test_a_half_written_line_of_events_is_passed_over(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})
    folder = run.write(tmp_path)
    events = folder / "trials" / run.trial("swift").planned.id / "client.events.jsonl"
    events.write_bytes(events.read_bytes()[:-200] + b'{"received_ns": 1, "event": {"event": "runt')
    assert analyse(folder)[0].cells[0].metrics["gc.count"].value


def test_reruns_are_counted(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})
    last = run.trials[-1]
    rerun = last.planned.model_copy(update={"rerun": True})
    run.run = run.run.model_copy(update={"plan": [*run.run.plan[:-1], rerun]})
    run.trials[-1].planned = rerun
    cell = analyse(run.write(tmp_path))[0].cells[0]
    assert cell.reruns == 1
    assert len(cell.trials) == 2


def test_no_run_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRunError, match=r"run\.json"):
        analyse(tmp_path)


def test_curves_go_as_deep_as_samples_allow(tmp_path: Path) -> None:
    _, series = analyse(load_run({"swift": Client()}).write(tmp_path))
    (drawn,) = series.cells.values()
    for curve in (*drawn.latency.values(), *drawn.response.values(), drawn.drift):
        assert curve is not None
        assert curve.percentiles[0] == 0
        assert curve.percentiles[-1] == 100
        assert curve.percentiles == sorted(set(curve.percentiles))
        assert curve.values == sorted(curve.values)
    assert 99 < drawn.latency["read"].percentiles[-2] < 99.9
    assert 90 < drawn.latency["write"].percentiles[-2] < 95
    assert {50.0, 95.0, 99.0} <= set(drawn.latency["read"].percentiles)


def test_lines_show_every_second_and_the_warm_up(tmp_path: Path) -> None:
    run = load_run({"swift": Client(rss_mb=60)})
    trial = run.trial("swift")
    gap = (trial.samples["intended_ns"] - trial.record["tick0_ns"]) // 10**9 == 20
    trial.drop(gap)
    _, series = analyse(run.write(tmp_path))
    (drawn,) = series.cells.values()
    line = drawn.operations["read"][0]
    assert line.trial == trial.planned.id
    assert line.seconds == [float(second) for second in range(60)]
    assert line.values["p50"][20] is None
    assert line.values["max"][0] is not None
    assert all(
        p50 <= p95 <= most
        for p50, p95, most in zip(*(line.values[n] for n in ("p50", "p95", "max")), strict=True)
        if p50 is not None and p95 is not None and most is not None
    )
    assert set(drawn.resources) == {"client", "server"}
    assert set(drawn.resources["client"][0].values) == {"cpu", "rss", "heap"}
    assert set(drawn.resources["server"][0].values) == {"cpu", "rss"}


def test_long_trials_are_thinned_out(tmp_path: Path) -> None:
    scenario = load_scenario(load={"type": "paced", "period": "1s"})
    run = load_run({"swift": Client()}, scenario=scenario, trials=1, discard=0, count=2000)
    _, series = analyse(run.write(tmp_path))
    (drawn,) = series.cells.values()
    assert len(drawn.operations["read"][0].seconds) == 500
    assert drawn.operations["read"][0].seconds[1] == 4


def test_ten_trials_of_300_seconds_stay_small(tmp_path: Path) -> None:
    clients = {name: Client() for name in ("one", "two", "three")}
    folder = load_run(clients, trials=10, discard=0, count=3000).write(tmp_path)
    analyse(folder)
    assert (folder / "series.json").stat().st_size < 5_000_000
    assert (folder / "result.json").stat().st_size < 1_000_000


def test_contenders_are_ranked_and_ties_share_a_rank(tmp_path: Path) -> None:
    clients = {
        "quick": Client(median_ms=2.0, trial_spread=0.002),
        "quick-too": Client(median_ms=2.0, trial_spread=0.002),
        "slow": Client(median_ms=20.0, trial_spread=0.002),
    }
    result, _ = analyse(load_run(clients, trials=5).write(tmp_path))
    ranks = {cell.contender: cell.ranks["read.latency.p50"] for cell in result.cells}
    assert ranks == {"quick": 1, "quick-too": 1, "slow": 3}


def test_invalid_cells_and_other_modes_are_left_out(tmp_path: Path) -> None:
    clients = {
        "one": Client(median_ms=2.0),
        "two": Client(median_ms=9.0),
        "wrong": Client(median_ms=0.1),
        "cached": Client(median_ms=0.1, mode="cached"),
    }
    run = load_run(clients, trials=4)
    run.trial("wrong").record["wrong_answers"] = ["stale"]
    result, _ = analyse(run.write(tmp_path))
    ranks = {cell.contender: cell.ranks.get("read.latency.p50") for cell in result.cells}
    assert ranks == {"one": 1, "two": 2, "wrong": None, "cached": None}
    assert {cell.mode for cell in result.cells} == {"", "cached"}


def test_result_is_plain_json(tmp_path: Path) -> None:
    run = load_run({"swift": Client()})

    def odd(trial: Trial) -> None:
        trial.samples["status"][np.arange(100, 130)] = 1

    odd(run.trial("swift"))
    folder = run.write(tmp_path)
    analyse(folder)
    text = (folder / "result.json").read_text()
    assert "NaN" not in text
    assert "Infinity" not in text
    assert json.loads(text)["cells"][0]["id"] == "demo/main/swift"


def test_a_cell_is_measured_anew_only_where_a_trial_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def noted(trials: Sequence[RecordedTrial], run: Run) -> Figures:
        measured.append(trials[0].cell)
        return figures_of(trials, run)

    monkeypatch.setattr(analysis, "figures_of", noted)
    run = load_run({"swift": Client(), "slow": Client(median_ms=9)})
    last = run.trials.pop()
    kept = Analysis(run.write(tmp_path))
    kept.result()
    assert len(measured) == 2
    measured.clear()
    kept.result()
    assert measured == []
    run.trials.append(last)
    run.write(tmp_path)
    assert kept.result() == analyse(tmp_path)
    assert measured[0] == last.planned.cell
    assert len(measured) == 1 + 2  # and both of them by the analysis that knew nothing

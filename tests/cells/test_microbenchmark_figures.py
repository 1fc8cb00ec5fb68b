"""Batches become times of an iteration, with intervals over processes, ranked among their like."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthetic import Coder, SyntheticRun, loops_run
from synthetic.loops import OWN
from wirelab.cells.analysis import analyse
from wirelab.cells.estimate import UnknownMetricError
from wirelab.model.result import Cell, Verdict

QUICK, SLOW = {"encode": 100.0, "decode": 200.0}, {"encode": 300.0, "decode": 200.0}


def cells_of(run: SyntheticRun, folder: Path) -> dict[str, Cell]:
    return {cell.id: cell for cell in analyse(run.write(folder / "run"))[0].cells}


@pytest.fixture
def run() -> SyntheticRun:
    return loops_run(
        {
            "swift": Coder(QUICK),
            "slow": Coder(SLOW),
            "other": Coder(QUICK, language="C"),
            "views": Coder(QUICK, mode="borrowed"),
            "base": Coder({"copy": 20.0}, reference=True),
        }
    )


def test_a_step_has_the_time_of_an_iteration_with_its_interval(
    run: SyntheticRun, tmp_path: Path
) -> None:
    metric = cells_of(run, tmp_path)["demo/steady/small/swift"].metrics["encode.time"]
    assert metric.value == pytest.approx(100, rel=0.01)
    assert metric.interval is not None
    assert metric.interval[0] < metric.value < metric.interval[1]
    assert (metric.unit, metric.n, len(metric.per_trial)) == ("ns", 30, 5)


def test_allocations_warm_up_and_the_judges_figures_are_told(
    run: SyntheticRun, tmp_path: Path
) -> None:
    cell = cells_of(run, tmp_path)["demo/steady/small/swift"]
    assert cell.metrics["encode.allocated"].value == pytest.approx(64)
    assert cell.metrics["encode.warmup"].value == pytest.approx(0.03, rel=0.1)
    assert cell.metrics["encoded.size"].value == 42
    assert cell.remarks == {"golden": "equal"}


def test_turns_before_the_warm_up_are_warm_up_and_no_time(
    run: SyntheticRun, tmp_path: Path
) -> None:
    plain = cells_of(run, tmp_path)["demo/steady/small/swift"].metrics
    for trial in run.trials:
        first = {**trial.batches[0], "phase": "prewarm"}
        trial.batches.insert(0, first | {"end_ns": first["start_ns"] + 70_000_000})
    (tmp_path / "prewarmed").mkdir()
    metrics = cells_of(run, tmp_path / "prewarmed")["demo/steady/small/swift"].metrics
    operation = run.trial("swift").batches[0]["operation"]
    assert run.trial("swift").batches[0]["step"] == "small"
    spent = plain[f"{operation}.warmup"].value
    assert spent is not None
    assert metrics[f"{operation}.warmup"].value == pytest.approx(spent + 0.07)
    assert metrics[f"{operation}.time"].value == plain[f"{operation}.time"].value


def test_what_is_not_offered_says_so(run: SyntheticRun, tmp_path: Path) -> None:
    metric = cells_of(run, tmp_path)["demo/steady/small/swift"].metrics["copy.time"]
    assert metric.value is None
    assert metric.unsupported is not None
    assert metric.unsupported.code == "not-offered"


def test_resources_are_of_the_whole_process(run: SyntheticRun, tmp_path: Path) -> None:
    cells = cells_of(run, tmp_path)
    assert cells["demo/steady/swift"].metrics["rss.max"].value
    assert "encode.time" not in cells["demo/steady/swift"].metrics
    assert "rss.max" not in cells["demo/steady/small/swift"].metrics


def test_ranks_are_within_language_and_mode(run: SyntheticRun, tmp_path: Path) -> None:
    ranks = {n: cell.ranks for n, cell in cells_of(run, tmp_path).items() if "/small/" in n}
    assert ranks["demo/steady/small/swift"] == {"encode.time": 1, "decode.time": 1}
    assert ranks["demo/steady/small/slow"] == {"encode.time": 2, "decode.time": 1}
    for alone in ("other", "views", "base"):
        assert ranks[f"demo/steady/small/{alone}"] == {}


def test_a_wrong_shape_loses_its_figures_and_the_others_keep_theirs(
    run: SyntheticRun, tmp_path: Path
) -> None:
    wrong = run.trial("swift").record["judged"]["small"]
    wrong["wrong"] = ["decode 3: .u64 is 1, not 2"]
    cells = cells_of(run, tmp_path)
    small, large = (cells[f"demo/steady/{step}/swift"] for step in ("small", "large"))
    assert small.verdict is Verdict.INVALID
    assert small.metrics["encode.time"].value is None
    (finding,) = (f for f in small.findings if f.gate == "wrong-answer")
    assert finding.evidence["findings"] == wrong["wrong"]
    assert large.verdict is Verdict.VALID
    assert large.metrics["encode.time"].value


def test_one_trial_has_no_interval_and_everyone_ties(run: SyntheticRun, tmp_path: Path) -> None:
    run.trials = [trial for trial in run.trials if trial.planned.block == 0]
    run.run = run.run.model_copy(update={"plan": [t.planned for t in run.trials]})
    cells = cells_of(run, tmp_path)
    assert cells["demo/steady/small/swift"].metrics["encode.time"].interval is None
    assert cells["demo/steady/small/slow"].ranks["encode.time"] == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"key": "encoded.zstd"}, r"not in the catalogue of metrics: encoded\.size"),
        ({"unit": "MB"}, r"judged in another unit than declared: encoded\.size"),
    ],
)
def test_a_figure_of_the_judge_is_declared_in_its_unit(
    run: SyntheticRun, tmp_path: Path, change: dict[str, str], said: str
) -> None:
    own = OWN["encoded.size"].model_copy(update={"unit": change.get("unit", "B")})
    declared = {change.get("key", "encoded.size"): own}
    run.run = run.run.model_copy(update={"metrics": declared})
    with pytest.raises(UnknownMetricError, match=said):
        cells_of(run, tmp_path)


def test_a_run_older_than_the_declaration_keeps_its_figures(
    run: SyntheticRun, tmp_path: Path
) -> None:
    run.run = run.run.model_copy(update={"metrics": None})
    metric = cells_of(run, tmp_path)["demo/steady/small/swift"].metrics["encoded.size"]
    assert (metric.value, metric.unit) == (42, "B")


def test_the_declared_metrics_are_kept_in_the_result(run: SyntheticRun, tmp_path: Path) -> None:
    assert analyse(run.write(tmp_path / "run"))[0].metrics == OWN

"""The simulated parts of ``wl bench truth``, and the simulation that they rest on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.command_lines import said
from wirelab.bench.truth import PARTS, coverage
from wirelab.bench.truth.rows import Entry, RowOrigin
from wirelab.bench.truth.simulated import MS, SimulatedTrials
from wirelab.stats.survival import Distribution

MADE = RowOrigin(
    date="2026-01-01",
    commit="abc",
    wirelab="1",
    processor="one of them",
    virtualisation="",
    kernel="6",
    cores=2,
    profile="publish",
    seed=1,
    begun="2026-01-01T00:00:00+00:00",
    minutes=1,
)


def rows_of(part: str, folder: Path) -> list[dict[str, Any]]:
    """Rows that the command wrote, with little measured."""
    words = (part, "--profile", "smoke", "--seed", "5", "--out", str(folder))
    ended = said("bench", "truth", *words, cwd=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    written = json.loads((folder / "truth" / f"{part}.json").read_text())
    return [row for entry in written["entries"] for row in entry["rows"]]


def test_equal_contenders_are_simulated_quiet_and_beside_a_neighbour(tmp_path: Path) -> None:
    rows = rows_of("alike-simulated", tmp_path)
    assert [(row["distribution"], row["host"]) for row in rows] == [
        ("lognormal", "quiet"),
        ("lognormal", "neighbour"),
    ]
    assert all(row["runs"] == 10 for row in rows)
    assert (rows[0]["ranked"], rows[0]["compared"]) == (10, 10)
    assert 0 < rows[1]["compared"] <= 10
    assert all(row["ranked_apart"] <= row["ranked"] <= row["compared"] for row in rows)
    # Whoever repeats it from its seed finds the same.
    assert rows_of("alike-simulated", tmp_path) == rows


def test_intervals_are_simulated_by_trials_and_percentiles(tmp_path: Path) -> None:
    rows = rows_of("coverage", tmp_path)
    assert [(row["trials"], row["figure"]) for row in rows] == [
        (trials, figure) for trials in (2, 5, 10) for figure in ("p50", "p95", "p99")
    ]
    assert {row["runs"] for row in rows} == {3}
    assert all(row["with_interval"] == 3 for row in rows if row["figure"] != "p99")
    assert "| lognormal | 0 | quiet | 2 | p50 | 3 of 3 |" in (tmp_path / "truth.md").read_text()


def test_a_quiet_simulated_trial_has_the_percentiles_that_are_called_true() -> None:
    world = SimulatedTrials("lognormal", 60, 200, "quiet")
    drawn = world.trial(np.random.default_rng(1))
    assert (drawn.blocks, drawn.ended) == (60, None)
    found = Distribution.of(drawn.values)
    measured = [found.percentile(level).value / MS for level in (50.0, 95.0)]
    assert measured == pytest.approx(world.true_percentiles((50.0, 95.0)), rel=0.05)


def test_what_a_simulated_neighbour_disturbed_is_left_out_or_cut_off() -> None:
    world = SimulatedTrials("bimodal", 60, 200, "neighbour")
    drawn = world.trial(np.random.default_rng(1))
    assert drawn.ended is not None
    assert 0.2 < len(drawn.values) / (60 * 200) < 0.8
    assert 0 < np.count_nonzero(~drawn.ended) < 0.1 * len(drawn.values)
    found = Distribution.of(drawn.values, drawn.ended)
    measured = [found.percentile(level).value / MS for level in (50.0, 99.0)]
    assert measured == pytest.approx(world.true_percentiles((50.0, 99.0)), rel=0.1)


def test_cases_that_hold_the_truth_too_rarely_are_counted() -> None:
    row = {"distribution": "heavy", "correlation": 0.0, "host": "quiet", "figure": "p50"}
    shares = (0.95, 0.90, None)
    rows = [{**row, "trials": 2, "runs": 9, "with_interval": 9, "held": share} for share in shares]
    lines = PARTS["coverage"].table([Entry(piece="x", made=MADE, rows=rows)])
    assert lines[0] == "At least 93 % in 1 of 2 cases; the least is 90.0 %."
    assert [line.split(" | ")[-1] for line in lines[-3:]] == ["yes |", "no |", "never printed |"]
    assert coverage.PART.is_simulated

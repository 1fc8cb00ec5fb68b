"""Users who compete: how evenly they got what was sent, and what was sent again."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthetic import Client, SyntheticRun, closed_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Cell


@pytest.fixture
def closed_loop() -> SyntheticRun:
    return closed_run({"swift": Client()})


def last_cell(run: SyntheticRun, folder: Path) -> Cell:
    return analyse(run.write(folder / "run"))[0].cells[-1]


def counted(run: SyntheticRun, *by_user: int) -> None:
    """Add counts of each user to the last second of every trial."""
    for trial in run.trials:
        line = trial.intervals[-1]
        line["counts"] |= {f"user.{user}": count for user, count in enumerate(by_user)}
        line["counts"]["redelivered"] = 3


@pytest.mark.parametrize(
    ("by_user", "expected"),
    [((10, 10, 10, 10), 1.0), ((40, 0, 0, 0), 0.25), ((20, 20, 0, 0), 0.5), ((0, 0), None)],
)
def test_evenness_is_one_where_all_got_as_many(
    closed_loop: SyntheticRun, tmp_path: Path, by_user: tuple[int, ...], expected: float | None
) -> None:
    counted(closed_loop, *by_user)
    cell = last_cell(closed_loop, tmp_path)
    (name,) = (metric for metric in cell.metrics if metric.endswith(".evenness"))
    assert cell.metrics[name].value == (None if expected is None else pytest.approx(expected))
    again = cell.metrics[name.replace("evenness", "redelivered.count")]
    assert again.value == 3 * len(closed_loop.trials)


def test_where_everybody_gets_everything_nothing_is_told_of_it(
    closed_loop: SyntheticRun, tmp_path: Path
) -> None:
    names = last_cell(closed_loop, tmp_path).metrics
    assert any(name.endswith(".received.count") for name in names)
    assert not any(name.endswith((".evenness", ".redelivered.count")) for name in names)

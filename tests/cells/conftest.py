"""Results of synthetic runs, as the command line makes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command_lines import said
from synthetic import SyntheticRun
from wirelab.model.result import Result
from wirelab.samples.run_folder import read_result

ResultOf = Callable[[SyntheticRun], Result]


@pytest.fixture
def result_of(tmp_path: Path) -> ResultOf:
    """Writes a run to ``run-0``, ``run-1`` and so on, and analyses it."""
    return _results_below(tmp_path)


@pytest.fixture(scope="module")
def shared_result_of(tmp_path_factory: pytest.TempPathFactory) -> ResultOf:
    """The same for runs that several tests look at."""
    return _results_below(tmp_path_factory.mktemp("shared"))


def _results_below(parent: Path) -> ResultOf:
    numbers = iter(range(100))

    def of(run: SyntheticRun) -> Result:
        folder = run.write(parent / f"run-{next(numbers)}")
        ended = said("analyse", str(folder), cwd=parent)
        assert ended.returncode == 0, ended.stderr
        return read_result(folder)

    return of

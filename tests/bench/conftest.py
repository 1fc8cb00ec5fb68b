"""One smoke run of the miniature suite, through the core, for all tests that look at it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from wirelab.bench.trials import MeasuredSuite, measure_suite

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's sources with builds of its own."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("sdk", "bench"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture(scope="session")
def measured(repository: Path) -> MeasuredSuite:
    return measure_suite(
        ["recorder", "probe", "ticks"],
        profile="smoke",
        seed=1,
        repository=repository,
        results=repository / "results",
        console=Console(file=io.StringIO()),
    )

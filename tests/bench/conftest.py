"""One smoke run of the miniature suite, through the core, for all tests that look at it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from wirelab.bench import engine
from wirelab.bench.figure import BenchError
from wirelab.bench.trials import MeasuredSuite, measure_suite
from wirelab.build.permission import if_allowed

ROOT = Path(__file__).parents[2]

_OF_EVERY_LANGUAGE = {"measured", "generators", "echoes"}
"""Fixtures that run workers in Java, in Rust, or built with k6."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what runs such workers to all tests."""
    for item in items:
        if _OF_EVERY_LANGUAGE.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("left_to_all")


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
        ["recorder", "batches", "probe", "ticks"],
        profile="smoke",
        seed=1,
        repository=repository,
        results=repository / "results",
        may_install=if_allowed,
        console=Console(file=io.StringIO()),
    )


@pytest.fixture(scope="session")
def generators(tmp_path_factory: pytest.TempPathFactory) -> MeasuredSuite:
    """The load generators' scenarios. Builds are the repository's: the engine takes minutes."""
    try:
        return measure_suite(
            engine.SCENARIOS,
            profile="smoke",
            seed=1,
            repository=ROOT,
            results=tmp_path_factory.mktemp("results"),
            may_install=if_allowed,
            console=Console(file=io.StringIO()),
        )
    except BenchError as missing:
        pytest.skip(str(missing))

"""The house of the end-to-end tests, for live metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.conftest import SuiteRepository


@pytest.fixture
def house(tmp_path: Path) -> SuiteRepository:
    return SuiteRepository(tmp_path)


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> SuiteRepository:
    return SuiteRepository(tmp_path_factory.mktemp("house"))

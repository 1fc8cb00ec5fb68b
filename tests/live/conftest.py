"""The house of the end-to-end tests, for live metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.conftest import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))

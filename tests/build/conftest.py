from __future__ import annotations

from pathlib import Path

import pytest
from build_parts import Sources

from wirelab.build import PartBuilds, tools
from wirelab.build.permission import ALLOWED


@pytest.fixture(autouse=True)
def _nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests never install packages on the machine they run on, also not as root."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.delenv(ALLOWED, raising=False)
    tools.ask_again()


@pytest.fixture(autouse=True)
def _a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the builds of tests apart from the user's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path / "repository")


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def workshop(sources: Sources, said: list[str]) -> PartBuilds:
    return PartBuilds(sources.root, said.append)

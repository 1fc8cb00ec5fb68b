"""Python sources that are compiled before the first trial, and those that are not."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from wirelab.build import Built
from wirelab.run.compiled import compile_sources


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "worker.py").write_text("print('at work')\n")
    return folder


def compiled(sources: Path) -> list[str]:
    """Modules that have been compiled of a contender with these sources."""
    built = SimpleNamespace(
        variables={"PYTHONPATH": str(sources)},
        places={"python": sys.executable},
        part=SimpleNamespace(source=sources),
        output=sources.parent / "builds" / "output",
    )
    compile_sources([cast(Built, built)])
    return sorted(file.name.partition(".")[0] for file in sources.rglob("*.pyc"))


def test_what_a_contender_imports_is_compiled(sources: Path) -> None:
    (sources / "package").mkdir()
    (sources / "package" / "inner.py").touch()
    assert compiled(sources) == ["inner", "worker"]


def test_nobody_waits_for_a_pipe_in_the_place_of_what_was_compiled(sources: Path) -> None:
    kept = sources / "__pycache__"
    kept.mkdir()
    os.mkfifo(kept / f"worker.{sys.implementation.cache_tag}.pyc")
    assert compiled(sources) == ["worker"]  # the pipe


def test_a_file_of_the_users_is_not_compiled_for_others_to_read(sources: Path) -> None:
    (sources.parent / "secret.py").write_text("KEY = 1\n")
    (sources / "mine.py").symlink_to(sources.parent / "secret.py")
    assert compiled(sources) == []


def test_nothing_is_written_where_a_link_leads(sources: Path) -> None:
    elsewhere = sources.parent / "elsewhere"
    elsewhere.mkdir()
    (sources / "__pycache__").symlink_to(elsewhere)
    assert compiled(sources) == []
    assert list(elsewhere.iterdir()) == []


def test_a_source_that_would_take_the_memory_of_the_machine_is_left_alone(sources: Path) -> None:
    (sources / "large.py").write_text("a = []\n" * 2_000_000)
    assert compiled(sources) == ["worker"]


def test_nothing_is_imported_from_where_the_user_stands(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runpy.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    assert compiled(sources) == ["worker"]
    assert not (tmp_path / "ran").exists()

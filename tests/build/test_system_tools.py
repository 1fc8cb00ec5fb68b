"""Tools of the system are asked for their version once, until one of them is another."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wirelab import cache
from wirelab.build import system_tools, tools

Install = Callable[..., Path]


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A file with a letter for each time that a program was asked."""
    file = tmp_path / "asked"
    file.touch()
    return file


@pytest.fixture
def install(tmp_path: Path, asked: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a program of a version on PATH, in place of an earlier one."""
    folder = tmp_path / "usr" / "bin"
    folder.mkdir(parents=True)
    monkeypatch.setattr(system_tools, "OF_THE_SYSTEM", f"{tmp_path}/usr/")
    monkeypatch.setattr(system_tools, "OF_ITS_USERS", f"{tmp_path}/usr/local/")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def put(name: str, version: str, where: Path = folder) -> Path:
        where.mkdir(parents=True, exist_ok=True)
        new = where / f"{name}.dpkg-new"
        new.write_text(f"#!/bin/sh\nprintf x >> {asked}\necho {name} {version}\n")
        new.chmod(0o755)
        return new.replace(where / name)

    yield put
    tools.ask_again()


def found(tool: tools.Tool) -> str:
    """The version that another process finds."""
    tools.ask_again()
    known = tool.find()
    return known.version if known else ""


def test_a_second_process_does_not_ask_again(install: Install, asked: Path) -> None:
    install("javac", "17.0.1")
    assert [found(tools.JAVAC) for _ in range(3)] == ["17.0.1"] * 3
    assert asked.read_text() == "x"


def test_a_tool_that_was_replaced_is_asked(install: Install, asked: Path) -> None:
    before = install("javac", "17.0.1").stat()
    assert found(tools.JAVAC) == "17.0.1"
    after = install("javac", "17.0.2")
    os.utime(after, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert after.stat().st_size == before.st_size
    assert found(tools.JAVAC) == "17.0.2"
    assert asked.read_text() == "xx"


def test_another_tool_may_be_what_it_needs(install: Install, asked: Path) -> None:
    install("mvn", "3.8.7")
    java = install("java", "17.0.1")
    assert found(tools.MAVEN) == "3.8.7"
    java.unlink()
    assert found(tools.MAVEN) == "3.8.7"
    assert asked.read_text() == "xx"


def test_another_environment_may_give_another_answer(
    install: Install, asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("javac", "17.0.1")
    for number, home in enumerate(("/one", "/two", "/one")):
        monkeypatch.setenv("HOME", home)
        monkeypatch.setenv("WIRELAB_ROOT", f"/root-{number}")  # read by no tool
        assert found(tools.JAVAC) == "17.0.1"
    assert asked.read_text() == "xx"


def test_what_users_install_is_asked_every_time(
    install: Install, asked: Path, tmp_path: Path
) -> None:
    install("javac", "17.0.1", tmp_path / "usr" / "local" / "bin")
    install("mvn", "3.8.7", tmp_path / "home" / "shims")
    for name, place in (("javac", "usr/local/bin"), ("mvn", "home/shims")):
        (tmp_path / "usr" / "bin" / name).symlink_to(tmp_path / place / name)
    assert {found(tools.JAVAC) for _ in range(2)} == {"17.0.1"}
    assert {found(tools.MAVEN) for _ in range(2)} == {"3.8.7"}
    assert asked.read_text() == "xxxx"


def test_one_that_does_not_work_is_asked_again(install: Install) -> None:
    javac = install("javac", "17.0.1")
    working = javac.read_text()
    javac.write_text("#!/bin/sh\nexit 1\n")
    assert found(tools.JAVAC) == ""
    javac.write_text(working)
    assert found(tools.JAVAC) == "17.0.1"


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": {"b": 1}}', "{"])
def test_a_cache_that_cannot_be_read_is_none(install: Install, asked: Path, content: str) -> None:
    install("javac", "17.0.1")
    (cache.home()).mkdir(parents=True)
    (cache.home() / "tools.json").write_text(content)
    assert [found(tools.JAVAC) for _ in range(2)] == ["17.0.1"] * 2
    assert asked.read_text() == "x"
    assert json.loads((cache.home() / "tools.json").read_text())


def test_a_cache_that_cannot_be_written_is_none(install: Install, asked: Path) -> None:
    install("javac", "17.0.1")
    shutil.rmtree(cache.home(), ignore_errors=True)
    cache.home().parent.mkdir(parents=True, exist_ok=True)
    cache.home().touch()
    assert [found(tools.JAVAC) for _ in range(2)] == ["17.0.1"] * 2
    assert asked.read_text() == "xx"

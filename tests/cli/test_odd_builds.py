"""Builds that are cut short leave nothing that works on, and odd sources are told, not read."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from cli.command_lines import WL, environment, said
from cli.hostile_packages import with_argument

SABOTAGE = Path(__file__).parents[1] / "sabotage"
ENDLESS = """\
cmake_minimum_required(VERSION 3.18)
project(endless C)
execute_process(COMMAND sleep {seconds})
"""
LIBRARY = """\
library = "{name}"
version = "1"
licence = "MIT"
build = {{ kind = "none", needs = ["{need}"] }}
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A repository with a suite of one contender."""
    for name, place in (("closed", "turns"), ("workers", "workers")):
        shutil.copytree(SABOTAGE / name, tmp_path / "suites" / place)
    (tmp_path / "sdk").symlink_to(SABOTAGE.parents[1] / "sdk")
    return tmp_path


def variables(room: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(room / "cache")}


def honest(room: Path) -> Path:
    return room / "suites/turns/contenders/honest"


def another(room: Path, name: str) -> Path:
    """The folder of one more contender, like the honest one."""
    folder = shutil.copytree(honest(room), honest(room).with_name(name))
    text = (folder / "contender.toml").read_text()
    (folder / "contender.toml").write_text(text.replace('"honest"', f'"{name}"', 1))
    return folder


def built(room: Path) -> subprocess.CompletedProcess[str]:
    asked = ("build", "turns", "--contender", "honest")
    return said(*asked, cwd=room, root=room, **variables(room))


def gone(pid: int) -> bool:
    """Whether a process ends soon; one that nobody has waited for has ended."""
    for _ in range(1000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.needs("cmake")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_build_that_is_ended_leaves_no_compiler(room: Path, number: signal.Signals) -> None:
    seconds = f"1000.{os.getpid()}"
    (honest(room) / "CMakeLists.txt").write_text(ENDLESS.format(seconds=seconds))
    manifest = honest(room) / "contender.toml"
    manifest.write_text(manifest.read_text().replace('kind = "none"', 'kind = "cmake"'))
    process = subprocess.Popen(
        [*WL, "build", "turns", "--contender", "honest"],
        cwd=room,
        env=environment(room) | variables(room),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not (compiling := with_argument(seconds)):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
        if number == signal.SIGTERM:
            assert process.returncode == 143
            assert told.splitlines()[-1] == "wl build: interrupted by SIGTERM"
        else:
            assert process.returncode == -number
    finally:
        process.kill()
        process.wait()
    assert all(map(gone, compiling))


def _listening(place: Path) -> None:
    """Make the file of a socket, by a short path."""
    with socket.socket(socket.AF_UNIX) as ours:
        short = Path(f"/proc/self/fd/{os.open(place.parent, os.O_RDONLY)}")
        ours.bind(str(short / place.name))


def test_what_is_no_file_or_too_large_is_told_and_not_read(room: Path) -> None:
    odd = {name: another(room, name) / "odd.c" for name in ("fifo", "socket", "sparse", "link")}
    os.mkfifo(odd["fifo"])
    _listening(odd["socket"])
    with odd["sparse"].open("wb") as sparse:
        sparse.truncate(10 << 30)
    odd["link"].symlink_to("/dev/zero")
    ended = said("build", "turns", cwd=room, root=room, **variables(room))
    assert ended.returncode == 1
    for name, told in (
        ("fifo", "is a FIFO; sources are files, folders and links"),
        ("socket", "is a socket; sources are files, folders and links"),
        ("sparse", "has 10737418240 bytes; a source has 256 MiB at most"),
    ):
        assert f"{odd[name]} {told}" in ended.stdout
    # A link that never ends is not followed.
    assert "contender link of turns: ready" in ended.stdout


def test_libraries_that_need_each_other_are_named(room: Path) -> None:
    for name, need in (("eggs", "hens"), ("hens", "eggs")):
        folder = room / "suites/turns/libraries" / name
        folder.mkdir(parents=True)
        (folder / "library.toml").write_text(LIBRARY.format(name=name, need=need))
    manifest = honest(room) / "contender.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace('kind = "none"', 'kind = "none"\nneeds = ["hens"]'))
    every = said("build", "turns", cwd=room, root=room, **variables(room))
    assert every.returncode == 2
    assert "libraries need each other: eggs needs hens needs eggs" in every.stderr
    one = built(room)
    assert one.returncode == 1
    assert "its library hens has a manifest that cannot be read" in one.stdout


def test_a_library_that_needs_what_is_not_there_is_told(room: Path) -> None:
    folder = room / "suites/turns/libraries/eggs"
    folder.mkdir(parents=True)
    (folder / "library.toml").write_text(LIBRARY.format(name="eggs", need="geese"))
    every = said("build", "turns", cwd=room, root=room, **variables(room))
    assert every.returncode == 2
    assert 'no library "geese" in suite turns' in every.stderr


def test_sources_lie_with_their_suite(room: Path) -> None:
    sources = {"absolute": "/etc", "above": "../../../..", "away": "away"}
    for name, source in sources.items():
        folder = another(room, name)
        (folder / "away").symlink_to("/etc")
        manifest = folder / "contender.toml"
        text = manifest.read_text()
        manifest.write_text(text.replace("roles = ", f'source = "{source}"\nroles = ', 1))
    ended = said("build", "turns", cwd=room, root=room, **variables(room))
    assert ended.returncode == 2
    suite = room / "suites/turns"
    for source in sources.values():
        told = f'source: "{source}" leads out of {suite}: sources lie in that folder'
        assert told in ended.stderr


@pytest.mark.parametrize("part", ["service", "library", "contender elsewhere"])
def test_sources_of_other_parts_lie_with_them(room: Path, part: str) -> None:
    asked = ("build", "turns")
    if part == "service":
        manifest = room / "suites/turns/suite.toml"
        manifest.write_text(manifest.read_text().replace('source = "."', 'source = "/etc"', 1))
    elif part == "library":
        folder = room / "suites/turns/libraries/eggs"
        folder.mkdir(parents=True)
        text = 'library = "eggs"\nversion = "1"\nlicence = "MIT"\nsource = "/etc"\n'
        (folder / "library.toml").write_text(text + '[build]\nkind = "none"\n')
    else:
        folder = shutil.copytree(honest(room), room / "mine")
        text = (folder / "contender.toml").read_text()
        (folder / "contender.toml").write_text(
            text.replace("roles = ", 'source = ".."\nroles = ', 1).replace('"honest"', '"mine"', 1)
        )
        asked = (*asked, "--contender", f"{folder}/")
    ended = said(*asked, cwd=room, root=room, **variables(room))
    assert ended.returncode == 2
    assert "sources lie in that folder" in ended.stderr

"""Builds that are cut short leave nothing that works on, and odd sources are told, not read."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command_lines import WL, environment, piped
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


def built(room: Path) -> subprocess.CompletedProcess[str]:
    asked = ("build", "turns", "--contender", "honest")
    return piped(*asked, cwd=room, root=room, **variables(room))


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
        _, said = process.communicate(timeout=60)
        if number == signal.SIGTERM:
            assert process.returncode == 143
            assert said.splitlines()[-1] == "wl build: interrupted by SIGTERM"
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


@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "a FIFO"), (_listening, "a socket")])
def test_what_is_no_file_is_told_and_not_read(
    room: Path, make: Callable[[Path], None], kind: str
) -> None:
    odd = honest(room) / "odd.c"
    make(odd)
    ended = built(room)
    assert ended.returncode == 1
    assert f"{odd} is {kind}; sources are files, folders and links" in ended.stdout


def test_a_source_of_nothing_but_size_is_refused(room: Path) -> None:
    odd = honest(room) / "odd.c"
    with odd.open("wb") as sparse:
        sparse.truncate(10 << 30)
    ended = built(room)
    assert ended.returncode == 1
    assert f"{odd} has 10737418240 bytes; of sources, 256 MiB are the most" in ended.stdout


def test_a_link_that_never_ends_is_not_read(room: Path) -> None:
    (honest(room) / "endless.c").symlink_to("/dev/zero")
    assert built(room).returncode == 0


def test_libraries_that_need_each_other_are_named(room: Path) -> None:
    for name, need in (("eggs", "hens"), ("hens", "eggs")):
        folder = room / "suites/turns/libraries" / name
        folder.mkdir(parents=True)
        (folder / "library.toml").write_text(LIBRARY.format(name=name, need=need))
    manifest = honest(room) / "contender.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace('kind = "none"', 'kind = "none"\nneeds = ["hens"]'))
    every = piped("build", "turns", cwd=room, root=room, **variables(room))
    assert every.returncode == 2
    assert "libraries need each other: eggs needs hens needs eggs" in every.stderr
    one = built(room)
    assert one.returncode == 1
    assert "its library hens has a manifest that cannot be read" in one.stdout


def test_a_library_that_needs_what_is_not_there_is_told(room: Path) -> None:
    folder = room / "suites/turns/libraries/eggs"
    folder.mkdir(parents=True)
    (folder / "library.toml").write_text(LIBRARY.format(name="eggs", need="geese"))
    every = piped("build", "turns", cwd=room, root=room, **variables(room))
    assert every.returncode == 2
    assert 'no library "geese" in suite turns' in every.stderr


@pytest.mark.parametrize("source", ["/etc", "../../../..", "away"])
def test_sources_lie_with_their_suite(room: Path, source: str) -> None:
    (honest(room) / "away").symlink_to("/etc")
    manifest = honest(room) / "contender.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace("roles = ", f'source = "{source}"\nroles = ', 1))
    ended = built(room)
    assert ended.returncode == 2
    suite = room / "suites/turns"
    assert f'source: "{source}" leads out of {suite}: sources lie in that folder' in ended.stderr


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
    ended = piped(*asked, cwd=room, root=room, **variables(room))
    assert ended.returncode == 2
    assert "sources lie in that folder" in ended.stderr

"""A run's folder is held by whoever carries the run out; what the dead left blocks nobody."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command_lines import said
from synthetic import Client, load_run
from wirelab.cells.analysis import analyse

HERE = socket.gethostname()
SINCE = "2026-01-02T03:04:05+00:00"
UNHELD = 'no suite "demo"'
"""Error of a resumed synthetic run that has the lock."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return load_run({"swift": Client()}).write(tmp_path / "20260102-030405-demo-full")


def left_by(folder: Path, pid: int, host: str) -> Path:
    """A lock file as its holder wrote it."""
    path = folder / "run.lock"
    path.write_text(json.dumps({"pid": pid, "host": host, "since": SINCE}))
    return path


def dead() -> int:
    """The id of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_a_run_that_is_held_is_not_resumed(folder: Path) -> None:
    path = left_by(folder, os.getpid(), HERE)
    with path.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        ended = said("run", "--resume", str(folder), cwd=folder)
    assert ended.returncode == 2
    assert f"is under way: process {os.getpid()} on {HERE} since {SINCE} carries" in ended.stderr
    assert json.loads(path.read_text())["pid"] == os.getpid()


def test_what_a_dead_process_left_blocks_nobody(folder: Path) -> None:
    path = left_by(folder, dead(), HERE)
    ended = said("run", "--resume", str(folder), cwd=folder)
    assert UNHELD in ended.stderr
    assert path.read_text() == ""


def test_another_machine_is_believed_until_its_lock_is_removed(folder: Path) -> None:
    path = left_by(folder, 17, "elsewhere")
    ended = said("run", "--resume", str(folder), cwd=folder)
    assert ended.returncode == 2
    assert f"was begun by process 17 on elsewhere since {SINCE}" in ended.stderr
    assert f"cannot be seen from {HERE}" in ended.stderr
    assert f"remove {path}" in ended.stderr
    path.unlink()
    assert UNHELD in said("run", "--resume", str(folder), cwd=folder).stderr


def test_a_lock_steers_no_terminal(folder: Path) -> None:
    analyse(folder)
    left_by(folder, 17, "\x1b]0;elsewhere\x07\u202e")
    for command in (("analyse",), ("run", "--resume")):
        ended = said(*command, str(folder), cwd=folder)
        assert r"process 17 on \x1b]0;elsewhere\x07\u202e since" in ended.stderr
        assert "\x1b" not in ended.stderr


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_lock_that_is_no_file_is_refused(folder: Path, kind: str) -> None:
    path, outside = folder / "run.lock", folder.parent / "mine"
    outside.write_text("mine")
    match kind:
        case "link":
            path.symlink_to(outside)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    ended = said("run", "--resume", str(folder), cwd=folder)
    assert ended.returncode == 2
    assert f"{path} cannot be held" in ended.stderr
    assert outside.read_text() == "mine"


def test_what_is_computed_meanwhile_is_said_to_be_of_a_part(folder: Path) -> None:
    analyse(folder)
    before = said("analyse", str(folder), cwd=folder)
    assert (before.returncode, before.stderr) == (0, "")
    left_by(folder, os.getpid(), HERE)
    ended = said("analyse", str(folder), cwd=folder)
    assert ended.returncode == 0
    assert f"is under way (process {os.getpid()} on {HERE} since {SINCE})" in ended.stderr

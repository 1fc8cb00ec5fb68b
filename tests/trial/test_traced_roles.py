"""Sync calls as strace writes them down, and roles below it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from wirelab.build import PartBuilds, Unavailable
from wirelab.build.tools import FoundTool, Tool
from wirelab.manifest import load_contender, load_suite
from wirelab.trial.failure import TrialError
from wirelab.trial.launch import Launch
from wirelab.trial.sync_calls import SyncCalls, counted

MESSAGING = Path(__file__).parents[2] / "suites" / "messaging"
SUITE = load_suite(MESSAGING / "suite.toml")
JOURNAL = {"journal": SUITE.scenarios["journal"]}

SAID = """\
17 1000.000100 fsync(7)                = 0
18 1000.000200 fdatasync(9 <unfinished ...>
17 1000.000300 fdatasync(7)            = 0
18 1000.000400 <... fdatasync resumed>) = 0
18 1001.500000 fdatasync(9)            = -1 EIO (Input/output error)
17 1002.000000 +++ exited with 0 +++
"""


IN_EVERY_WAY = """
import ctypes, mmap, os
with open("file", "w+b") as file:
    file.write(bytes(4096))
    file.flush()
    os.fsync(file.fileno())
    os.fdatasync(file.fileno())
    ctypes.CDLL(None).syncfs(file.fileno())
    mmap.mmap(file.fileno(), 4096).flush()
    mmap.mmap(file.fileno(), 4096).flush()
"""
"""Waits for the disk five times; ``sync`` itself would wait for everybody's."""


class Workshop:
    """A machine with strace, or without."""

    def __init__(self, *, has: bool) -> None:
        self._has = has

    def tool(self, wanted: Tool) -> FoundTool:
        if not self._has:
            raise Unavailable("strace is missing", "apt-get install -y strace")
        return FoundTool(wanted, Path("/usr/bin/strace"), "6.1")


def tracing(*, has: bool) -> SyncCalls:
    return SyncCalls(JOURNAL, cast("PartBuilds", Workshop(has=has)))


def test_a_call_counts_where_it_begins_and_once(tmp_path: Path) -> None:
    (tmp_path / "sync-calls.txt").write_text(SAID, "utf-8")
    # The wall clock is 900 s ahead.
    spans = {
        "first": (100_000_100_000, 100_000_300_000),
        "second": (100_000_300_000, 102_000_000_000),
        "none": (103_000_000_000, 104_000_000_000),
    }
    found = counted(tmp_path, "server", spans, ahead_ns=900_000_000_000)
    assert found == {"first": 2, "second": 2, "none": 0}


@pytest.mark.parametrize(
    ("call", "waits"),
    [
        ("syncfs(5)                = 0", True),
        ("sync()                  = 0", True),
        ("msync(0x7f10a2c00000, 4096, MS_SYNC) = 0", True),
        ("msync(0x7f10a2c00000, 4096, MS_SYNC|MS_INVALIDATE <unfinished ...>", True),
        ("msync(0x7f10a2c00000, 4096, MS_ASYNC) = 0", False),
        ("<... msync resumed>)    = 0", False),
    ],
)
def test_every_way_to_wait_for_the_disk_is_a_call(
    tmp_path: Path, call: str, *, waits: bool
) -> None:
    (tmp_path / "sync-calls.txt").write_text(f"17 1000.000100 {call}\n", "utf-8")
    found = counted(tmp_path, "server", {"all": (0, 10**13)}, ahead_ns=0)
    assert found == {"all": int(waits)}


@pytest.mark.needs("strace")
def test_strace_tells_all_of_them(tmp_path: Path) -> None:
    launch = Launch("server", [sys.executable, "-c", IN_EVERY_WAY], {}, [])
    command = tracing(has=True).beneath({"server": launch}, "server")["server"].command
    subprocess.run(["strace", *command[1:]], cwd=tmp_path, check=True)
    assert counted(tmp_path, "server", {"all": (0, 1 << 62)}, ahead_ns=0) == {"all": 5}


def test_a_role_that_left_nothing_has_no_count(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match="sync-calls") as raised:
        counted(tmp_path, "server", {}, ahead_ns=0)
    assert (raised.value.reason, raised.value.role) == ("no-count", "server")


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def nothing_but_size(file: Path) -> None:
    with file.open("wb") as sparse:
        sparse.truncate(1 << 40)


@pytest.mark.parametrize("put", [a_pipe, a_device, nothing_but_size])
def test_a_list_that_is_no_file_of_its_size_is_not_read(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    put(tmp_path / "sync-calls.txt")
    with pytest.raises(TrialError, match=r"no-count: sync-calls\.txt") as raised:
        counted(tmp_path, "server", {"first": (0, 1)}, ahead_ns=0)
    assert raised.value.role == "server"


def test_a_time_of_thousands_of_digits_is_none(tmp_path: Path) -> None:
    lines = f"1 {'9' * 5000}.000000 fsync(\n{'9' * 5000} 1000.000000 fsync(\n"
    (tmp_path / "sync-calls.txt").write_text(lines + SAID, "utf-8")
    found = counted(tmp_path, "server", {"all": (0, 10**30)}, ahead_ns=0)
    assert found == {"all": 4}


def test_the_role_that_stores_is_below_strace_and_no_other(tmp_path: Path) -> None:
    launches = {name: Launch(name, ["java", name], {}, []) for name in ("server", "client")}
    beneath = tracing(has=True).beneath(launches, "server")
    assert beneath["client"] == launches["client"]
    assert beneath["server"].command[0] == "/usr/bin/strace"
    assert beneath["server"].command[-2:] == ["java", "server"]


def test_without_strace_a_contender_with_a_journal_is_barred_and_told_why() -> None:
    manifests = {
        name: load_contender(MESSAGING / "contenders" / name / "contender.toml", SUITE)
        for name in ("jms-artemis-persistent", "socket")
    }
    barred = {name: tracing(has=False).bars(one, SUITE) for name, one in manifests.items()}
    assert barred["socket"] == {}
    assert barred["jms-artemis-persistent"]["journal"].reason.en == "strace is missing"
    assert tracing(has=True).bars(manifests["jms-artemis-persistent"], SUITE) == {}
    with pytest.raises(Unavailable):
        tracing(has=False).beneath({}, "server")

"""A sandbox while its trial runs: its figures, and its end."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from e2e.guarded import Guarded, confined
from wirelab.processes import leftovers

pytestmark = [pytest.mark.e2e, pytest.mark.long(1)]

Eventually = Callable[..., None]

SENT = r"^wirelab_sent_total\{[^}]*\} [1-9]"
RESIDENT = r'^wirelab_resident_memory_bytes\{[^}]*role="(\w+)"[^}]*\} (\S+)'


@confined
def test_live_figures_are_of_the_roles(tmp_path: Path) -> None:
    options = ("--contender", "honest", "--profile", "quick", "--metrics", "0")
    running = Guarded(tmp_path).house.start("run", "guarded", *options)
    seen = ""
    try:
        assert running.stdout is not None
        said = running.stdout.readline()
        (served,) = re.findall(r"live metrics: (http://127\.0\.0\.1:\d+/metrics)", said)
        while running.poll() is None and not re.search(SENT, seen, re.MULTILINE):
            with contextlib.suppress(OSError), urllib.request.urlopen(served, timeout=30) as page:
                seen = page.read().decode()
            time.sleep(0.1)
    finally:
        running.communicate(timeout=300)
    assert re.search(SENT, seen, re.MULTILINE), seen
    resident = re.findall(RESIDENT, seen, re.MULTILINE)
    assert {role for role, _ in resident} >= {"server", "client"}
    assert min(float(size) for _, size in resident) > 0


def alive(pid: int) -> bool:
    """Whether a process still runs; one that nobody has taken note of yet does not."""
    stat = leftovers.stat_of(pid)
    return stat is not None and stat[0] != "Z"


def namespaces(pids: Iterable[int]) -> set[str]:
    """Networks, process trees and mounts that these processes use, and this one does not."""

    def used(pid: int) -> set[str]:
        found = set()
        for kind in ("net", "pid", "mnt"):
            with contextlib.suppress(OSError):
                found.add(str(Path(f"/proc/{pid}/ns/{kind}").readlink()))
        return found

    return set().union(*map(used, pids)) - used(os.getpid())


def below_core(core: int) -> set[int]:
    return {pid for pid in leftovers.below(core) if "bwrap" in command_of(pid)}


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


@confined
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_sandbox(
    tmp_path: Path, eventually: Eventually, number: signal.Signals
) -> None:
    house = Guarded(tmp_path).house
    mounts = Path("/proc/self/mounts").read_text()
    options = ("--contender", "honest", "--profile", "quick")
    process = house.start("run", "guarded", *options)
    written = "results/*/trials/0000-*/client.out/client.samples"
    eventually(lambda: list(house.root.glob(written)) != [], 120.0)
    below = leftovers.below(process.pid)
    assert len(below_core(process.pid)) == 2
    used = namespaces(below)
    assert len(used) >= 6  # a network of both, and of each its processes and mounts
    os.kill(process.pid, number)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == (130 if number == signal.SIGINT else -9), output
    eventually(lambda: not used & namespaces(leftovers.processes()))
    eventually(lambda: not any(map(alive, below)))
    assert Path("/proc/self/mounts").read_text() == mounts

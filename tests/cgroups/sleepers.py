"""Processes that wait to be let go, and the groups that they are put into."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from wirelab.cgroups.group import NO_BOUNDS, Group, RoleBounds, account_ns
from wirelab.cgroups.offer import Offer
from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.processes import leftovers

Sleeping = Callable[..., subprocess.Popen[bytes]]


def let_go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"\n")
    process.stdin.flush()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it never came to be so"
        time.sleep(0.01)


@contextlib.contextmanager
def groups(offer: Offer, bounds: RoleBounds = NO_BOUNDS) -> Iterator[TrialGroups]:
    made = TrialGroups(offer, "run/1", bounds)
    try:
        yield made
    finally:
        made.close()


def folders(offer: Offer) -> set[Path]:
    return {path for place in offer.places.values() for path in place.own.glob("wirelab-*")}


def used_ns(group: Group) -> int:
    assert group.account is not None
    return account_ns(group.account.read_bytes())


def state(pid: int) -> str:
    found = leftovers.stat_of(pid)
    return found[0] if found is not None else ""

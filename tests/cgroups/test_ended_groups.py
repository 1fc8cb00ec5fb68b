"""Control groups: what ends them, and what a core leaves that was killed."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cgroups.sleepers import Sleeping, folders, state, until
from wirelab.cgroups import members, removal
from wirelab.cgroups.group import NO_BOUNDS, Need
from wirelab.cgroups.offer import Offer
from wirelab.cgroups.trial_groups import TrialGroups


def test_nothing_is_left_of_a_trial(offer: Offer, started: Sleeping) -> None:
    left = started("sleep 60")
    made = TrialGroups(offer, "run/1", NO_BOUNDS)
    made.enter("client", left.pid)
    own = [folder for folder in folders(offer) if folder.name == made.name]
    assert own
    made.close()
    assert left.wait(10) == -9
    assert not any(path.exists() for path in own)


ABANDONING = """
import os, sys, time
from wirelab.cgroups.group import NO_BOUNDS
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.cgroups.trial_groups import TrialGroups
made = TrialGroups(offered(hierarchies()), sys.argv[1], NO_BOUNDS)
made.enter("client", int(sys.argv[2]))
print(made.name, flush=True)
time.sleep(600)
"""


@pytest.fixture
def abandoning(anything: Offer, started: Sleeping) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A core with groups of the session ``abandoned/1``, and a process that is in them."""
    if Need.CPU not in anything.places:
        pytest.skip(f"no groups: {anything.reason}")
    inmate = started("sleep 600")
    command = [sys.executable, "-c", ABANDONING, "abandoned/1", str(inmate.pid)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as core:
        try:
            yield core, inmate.pid
        finally:
            core.kill()
            removal.end_of("abandoned/1")


def test_groups_of_a_live_core_are_not_touched(
    anything: Offer, abandoning: tuple[subprocess.Popen[str], int]
) -> None:
    core, inmate = abandoning
    assert core.stdout is not None
    name = core.stdout.readline().strip()
    removal.remove_abandoned()
    removal.end_of("abandoned/1")
    assert state(inmate) == "S"
    assert name in {path.name for path in folders(anything)}


def test_a_guardian_ends_what_a_killed_core_left(
    anything: Offer, abandoning: tuple[subprocess.Popen[str], int]
) -> None:
    core, inmate = abandoning
    assert core.stdout is not None
    name = core.stdout.readline().strip()
    core.kill()
    core.wait()
    removal.end_of("another/1")
    removal.remove_abandoned()  # not even now: somebody is in it
    assert state(inmate) == "S"
    assert name in {path.name for path in folders(anything)}
    removal.end_of("abandoned/1")
    until(lambda: state(inmate) in ("", "Z"))
    assert name not in {path.name for path in folders(anything)}


def test_a_guardian_ends_what_stood_still_as_its_core_was_killed(
    anything: Offer, abandoning: tuple[subprocess.Popen[str], int]
) -> None:
    core, inmate = abandoning
    assert core.stdout is not None
    name = core.stdout.readline().strip()
    own = [folder for folder in folders(anything) if folder.name == name]
    stopped = [freeze(group) for folder in own for group in members.below(folder)]
    if not any(stopped):
        pytest.skip("no group can be stopped here")
    core.kill()
    core.wait()
    removal.end_of("abandoned/1")
    until(lambda: state(inmate) in ("", "Z"))
    assert name not in {path.name for path in folders(anything)}


def freeze(group: Path) -> bool:
    for name, still in (("freezer.state", "FROZEN"), ("cgroup.freeze", "1")):
        if (group / name).exists():
            (group / name).write_text(still)
            return True
    return False


def test_the_next_start_removes_what_nobody_is_in(offer: Offer) -> None:
    names = [removal.new_name("killed/1"), "wirelab-of-somebody", "other-0123456789abcdef-01234567"]
    made = [place.own / name for place in set(offer.places.values()) for name in names]
    for folder in made:
        folder.mkdir()
    try:
        removal.remove_abandoned()
        assert [folder.exists() for folder in made] == [name != names[0] for name in names] * (
            len(made) // len(names)
        )
    finally:
        for folder in made:
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()

"""Control groups: what real ones give, of each version that is mounted."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from cgroups.sleepers import Sleeping, folders, groups, let_go, state, until, used_ns
from wirelab.cgroups.group import NO_BOUNDS, Need, RoleBounds
from wirelab.cgroups.offer import Offer
from wirelab.cgroups.trial_groups import TrialGroups

MIB = 1 << 20


def test_processes_too_short_to_be_seen_are_on_the_account(offer: Offer, started: Sleeping) -> None:
    shell = started("i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done; times; read line")
    with groups(offer) as made:
        group = made.enter("client", shell.pid)
        let_go(shell)
        assert shell.stdout is not None
        own, children = (shell.stdout.readline().decode().split() for _ in range(2))
        told = sum(float(part.split("m")[1].rstrip("s")) for part in own + children)
        # ``times`` counts whole ticks of the clock; what is left is how it rounds.
        assert used_ns(group) > 0.9 * told * 1e9 > 0


def test_everything_is_stopped_and_goes_on(offer: Offer, started: Sleeping) -> None:
    shell = started("setsid sh -c 'while :; do :; done' & while :; do :; done")
    with groups(offer) as made:
        group = made.enter("client", shell.pid)
        let_go(shell)
        until(lambda: len(group.members()) == 2)
        assert group.freeze()
        before = used_ns(group)
        time.sleep(0.1)
        assert used_ns(group) == before
        group.thaw()
        until(lambda: used_ns(group) > before)
        group.freeze()
        members = group.members()
        assert group.end() == members
        until(lambda: all(state(pid) in ("", "Z") for pid in members))


def test_what_hides_in_groups_of_its_own_is_found_and_ended(
    offer: Offer, started: Sleeping
) -> None:
    hidden = started("sleep 60")
    with groups(offer) as made:
        group = made.enter("client", hidden.pid)
        own = [path for path in folders(offer) if path.name == made.name]
        inner = [path / "role-0" / "inner" / "inmost" for path in own]
        assert inner
        for folder in inner:
            folder.mkdir(parents=True)
            (folder / "cgroup.procs").write_text(str(hidden.pid))
        stopping = [folder / "freezer.state" for folder in inner]
        for file in filter(Path.exists, stopping):
            file.write_text("FROZEN")
        try:
            assert group.members() == {hidden.pid}
            assert made.end_rest() == 1
            assert hidden.wait(30) == -9
        finally:
            for file in filter(Path.exists, stopping):
                file.write_text("THAWED")


def test_a_bomb_stops_at_its_limit(anything: Offer, started: Sleeping) -> None:
    if Need.PROCESSES not in anything.places:
        pytest.skip(f"no limit of processes: {anything.reason}")
    with groups(anything, RoleBounds(processes=20)) as made:
        bomb = started("bomb() { bomb | bomb & }; bomb; read line")
        group = made.enter("client", bomb.pid)
        assert made.exceeded() is None
        let_go(bomb)
        until(lambda: made.exceeded() == ("client", Need.PROCESSES))
        assert len(group.members()) <= 20
        made.end_rest()
        assert group.members() == set()


def test_a_hog_is_killed_at_its_limit(anything: Offer, started: Sleeping) -> None:
    if Need.MEMORY not in anything.places:
        pytest.skip(f"no limit of memory: {anything.reason}")
    take = f'exec {sys.executable} -S -c "taken = bytearray(200 << 20)"'
    with groups(anything, RoleBounds(memory_bytes=64 * MIB)) as made:
        hog = started(take)
        made.enter("client", hog.pid)
        let_go(hog)
        assert hog.wait(60) == -9
        assert made.exceeded() == ("client", Need.MEMORY)


def test_who_has_used_up_its_share_of_a_processor_stands_still(
    anything: Offer, started: Sleeping
) -> None:
    if Need.SHARE not in anything.places:
        pytest.skip(f"no share of a processor: {anything.reason}")
    limited = {"client": RoleBounds(processor=0.1)}
    made = TrialGroups(anything, "run/1", NO_BOUNDS, own=limited)
    place = anything.places[Need.SHARE].own / made.name
    try:
        busy = started("while :; do :; done")
        made.enter("client", busy.pid)
        let_go(busy)
        until(lambda: throttled(place / "role-0") > 0)
    finally:
        made.close()
    assert not place.exists()


def test_whose_time_is_not_limited_weighs_in_no_group_of_the_scheduler(
    anything: Offer, started: Sleeping
) -> None:
    share = anything.places.get(Need.SHARE)
    if share is None or share.version != 1:
        pytest.skip("version 2 has one group for everything")
    sleeper = started("sleep 60")
    with groups(anything) as made:
        made.enter("client", sleeper.pid)
        assert not (share.own / made.name).exists()


def throttled(folder: Path) -> int:
    """Count how often a group had to stand still."""
    told = dict(line.split() for line in (folder / "cpu.stat").read_text().splitlines())
    return int(told.get("nr_throttled", 0))


def test_a_keeper_is_in_the_group_of_its_role_only_while_it_starts_the_worker(
    offer: Offer, started: Sleeping
) -> None:
    keeper, worker = started("sleep 60"), started("sleep 60")
    with groups(offer) as made:
        group = made.enter("client", keeper.pid)
        assert group.members() == {keeper.pid}
        made.leave(keeper.pid)
        assert made.enter("client", worker.pid).members() == {worker.pid}
        made.leave(0x3FFFFF)  # one that is gone
        keeper.kill()
        keeper.wait()

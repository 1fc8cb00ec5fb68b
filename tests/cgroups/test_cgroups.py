"""Control groups: found, tried, and removed again; real ones, of each version that is mounted."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wirelab.cgroups import members, removal
from wirelab.cgroups.group import NO_BOUNDS, Group, Need, RoleBounds, account_ns
from wirelab.cgroups.hierarchies import Hierarchy, hierarchies
from wirelab.cgroups.offer import Offer, offered
from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.processes import leftovers

NOBODY = 65534
MIB = 1 << 20

Sleeping = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture(params=[1, 2], ids=["version 1", "version 2"])
def offer(request: pytest.FixtureRequest) -> Offer:
    found = offered([one for one in hierarchies() if one.version == request.param])
    if Need.CPU not in found.places or Need.STOPPING not in found.places:
        pytest.skip(f"no groups of version {request.param}: {found.reason}")
    return found


@pytest.fixture
def anything() -> Offer:
    """Everything that the machine offers."""
    return offered(hierarchies())


@pytest.fixture
def started() -> Iterator[Sleeping]:
    processes: list[subprocess.Popen[bytes]] = []

    def start(script: str) -> subprocess.Popen[bytes]:
        """A shell that waits for a line before it runs ``script``."""
        process = subprocess.Popen(
            ["sh", "-c", f"read line; {script}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


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


# -------------------------------------------------------------------- where they are


MOUNTS = """\
24 1 0:21 / {root}/proc rw - proc proc rw
30 24 0:26 /docker/12 {root}/cpu\\040acct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct
31 24 0:27 /elsewhere {root}/memory rw - cgroup cgroup rw,memory
32 24 0:28 / {root}/unified rw - cgroup2 cgroup2 rw,nsdelegate
33 24 0:29 / {root}/pids rw - cgroup cgroup rw,pids
"""
MEMBERSHIPS = "5:cpu,cpuacct:/docker/12/own\n4:memory:/docker/12\n3:pids:/gone\n0::/user.slice/a\n"


def test_each_hierarchy_is_found_where_this_process_is_in_it(tmp_path: Path) -> None:
    for folder in ("cpu acct/own", "memory", "unified/user.slice/a", "pids"):
        (tmp_path / folder).mkdir(parents=True)
    handed_on = tmp_path / "unified/user.slice/a/cgroup.subtree_control"
    handed_on.write_text("memory pids\n")
    mounts, memberships = tmp_path / "mountinfo", tmp_path / "cgroup"
    mounts.write_text(MOUNTS.format(root=tmp_path))
    memberships.write_text(MEMBERSHIPS)
    assert hierarchies(mounts, memberships) == [
        Hierarchy(2, frozenset({"memory", "pids"}), tmp_path / "unified/user.slice/a"),
        Hierarchy(1, frozenset({"cpu", "cpuacct"}), tmp_path / "cpu acct/own"),
    ]


def test_a_machine_without_any_says_so() -> None:
    found = offered(hierarchies(Path("/nowhere"), Path("/nowhere")))
    assert (found.places, found.source) == ({}, "")
    assert found.reason == "no control groups are mounted, or this process is in none"
    assert found.remedy.startswith("mount -t cgroup2")


@pytest.mark.skipif(os.geteuid() != 0, reason="somebody else can be tried by root alone")
def test_who_may_make_none_is_told_the_remedy() -> None:
    if not hierarchies():
        pytest.skip("no control groups are mounted")
    script = (
        "import os\n"
        "from wirelab.cgroups.hierarchies import hierarchies\n"
        "from wirelab.cgroups.offer import offered\n"
        f"os.setresuid({NOBODY}, {NOBODY}, {NOBODY})\n"
        "found = offered(hierarchies())\n"
        "print(dict(found.places), found.reason, found.remedy, sep='|')\n"
    )
    command = [sys.executable, "-S", "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    places, reason, remedy = ended.stdout.strip().split("|")
    assert places == "{}"
    assert reason.startswith("this user may make no control group in /")
    assert "systemd-run --user --scope -p Delegate=yes" in remedy


DELEGATED = """
import os, subprocess, sys
from wirelab.cgroups.group import NO_BOUNDS
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.cgroups.trial_groups import TrialGroups
folder, nobody, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(f"{folder}/cgroup.procs", "w") as file:
    file.write(str(os.getpid()))
os.setresuid(nobody, nobody, nobody)
offer = offered([one for one in hierarchies() if one.version == version])
print(offer.source, sorted(str(place.own) for place in offer.places.values())[0], sep="|")
made = TrialGroups(offer, "delegated/1", NO_BOUNDS)
with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as role:
    group = made.enter("client", role.pid)
    print(group.members() == {role.pid}, made.end_rest())
made.close()
print(os.listdir(folder).count(made.name))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="a part can be handed to a user by root alone")
def test_a_user_has_groups_in_a_part_that_was_handed_over(offer: Offer) -> None:
    """As ``systemd-run --user --scope -p Delegate=yes`` hands one over."""
    place = offer.places[Need.CPU]
    folder = place.own / f"handed-over-{os.getpid()}"
    folder.mkdir()
    try:
        for path in (folder, folder / "cgroup.procs"):
            os.chown(path, NOBODY, NOBODY)
        words = [str(folder), str(NOBODY), str(place.version)]
        command = [sys.executable, "-S", "-c", DELEGATED, *words]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.stdout.splitlines() == [f"{offer.source}|{folder}", "True 1", "0"], ended
    finally:
        until(lambda: not (folder / "cgroup.procs").read_text())
        folder.rmdir()


def test_trying_leaves_nothing(anything: Offer) -> None:
    assert anything.places.keys() == offered(hierarchies()).places.keys()
    assert removal.of_session(f"trying/{os.getpid()}") == []


# -------------------------------------------------------------------- version 2, by its files


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """The files of a group of version 2 that has every controller, as the kernel makes them."""
    files = {
        "cgroup.freeze": "0\n",
        "cgroup.events": "populated 1\nfrozen 1\n",
        "cgroup.procs": "",
        "cpu.stat": "usage_usec 1234567\nuser_usec 1\nsystem_usec 2\n",
        "cpu.max": "max 100000\n",
        "memory.max": "max\n",
        "memory.swap.max": "max\n",
        "memory.events": "low 0\nhigh 0\nmax 9\noom 1\noom_kill 0\noom_group_kill 0\n",
        "pids.max": "max\n",
        "pids.events": "max 0\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_limits_of_version_2_are_written_where_they_belong(second: Path) -> None:
    group = Group(dict.fromkeys(Need, second))
    group.limit(RoleBounds(memory_bytes=64 * MIB, processes=20, processor=0.25))
    files = ("memory.max", "pids.max", "cpu.max")
    written = {name: (second / name).read_text() for name in files}
    assert written == {"memory.max": str(64 * MIB), "pids.max": "20", "cpu.max": "25000 100000"}
    assert (second / "memory.swap.max").read_text() == "0"
    assert used_ns(group) == 1_234_567_000
    assert group.freeze()
    assert (second / "cgroup.freeze").read_text() == "1"
    group.thaw()
    assert (second / "cgroup.freeze").read_text() == "0"


def test_limits_of_version_2_that_were_met_are_seen(second: Path) -> None:
    group = Group(dict.fromkeys(Need, second))
    assert not group.met(Need.MEMORY)  # it was pressed for memory, and nothing was killed
    assert not group.met(Need.PROCESSES)
    events = second / "memory.events"
    events.write_text(events.read_text().replace("oom_kill 0", "oom_kill 1"))
    (second / "pids.events").write_text("max 3\n")
    assert group.met(Need.MEMORY)
    assert group.met(Need.PROCESSES)


# -------------------------------------------------------------------- what they give


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


# -------------------------------------------------------------------- their end


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

"""Control groups: where they are, who may make them, and how version 2 is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cgroups.sleepers import until, used_ns
from wirelab.cgroups import removal
from wirelab.cgroups.group import Group, Need, RoleBounds
from wirelab.cgroups.handing_on import LEAF, handed_on, pass_on, pass_on_from_own
from wirelab.cgroups.hierarchies import Hierarchy, hierarchies
from wirelab.cgroups.offer import Offer, offered

NOBODY = 65534
MIB = 1 << 20


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


def test_who_left_its_group_for_a_leaf_is_found_in_the_group(tmp_path: Path) -> None:
    (tmp_path / "unified" / "scope" / LEAF).mkdir(parents=True)
    mounts, memberships = tmp_path / "mountinfo", tmp_path / "cgroup"
    mounts.write_text(f"32 24 0:28 / {tmp_path}/unified rw - cgroup2 cgroup2 rw\n")
    memberships.write_text(f"0::/scope/{LEAF}\n")
    assert hierarchies(mounts, memberships) == [
        Hierarchy(2, frozenset(), tmp_path / "unified" / "scope")
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


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The group of this process alone, as a scope of systemd begins, by its files."""
    (tmp_path / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (tmp_path / "cgroup.subtree_control").write_text("\n")
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    return tmp_path


def test_a_group_of_ours_alone_is_left_and_hands_limits_on(own: Path) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        (own / "cgroup.procs").write_text(f"{os.getpid()}\n{child.pid}\n")
        pass_on_from_own(own)
        child.communicate()
    assert (own / LEAF / "cgroup.procs").read_text() == f"{child.pid}\n"  # the last one's write
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids"


@pytest.mark.parametrize("other", ["the first process", "its parent", "one that is not seen"])
def test_a_group_that_others_are_in_stays_as_it_is(own: Path, other: str) -> None:
    pids = {"the first process": 1, "its parent": os.getppid(), "one that is not seen": 0}
    (own / "cgroup.procs").write_text(f"{os.getpid()}\n{pids[other]}\n")
    pass_on_from_own(own)
    assert not (own / LEAF).exists()
    assert (own / "cgroup.subtree_control").read_text() == "\n"


def test_a_group_that_hands_limits_on_already_is_not_left(own: Path) -> None:
    (own / "cgroup.subtree_control").write_text("memory pids\n")
    pass_on_from_own(own)
    assert not (own / LEAF).exists()
    assert handed_on(own) == {"memory", "pids"}


def test_the_group_of_a_trial_hands_on_what_it_has(own: Path) -> None:
    (own / "cgroup.controllers").write_text("cpu pids\n")
    pass_on(own)
    assert (own / "cgroup.subtree_control").read_text() == "+pids"


SPARE = "hugetlb"
"""A controller that the kernel gives to version 2 even where version 1 has all that limits need."""

LEAVES = """
import os, sys
from pathlib import Path
from wirelab.cgroups import handing_on, members
from wirelab.cgroups.hierarchies import hierarchies
folder, spare = Path(sys.argv[1]), sys.argv[2]
members.place(os.getpid(), folder)
handing_on.pass_on_from_own(folder, [spare])
print((folder / "cgroup.procs").read_text().split(), sorted(handing_on.handed_on(folder)))
print([one.own for one in hierarchies() if one.version == 2] == [folder])
print((folder / handing_on.LEAF / "cgroup.procs").read_text().split() == [str(os.getpid())])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="the first group is root's alone")
def test_the_kernel_lets_a_group_that_was_left_hand_on() -> None:
    unified = next((one.own for one in hierarchies() if one.version == 2), None)
    if unified is None or SPARE not in (unified / "cgroup.controllers").read_text().split():
        pytest.skip(f"no group of version 2 with the controller {SPARE}")
    pass_on(unified, [SPARE])
    folder = unified / f"handing-on-{os.getpid()}"
    folder.mkdir()
    try:
        command = [sys.executable, "-S", "-c", LEAVES, str(folder), SPARE]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.stdout.splitlines() == [f"[] ['{SPARE}']", "True", "True"], ended.stderr
    finally:
        (folder / LEAF).rmdir()
        folder.rmdir()

"""A scenario that limits a role, on a machine that cannot hold that: said, and nothing measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree import suites_of_the_tree
from wirelab.cgroups.group import NO_BOUNDS, Need
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.offer import GroupPlace, Offer
from wirelab.run.role_limits import barred

OPCUA = suites_of_the_tree().suites["opcua"]
ASYNCUA = OPCUA.contenders["asyncua"].manifest
SOMEWHERE = GroupPlace(Path("/sys/fs/cgroup"), 2)
SCENARIOS = ("s7", "edge")


def grouping(*needs: Need, reason: str = "") -> Grouping:
    return Grouping(Offer(dict.fromkeys(needs, SOMEWHERE), reason, "mend it so"), NO_BOUNDS)


def test_where_both_limits_hold_nobody_is_barred() -> None:
    everything = grouping(Need.CPU, Need.SHARE, Need.MEMORY)
    assert barred(ASYNCUA, OPCUA.manifest, SCENARIOS, everything) == {}


@pytest.mark.parametrize(
    ("has", "said"),
    [
        (grouping(Need.CPU, Need.MEMORY), "it limits a share of a processor of a role"),
        (grouping(Need.CPU, Need.SHARE), "it limits memory of a role"),
        (None, "it limits a share of a processor of a role"),
    ],
)
def test_what_cannot_be_held_bars_from_that_scenario_alone(has: Grouping | None, said: str) -> None:
    found = barred(ASYNCUA, OPCUA.manifest, SCENARIOS, has)
    assert list(found) == ["edge"]
    assert found["edge"].reason.en.startswith(said)
    assert "역할" in found["edge"].reason.ko


def test_a_machine_says_why_it_cannot() -> None:
    found = barred(ASYNCUA, OPCUA.manifest, ("edge",), grouping(reason="groups are read-only"))
    assert found["edge"].reason.en.endswith("group holds that here: groups are read-only")
    assert found["edge"].remedy.en == "mend it so"

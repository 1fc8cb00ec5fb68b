"""Roles of many processes: the memory they take is said beforehand, and decides who has a part."""

from __future__ import annotations

from tree import suites_of_the_tree
from wirelab.cgroups.group import RoleBounds
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.offer import Offer
from wirelab.model.contender import Contender
from wirelab.model.participant import Participant
from wirelab.plan.selection import Selection
from wirelab.run import many_processes

OPCUA = suites_of_the_tree().suites["opcua"]
SMALL = OPCUA.contenders["open62541"].manifest
MILO = OPCUA.contenders["milo"].manifest
SELECTION = Selection(("s7", "processes"), "brief", 1)
GB = 10**9


def barred(contender: Contender, free: int, **settings: int) -> list[str]:
    """Variants that a contender has no part in."""
    selection = Selection(SELECTION.scenarios, "brief", 1, settings)
    found = many_processes.barred(contender, OPCUA.manifest, selection, free)
    assert set(found) <= {"processes"}
    return list(found.get("processes", {}))


def test_who_fits_into_the_memory_takes_part() -> None:
    assert barred(SMALL, 8 * GB) == []
    assert barred(MILO, 40 * GB) == []


def test_who_does_not_fit_has_no_part_in_the_largest_variants_alone() -> None:
    assert barred(MILO, 8 * GB) == ["two-hundred"]
    assert barred(MILO, 5 * GB) == ["fifty", "two-hundred"]
    assert barred(MILO, 5 * GB, processes=2) == []
    assert barred(SMALL, GB) == ["two-hundred"]


def test_nobody_is_barred_whose_memory_is_not_known() -> None:
    assert barred(MILO.model_copy(update={"process_memory": None}), GB) == []


def test_the_reason_says_what_would_fit() -> None:
    found = many_processes.barred(MILO, OPCUA.manifest, SELECTION, 8 * GB)
    why = found["processes"]["two-hundred"]
    assert why.reason.en == (
        "200 processes of it need about 31.9 GB of memory, and 8.0 GB are free"
    )
    assert "8.0 GB" in why.reason.ko
    assert why.remedy.en.endswith("ask for fewer: --set processes=50")
    assert why.remedy.ko.endswith("--set processes=50")
    assert barred(MILO, 8 * GB, processes=50) == []


def test_the_need_is_said_before_anything_starts() -> None:
    free = 8 * GB
    participants = [
        Participant(
            manifest=one,
            folder_hash="",
            barred_variants=many_processes.barred(one, OPCUA.manifest, SELECTION, free),
        )
        for one in (SMALL, MILO)
    ]
    left_out, needs = many_processes.announced(participants, OPCUA.manifest, SELECTION, free)
    assert left_out.startswith("milo has no part in processes: 200 processes: 200 processes of it")
    assert needs == (
        "processes takes memory for its processes: open62541 200 x, 3.4 GB; milo 50 x, 8.0 GB; "
        "8.0 GB are free"
    )
    gone = [one.model_copy(update={"unavailable": "no compiler"}) for one in participants]
    assert list(many_processes.announced(gone, OPCUA.manifest, SELECTION, free)) == []


def test_the_limit_of_a_role_is_a_bound_of_what_is_free() -> None:
    grouping = Grouping(Offer({}, "", ""), RoleBounds(memory_bytes=3 << 20))
    assert many_processes.free_bytes(grouping) == 3 << 20
    assert many_processes.free_bytes(None) > 3 << 20


def test_the_core_has_files_for_all_pipes() -> None:
    def needed(*scenarios: str, **settings: int) -> int:
        selection = Selection(scenarios, "brief", 1, settings)
        return many_processes.open_files([SMALL], OPCUA.manifest, selection)

    assert needed("s7") == 0
    assert needed("processes") > 200 * 6
    assert needed("processes", processes=1) == 0

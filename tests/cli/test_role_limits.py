"""``--role-memory``, ``--role-processes`` and ``--no-cgroups``: what cannot be asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from wirelab.cgroups.group import Need
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import Offer, offered
from wirelab.cli.accounts import asked_accounts
from wirelab.cli.amounts import AmountError
from wirelab.model.disclosure import Accounts
from wirelab.plan.selection import AskedAccounts
from wirelab.run import accounts
from wirelab.run.accounts import NoGroupsError, grouping_of, told


@pytest.mark.parametrize("text", ["much", "1KiB", "4GB", "-1GiB", "nanGiB", ""])
def test_a_size_has_a_unit_and_suffices(text: str) -> None:
    with pytest.raises(AmountError, match="expected 16MiB or more, such as 512MiB or 4GiB"):
        asked_accounts(text, None, groups=None)


def test_a_size_is_in_bytes() -> None:
    asked = asked_accounts("1.5GiB", 60, groups=None)
    assert asked == AskedAccounts(None, 3 << 29, 60)


@pytest.mark.parametrize(("memory", "processes"), [("1GiB", None), (None, 60)])
def test_limits_need_groups(memory: str | None, processes: int | None) -> None:
    with pytest.raises(typer.BadParameter, match="need control groups"):
        asked_accounts(memory, processes, groups=False)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (AskedAccounts(True), "this run reads processor time from control groups"),
        (AskedAccounts(memory_bytes=1 << 30), "no limit of memory can be held"),
        (AskedAccounts(processes=60), "no limit of processes can be held"),
    ],
)
def test_what_this_machine_cannot_give_is_refused_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, asked: AskedAccounts, said: str
) -> None:
    monkeypatch.setattr(accounts, "hierarchies", list)
    with pytest.raises(NoGroupsError, match=rf"{said}: no control groups .*mount -t cgroup2"):
        grouping_of(asked)


def test_a_limit_that_is_more_than_there_is_is_refused() -> None:
    offer: Offer = offered(hierarchies())
    if Need.MEMORY not in offer.places:
        pytest.skip(f"no limits can be held: {offer.reason}")
    with pytest.raises(NoGroupsError, match=r"1024GiB: all .* may have \d.* with more memory"):
        grouping_of(AskedAccounts(memory_bytes=1 << 40))


def test_where_there_are_none_processes_are_looked_at_and_that_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(accounts, "hierarchies", list)
    found = told(grouping_of(AskedAccounts()))
    assert (found.processor, found.memory_bytes, found.processes) == ("", None, None)
    assert found.reason.startswith("no control groups")


def test_a_resumed_run_keeps_its_accounts() -> None:
    assert AskedAccounts.of(None).groups is False
    assert AskedAccounts.of(Accounts(reason="no control groups")).groups is False
    stored = Accounts(processor="cgroup 2 (cpu.stat)", memory_bytes=1 << 30, processes=60)
    assert AskedAccounts.of(stored) == AskedAccounts(True, 1 << 30, 60)


def test_bounds_leave_the_machine_its_part() -> None:
    offer: Offer = offered(hierarchies())
    found = told(grouping_of(AskedAccounts()))
    if Need.MEMORY not in offer.places or Need.PROCESSES not in offer.places:
        pytest.skip(f"no limits can be held: {offer.reason}")
    with Path("/proc/meminfo").open() as file:
        whole = int(file.readline().split()[1]) * 1024
    assert 0 < (found.memory_bytes or 0) < whole
    assert 0 < (found.processes or 0) <= 16_384

"""Control groups of a run's roles: found before the first trial, or refused in words."""

from __future__ import annotations

from wirelab.cgroups import removal
from wirelab.cgroups.group import Need, RoleBounds
from wirelab.cgroups.grouping import Grouping, most_memory
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import Offer, offered
from wirelab.model.disclosure import Accounts
from wirelab.model.mistake import MistakeError
from wirelab.plan.selection import AskedAccounts

_GIB = 1 << 30


class NoGroupsError(MistakeError):
    """Control groups were asked for, by an option or by a run that is resumed."""


def grouping_of(asked: AskedAccounts) -> Grouping | None:
    """The groups that roles are put into; None where they are put into none."""
    if asked.groups is False:
        return None
    removal.remove_abandoned()
    offer = offered(hierarchies())
    if asked.groups and Need.CPU not in offer.places:
        raise _refused("this run reads processor time from control groups", offer)
    if asked.memory_bytes and Need.MEMORY not in offer.places:
        raise _refused("no limit of memory can be held", offer)
    if asked.memory_bytes:
        _must_be_there(asked.memory_bytes, most_memory(offer.places[Need.MEMORY]))
    if asked.processes and Need.PROCESSES not in offer.places:
        raise _refused("no limit of processes can be held", offer)
    return Grouping.of(offer, RoleBounds(asked.memory_bytes, asked.processes))


def told(grouping: Grouping | None) -> Accounts:
    """The same for the disclosure."""
    if grouping is None:
        return Accounts(reason="--no-cgroups")
    offer, bounds = grouping.offer, grouping.bounds
    return Accounts(
        processor=offer.source,
        reason=offer.reason,
        memory_bytes=bounds.memory_bytes,
        processes=bounds.processes,
    )


def _must_be_there(asked: int, there: int) -> None:
    """NoGroupsError where a role could never come to its limit: nothing would be limited by it."""
    if asked > there:
        raise NoGroupsError(
            f"--role-memory {asked / _GIB:g}GiB: all roles together may have "
            f"{there / _GIB:.3g} GiB on this machine; to mend it: ask for less, or measure on a "
            "machine with more memory"
        )


def _refused(what: str, offer: Offer) -> NoGroupsError:
    return NoGroupsError(f"{what}: {offer.reason}; to mend it: {offer.remedy}")

"""Control groups of a run's roles: found before the first trial, or refused in words."""

from __future__ import annotations

from wirelab.cgroups import removal
from wirelab.cgroups.group import Need, RoleBounds
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import Offer, offered
from wirelab.model.disclosure import Accounts
from wirelab.model.mistake import MistakeError
from wirelab.plan.selection import AskedAccounts


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


def _refused(what: str, offer: Offer) -> NoGroupsError:
    return NoGroupsError(f"{what}: {offer.reason}; to mend it: {offer.remedy}")

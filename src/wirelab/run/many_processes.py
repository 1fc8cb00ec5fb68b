"""Scenarios whose measured role is many processes: what these take of the machine, said beforehand,
and who has no part in which variant because its memory does not suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import psutil

from wirelab.cgroups.grouping import Grouping
from wirelab.model.contender import Contender
from wirelab.model.participant import Barred, Participant
from wirelab.model.several import processes_of
from wirelab.model.suite import Suite
from wirelab.model.units import Text
from wirelab.plan.fillers import taken
from wirelab.plan.order import takes_part
from wirelab.plan.parameters import parameters_of
from wirelab.plan.selection import Selection

_GB = 1e9
_FILES_OF_ONE = 8
"""Files that the core has open for each process: pipes, what its keeper says, its records."""

_OTHER_FILES = 256
_KEEPER_BYTES = 12 << 20
"""Memory of what stands above each process: its keeper, and the launcher of its sandbox."""


def open_files(contenders: Iterable[Contender], suite: Suite, selection: Selection) -> int:
    """Files that the core needs for the most processes of any variant; 0 where they are one."""
    most = max(
        (one.number for own in contenders for one in _demands(own, suite, selection)), default=1
    )
    return _OTHER_FILES + _FILES_OF_ONE * most if most > 1 else 0


def free_bytes(grouping: Grouping | None) -> int:
    """Memory that a role may have now: what is free, within the limit of a role."""
    free: int = psutil.virtual_memory().available
    bound = grouping.bounds.memory_bytes if grouping is not None else None
    return free if bound is None else min(free, bound)


def barred(
    contender: Contender, suite: Suite, selection: Selection, free: int
) -> dict[str, dict[str, Barred]]:
    """By scenario: the variants whose processes do not fit into ``free`` bytes of memory."""
    found: dict[str, dict[str, Barred]] = {}
    for demand in _demands(contender, suite, selection):
        if demand.memory is not None and demand.memory > free:
            found.setdefault(demand.scenario, {})[demand.variant] = _too_little(demand, free)
    return found


def announced(
    participants: Iterable[Participant], suite: Suite, selection: Selection, free: int
) -> Iterator[str]:
    """Lines on the memory that many processes take, and on who has no part for that."""
    largest: dict[str, dict[str, _Demand]] = {}
    for participant in participants:
        if participant.unavailable:
            continue
        own = participant.manifest.contender
        for demand in _demands(participant.manifest, suite, selection):
            if why := participant.why_without(demand.scenario, demand.variant):
                yield _left_out(own, demand, suite, why)
            elif demand.memory is not None:
                known = largest.setdefault(demand.scenario, {})
                known[own] = max(known.get(own, demand), demand, key=_number)
    for name, demands in largest.items():
        told = "; ".join(
            f"{own} {demand.number} x, {(demand.memory or 0) / _GB:.1f} GB"
            for own, demand in demands.items()
        )
        yield f"{name} takes memory for its processes: {told}; {free / _GB:.1f} GB are free"


@dataclass(frozen=True)
class _Demand:
    """The processes of a contender in a variant, and the memory that all of them take."""

    scenario: str
    variant: str
    number: int
    memory: int | None
    """None: nobody knows."""
    parameter: str
    """The parameter that says how many they are; empty where the manifest does."""


def _number(demand: _Demand) -> int:
    return demand.number


def _demands(contender: Contender, suite: Suite, selection: Selection) -> Iterator[_Demand]:
    """Variants in which a contender is many processes."""
    own = contender.process_memory
    for name in taken(suite, contender, selection.scenarios):
        scenario = suite.scenarios[name]
        role = scenario.roles[scenario.measured_role]
        if role.processes == 1:
            continue
        measure = scenario.profiles[selection.profile]
        for variant in measure.variants or scenario.variants or [""]:
            parameters = parameters_of(
                scenario, variant, contender, selection.settings, measure.parameters
            )
            number = processes_of(role, parameters)
            if number > 1 and takes_part(contender, name, scenario, variant):
                memory = None if own is None else number * (own + _KEEPER_BYTES)
                parameter = role.processes if isinstance(role.processes, str) else ""
                yield _Demand(name, variant, number, memory, parameter)


def _left_out(own: str, demand: _Demand, suite: Suite, why: Barred) -> str:
    titled = suite.scenarios[demand.scenario].variant(demand.variant).title.en
    told = f"{own} has no part in {demand.scenario}: {titled}: {why.reason.en}"
    return f"{told}; to mend it: {why.remedy.en}"


def _too_little(demand: _Demand, free: int) -> Barred:
    needed = demand.memory or 0
    number, fitting = demand.number, max(1, demand.number * free // needed)
    need, there = f"{needed / _GB:.1f} GB", f"{free / _GB:.1f} GB"
    setting = f": --set {demand.parameter}={fitting}" if demand.parameter else ""
    return Barred(
        reason=Text(
            en=f"{number} processes of it need about {need} of memory, and {there} are free",
            ko=f"프로세스 {number}개에 메모리가 약 {need} 필요하지만 남은 것은 {there}입니다",
        ),
        remedy=Text(
            en=f"free some, measure on a machine with more, or ask for fewer{setting}",
            ko="메모리를 비우거나, 메모리가 더 많은 장비에서 측정하거나, 개수를 줄이십시오"
            f"{setting}",
        ),
    )

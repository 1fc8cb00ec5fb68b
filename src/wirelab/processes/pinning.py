"""Processors of roles, and of threads: server and client share no core when there are two."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from wirelab.model.parts import Role


def usable_cores() -> list[list[int]]:
    """Processors this process may use, grouped by physical core (SMT siblings together)."""
    cores: dict[tuple[str, str], list[int]] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology")
        try:
            package = (topology / "physical_package_id").read_text().strip()
            core = (topology / "core_id").read_text().strip()
        except OSError:
            package, core = "?", str(cpu)
        cores.setdefault((package, core), []).append(cpu)
    return list(cores.values())


def assign_roles(roles: Mapping[str, Role], cores: list[list[int]]) -> dict[str, list[int]]:
    """Processors of each role; one that stands beside another runs on that one's."""
    own = {name: role.cores for name, role in roles.items() if role.colocated_with not in roles}
    assigned = assign(own, cores)
    return {
        name: assigned[role.colocated_with if name not in own else name]
        for name, role in roles.items()
    }


def assign(roles: Mapping[str, float], cores: list[list[int]]) -> dict[str, list[int]]:
    """Processors of each role: whole cores, in proportion to the roles' weights.

    With fewer cores than roles nothing is pinned (empty lists): two roles forced onto one core
    would take turns, which measures the scheduler.
    """
    if len(cores) < len(roles) or not roles:
        return {role: [] for role in roles}
    total = sum(roles.values())
    shares = {role: max(1, int(len(cores) * weight / total)) for role, weight in roles.items()}
    while sum(shares.values()) > len(cores):
        shares[max(shares, key=lambda role: shares[role])] -= 1
    assigned: dict[str, list[int]] = {}
    following = iter(cores)
    for role, share in shares.items():
        assigned[role] = sorted(cpu for _ in range(share) for cpu in next(following))
    return assigned


@contextmanager
def pinned(cpus: Sequence[int]) -> Iterator[str]:
    """Run the calling thread, and what it starts, on ``cpus``; anywhere when there are none.

    Yields why that was refused; empty when it was not.
    """
    if not cpus:
        yield ""
        return
    try:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cpus)
    except OSError as error:
        yield f"processors {', '.join(map(str, cpus))}: {error.strerror}"
        return
    try:
        yield ""
    finally:
        os.sched_setaffinity(0, before)

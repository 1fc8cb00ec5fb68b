"""Processes of a role: several where its manifest says so, each of them a lane of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from wirelab.model.parts import Role
from wirelab.model.steps import SizeError, size_of
from wirelab.model.units import Scalar

MOST_PROCESSES = 256
"""Processes of a role: each has a keeper, pipes and threads of the core."""


def processes_of(role: Role, parameters: Mapping[str, Scalar]) -> int:
    """Processes that a role has with these parameters; SizeError for what is no number of them."""
    processes = size_of(role.processes, parameters)
    if processes > MOST_PROCESSES:
        raise SizeError(f"{role.processes} = {processes}: {MOST_PROCESSES} processes are the most")
    return processes


def process_names(role: str, processes: int) -> list[str]:
    """Names of a role's processes: its own, or with a number from 1 where they are several."""
    if processes == 1:
        return [role]
    return [process_name(role, number) for number in range(1, processes + 1)]


def process_name(role: str, number: int) -> str:
    """Name of a process of a role; number 0 is that of the only one."""
    return f"{role}-{number}" if number else role


def role_of(name: str, roles: Collection[str]) -> str:
    """The role that has this name, or a process with it; empty where none has."""
    if name in roles:
        return name
    role, _, number = name.rpartition("-")
    return role if role in roles and number.isdecimal() else ""

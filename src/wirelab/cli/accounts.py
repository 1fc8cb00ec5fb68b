"""Options of control groups: limits of a role, and doing without."""

from __future__ import annotations

from typing import Annotated

import typer

from wirelab.cli.amounts import bytes_of
from wirelab.plan.selection import AskedAccounts

RoleMemoryOption = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory of a role at most, such as 4GiB; by default seven eighths of the machine's.",
    ),
]
RoleProcessesOption = Annotated[
    int | None,
    typer.Option(min=8, metavar="NUMBER", help="Processes and threads of a role at most."),
]
CgroupsOption = Annotated[
    bool | None,
    typer.Option(
        help="Insist on a control group for every role, or go without; by default there are some "
        "where the machine has them.",
        show_default=False,
    ),
]


def asked_accounts(
    memory: str | None, processes: int | None, *, groups: bool | None
) -> AskedAccounts:
    """The options together."""
    if groups is False and (memory is not None or processes is not None):
        raise typer.BadParameter("--role-memory and --role-processes need control groups")
    size = None if memory is None else bytes_of("--role-memory", memory)
    return AskedAccounts(groups, size, processes)

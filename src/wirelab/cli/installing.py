"""Whether packages of the system may be installed: said beforehand, or asked on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from wirelab.build.permission import OPTION, Permission, allow, allowed

InstallOption = Annotated[
    bool, typer.Option(OPTION, help="Install missing Debian packages without asking, as root.")
]


def permission(*, install: bool) -> Permission:
    """Find who decides: the option, or a user at a terminal; nobody can be asked without one."""
    if install:
        allow()
    return _may_install


def _may_install(packages: Sequence[str]) -> bool:
    asked = sys.stdin.isatty() and sys.stderr.isatty()
    if not allowed() and not asked:
        return False
    names = " ".join(packages)
    typer.echo(
        f"Debian packages are missing: {names}\n"
        "As root, apt-get installs them and what they depend on. They stay on this machine until\n"
        f"you remove them (apt-get purge {names}).\n"
        "Services that come with them are neither started nor enabled at boot.",
        err=True,
    )
    return allowed() or typer.confirm("Install them?", err=True)

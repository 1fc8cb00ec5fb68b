"""Permission to install packages of the system: who may give it, and how it is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

ALLOWED = "WIRELAB_INSTALL"
"""Variable of the environment: ``yes`` allows what ``--install`` allows, to children as well."""

OPTION = "--install"

Permission = Callable[[Sequence[str]], bool]
"""Is told which packages are to be installed; whether they may be."""


def allow() -> None:
    """Let this process, and those it starts, install what builds need."""
    os.environ[ALLOWED] = "yes"


def allowed() -> bool:
    """Whether installing was allowed beforehand."""
    return os.environ.get(ALLOWED) == "yes"


def if_allowed(_: Sequence[str]) -> bool:
    """Asks nobody: only what was allowed beforehand."""
    return allowed()

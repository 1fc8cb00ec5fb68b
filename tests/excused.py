"""Reasons for which a test of a contender may be skipped: what only its user can bring."""

from __future__ import annotations

import re

from wirelab.build import Unavailable, installation
from wirelab.build.permission import allowed

_WHERE = r"(its library [\w-]+: )*"
_BROUGHT = {
    "no source has the package": r"no source of NuGet has the package .+",
    "dotnet, which no package provides": r"dotnet (is missing|\S+ is too old, \S+ is needed)",
    "an installation of the user's own": r"the variable \w+ names no folder outside .+",
    "processors": r"it needs \d+ processors, and may use .+",
}
_INSTALLABLE = (
    r"Debian packages are missing: .+|(\S+ (is missing|\S+ is too old, \S+ is needed)(; )?)+"
)
"""Programs and packages that `./wl test --all` installs as root, and elsewhere nobody does."""


def excused(missing: Unavailable) -> bool:
    """Whether a test may be skipped for it. What anybody can build must be built: a compiler that
    fails, a registry that is not reached, a package that cannot be installed are failures.
    """
    reasons = [*_BROUGHT.values()]
    if not (installation.possible() and allowed()):
        reasons.append(_INSTALLABLE)
    return any(re.fullmatch(f"{_WHERE}({reason})", missing.reason) for reason in reasons)

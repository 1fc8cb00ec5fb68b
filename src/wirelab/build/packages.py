"""The packages that dpkg and apt know: those installed here, and those the distribution has."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Iterable, Mapping

_HERE = "installed"
_ASKED = "-f=${db:Status-Status}\t${Package}\t${Version}\n"


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The version of every package that is installed, by its name; ``a|b`` are two packages."""
    here = _all_here(shutil.which("dpkg-query"))
    return {n: here[n] for package in packages for n in package.split("|") if n in here}


def installed(package: str) -> bool:
    """Whether a package is here; where there is no dpkg, that shows when the build wants it."""
    program = shutil.which("dpkg-query")
    return program is None or package in _all_here(program)


def choose(package: str) -> str:
    """The first of the alternatives ``a|b`` that the distribution knows, or the last."""
    *others, last = package.split("|")
    return next((name for name in others if _known(shutil.which("apt-cache"), name)), last)


def ask_again() -> None:
    """Forget what was found: packages may have been installed or removed."""
    _all_here.cache_clear()
    _known.cache_clear()


@functools.cache
def _all_here(program: str | None) -> Mapping[str, str]:
    """Versions of everything that is installed; asked once, since hundreds are asked for."""
    if program is None:
        return {}
    shown = subprocess.run([program, "-W", _ASKED], capture_output=True, text=True, check=False)
    lines = (line.split("\t") for line in shown.stdout.splitlines())
    return {line[1]: line[2] for line in lines if len(line) == 3 and line[0] == _HERE}


@functools.cache
def _known(program: str | None, package: str) -> bool:
    if program is None:
        return False
    shown = subprocess.run([program, "show", package], capture_output=True, check=False)
    return shown.returncode == 0 and bool(shown.stdout)

"""Toolchains found here, for the checks and for the disclosure."""

from __future__ import annotations

import platform

from wirelab.build import tools
from wirelab.build.debian import by_hand, missing_packages, remedy, unprovided
from wirelab.build.tools import Tool, version_text
from wirelab.doctor.check import Examined, Health

_KINDS: dict[str, tuple[Tool, ...]] = {
    "cmake": (tools.CMAKE, tools.MAKE, tools.CC),
    "maven": (tools.JAVAC, tools.JAVA, tools.MAVEN),
    "npm": (tools.NODE, tools.NPM),
    "cargo": (tools.CARGO, tools.CC),
    "go": (tools.GO,),
    "dotnet": (tools.DOTNET,),
}


def versions() -> dict[str, str]:
    """Version by tool, of those that are here."""
    found = {tool.name: present.version for tool in tools.ALL if (present := tool.find())}
    return {"python": platform.python_version(), **found}


def checks() -> list[Examined]:
    """One check for each kind of build."""
    return [_check(kind, needed) for kind, needed in _KINDS.items()]


def _check(kind: str, needed: tuple[Tool, ...]) -> Examined:
    here, lacking = [], []
    for tool in needed:
        present = tool.find()
        if present is None:
            lacking.append(f"{tool.name} is missing")
        elif not present.recent:
            minimum = version_text(tool.minimum)
            lacking.append(f"{tool.name} {present.version} is older than {minimum}")
        else:
            here.append(f"{tool.name} {present.version}")
    if not lacking:
        return Examined(name=f"build-{kind}", health=Health.OK, found=", ".join(here))
    other = unprovided(needed)
    advice = by_hand(other) if other else remedy(missing_packages(needed, ()))
    found = "; ".join(lacking)
    return Examined(name=f"build-{kind}", health=Health.WARN, found=found, advice=advice)

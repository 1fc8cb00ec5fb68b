"""Debian packages that parts need: which are missing, and having them, where that is allowed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from wirelab.build import installation, packages
from wirelab.build.installation import INSTALL, Installation
from wirelab.build.packages import choose
from wirelab.build.permission import OPTION, Permission, allowed, if_allowed
from wirelab.build.tools import FoundTool, Tool, ask_again, version_text
from wirelab.build.unavailable import Unavailable

Say = Callable[[str], None]


class Debian:
    """The packages of this machine. ``folder`` keeps the log and the lock of installations.

    ``may_install`` is asked once for each package, and only where this process could install it.
    """

    def __init__(self, folder: Path, say: Say, may_install: Permission = if_allowed) -> None:
        self._installation = Installation(folder, say)
        self._may_install = may_install
        self._answers: dict[str, bool] = {}

    def refusal(self, tools: Iterable[Tool], extra: Iterable[str]) -> Unavailable | None:
        """The reason why these cannot be had, with the command that helps; None when they can.

        Nobody is asked: what is missing can be had where installing it was allowed beforehand.
        """
        wanted, more = list(tools), list(extra)
        if (tool := unprovided(wanted)) is not None:
            return Unavailable(_reason([tool], ()), by_hand(tool))
        missing = missing_packages(wanted, more)
        if missing and not (installation.possible() and allowed()):
            return Unavailable(_reason(wanted, more), remedy(missing))
        return None

    def foresee(self, missing: Iterable[str]) -> None:
        """Ask whether all of ``missing`` may be installed, in one question."""
        unasked = [package for package in dict.fromkeys(missing) if package not in self._answers]
        if unasked and installation.possible():
            names = [choose(package) for package in unasked]
            self._answers |= dict.fromkeys(unasked, self._may_install(names))

    def equip(self, tools: Iterable[Tool], extra: Iterable[str]) -> dict[str, FoundTool]:
        """Every tool by name, and every package; what is missing is installed where it may be.

        Raises Unavailable with the exact command where it may not, when a tool is still missing
        or too old afterwards, or when apt-get fails.
        """
        wanted, more = list(tools), list(extra)
        if missing := missing_packages(wanted, more):
            self.foresee(missing)
            if not all(self._answers.get(package, False) for package in missing):
                raise Unavailable(_reason(wanted, more), remedy(missing))
            self._install(missing)
        found: dict[str, FoundTool] = {}
        for tool in wanted:
            present = tool.find()
            if present is None or not present.recent:
                raise Unavailable(_reason([tool], ()), by_hand(tool))
            found[tool.name] = present
        return found

    def _install(self, missing: Sequence[str]) -> None:
        try:
            self._installation.carry_out(missing)
        finally:
            ask_again()
            packages.ask_again()


def unprovided(tools: Iterable[Tool]) -> Tool | None:
    """A tool that is missing or too old, and that no Debian package that is not here provides."""
    for tool in tools:
        present = tool.find()
        if (present is None or not present.recent) and not _wanted_packages(tool):
            return tool
    return None


def by_hand(tool: Tool) -> str:
    """The remedy for a tool that installing packages does not provide."""
    if tool.by_hand:
        return tool.by_hand
    needed = f" {version_text(tool.minimum)} or later" if tool.minimum else ""
    return f"install {tool.name}{needed} and put it first on PATH"


def remedy(missing: Iterable[str]) -> str:
    """The remedy that installs ``missing``: the option where this process may, the command
    elsewhere.
    """
    names = " ".join(choose(package) for package in missing)
    if installation.possible():
        return f"say {OPTION} with run or build, which installs {names} and starts no service"
    become_root = "" if os.geteuid() == 0 else "sudo "
    return f"{become_root}{' '.join(INSTALL)} {names}"


def missing_packages(tools: Iterable[Tool], extra: Iterable[str]) -> list[str]:
    """List what has to be installed: packages of tools that are missing or too old, and the rest.

    A package of a tool that is there by other means (a JDK or Go of the user's own) is not
    missing, and neither is one whose program of the same name is on PATH.
    """
    missing: list[str] = []
    provided: set[str] = set()
    for tool in tools:
        present = tool.find()
        if present is not None and present.recent:
            provided.update(name for package in tool.debian for name in package.split("|"))
        else:
            missing.extend(_wanted_packages(tool))
    for package in extra:
        here = packages.installed(package) or shutil.which(package)
        if package not in provided and not here:
            missing.append(package)
    return list(dict.fromkeys(missing))


def _reason(tools: Iterable[Tool], extra: Iterable[str]) -> str:
    """Name what is missing, in a sentence."""
    reasons = []
    for tool in tools:
        present = tool.find()
        if present is None:
            reasons.append(f"{tool.name} is missing")
        elif not present.recent:
            needed = version_text(tool.minimum)
            reasons.append(f"{tool.name} {present.version} is too old, {needed} is needed")
    if not reasons:
        lacking = missing_packages((), extra)
        reasons.append(f"Debian packages are missing: {' '.join(lacking)}")
    return "; ".join(reasons)


def _wanted_packages(tool: Tool) -> tuple[str, ...]:
    """Packages that would provide a tool; none where all of them are here, and it is too old."""
    here = all(packages.versions([package]) for package in tool.debian)
    return () if here else tool.debian

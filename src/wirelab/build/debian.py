"""Debian packages: which are missing, and installing them without asking when root."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from wirelab.build.commands import Log
from wirelab.build.lock import locked
from wirelab.build.tools import FoundTool, Tool, ask_again, version_text
from wirelab.build.unavailable import Unavailable

Say = Callable[[str], None]

_INSTALL = ("apt-get", "install", "-y", "--no-install-recommends")


class Debian:
    """The packages of this machine. ``folder`` keeps the log and the lock of installations."""

    def __init__(self, folder: Path, say: Say) -> None:
        self._folder = folder
        self._say = say
        self._updated = False

    def refusal(self, tools: Iterable[Tool], packages: Iterable[str]) -> Unavailable | None:
        """Why these cannot be had, with the command that helps; None when they can.

        What is missing but would be installed without asking can be had.
        """
        wanted, extra = list(tools), list(packages)
        missing = missing_packages(wanted, extra)
        if missing and not can_install():
            return Unavailable(_reason(wanted, extra), remedy(missing))
        return None

    def equip(self, tools: Iterable[Tool], packages: Iterable[str]) -> dict[str, FoundTool]:
        """Every tool by name, and every package; what is missing is installed when root.

        Raises Unavailable with the exact command when this user may not install, when a tool
        is still missing or too old afterwards, or when apt-get fails.
        """
        wanted, extra = list(tools), list(packages)
        if refused := self.refusal(wanted, extra):
            raise refused
        if missing := missing_packages(wanted, extra):
            self._install(missing)
        found: dict[str, FoundTool] = {}
        for tool in wanted:
            present = tool.find()
            if present is None or not present.recent:
                raise Unavailable(_reason([tool], ()), _by_hand(tool))
            found[tool.name] = present
        return found

    def _install(self, packages: list[str]) -> None:
        log = Log(self._folder / "apt-get.log")
        environment = {"DEBIAN_FRONTEND": "noninteractive"}
        with locked(self._folder / "apt-get.lock", self._say, "apt-get"):
            if not self._updated:
                self._say("refreshing the list of Debian packages (apt-get update)")
                # A source of the user's own that fails must not stop the others.
                log.run(["apt-get", "update"], environment=environment, must_succeed=False)
                self._updated = True
            chosen = [choose(package) for package in packages]
            self._say(f"installing Debian packages: {' '.join(chosen)}")
            wait = ("-o", "DPkg::Lock::Timeout=600")
            log.run([*_INSTALL, *wait, *chosen], environment=environment)
        ask_again()


def can_install() -> bool:
    """Whether this process may install packages: root, on a machine with apt-get."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def remedy(packages: Iterable[str]) -> str:
    """The command that installs ``packages``."""
    become_root = "" if os.geteuid() == 0 else "sudo "
    return f"{become_root}{' '.join(_INSTALL)} {' '.join(choose(p) for p in packages)}"


def missing_packages(tools: Iterable[Tool], packages: Iterable[str]) -> list[str]:
    """What has to be installed: packages of tools that are missing or too old, and the rest.

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
            missing.extend(tool.debian)
    for package in packages:
        if package not in provided and not _installed(package) and not shutil.which(package):
            missing.append(package)
    return list(dict.fromkeys(missing))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The version of every package that is installed, by its name; ``a|b`` are two packages."""
    names = [name for package in packages for name in package.split("|")]
    if not names or shutil.which("dpkg-query") is None:
        return {}
    query = ["dpkg-query", "-W", "-f=${Package}\t${Version}\n", *names]
    shown = subprocess.run(query, capture_output=True, text=True, check=False)
    found = (line.partition("\t") for line in shown.stdout.splitlines())
    return {name: version for name, _, version in found if version}


def choose(package: str) -> str:
    """The first of the alternatives ``a|b`` that the distribution knows, or the last."""
    *others, last = package.split("|")
    return next((name for name in others if _known(name)), last)


def _known(package: str) -> bool:
    if shutil.which("apt-cache") is None:
        return False
    shown = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    return shown.returncode == 0 and bool(shown.stdout)


def _installed(package: str) -> bool:
    if shutil.which("dpkg-query") is None:
        # Not Debian: whether it is there shows when the build wants it.
        return True
    query = ["dpkg-query", "-W", "-f=${Status}", package]
    shown = subprocess.run(query, capture_output=True, text=True, check=False)
    return shown.stdout.endswith(" installed")


def _reason(tools: Iterable[Tool], packages: Iterable[str]) -> str:
    """What is missing, in a sentence."""
    reasons = []
    for tool in tools:
        present = tool.find()
        if present is None:
            reasons.append(f"{tool.name} is missing")
        elif not present.recent:
            needed = version_text(tool.minimum)
            reasons.append(f"{tool.name} {present.version} is too old, {needed} is needed")
    if not reasons:
        lacking = missing_packages((), packages)
        reasons.append(f"Debian packages are missing: {' '.join(lacking)}")
    return "; ".join(reasons)


def _by_hand(tool: Tool) -> str:
    needed = f" {version_text(tool.minimum)} or later" if tool.minimum else ""
    return f"install {tool.name}{needed} and put it first on PATH"

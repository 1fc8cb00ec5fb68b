"""Compilers and runtimes: where they are, which version, and how Debian provides them."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from wirelab.build import surroundings
from wirelab.build.system_tools import SystemTools

Version = tuple[int, ...]

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PICKED_UP = re.compile(r"^(?:NOTE: )?Picked up .*$", re.MULTILINE)
"""Java says first which options it found in its environment, and they have numbers."""

_ANSWER_LIMIT_S = 30


@dataclass(frozen=True)
class Tool:
    """A program that builds or runs contenders.

    ``debian`` are the packages that provide it; ``a|b`` is the first of them that the
    distribution has. ``folders`` are searched where it is not on PATH. ``by_hand`` says how to have
    one that Debian does not provide.
    """

    name: str
    debian: tuple[str, ...]
    ask: tuple[str, ...] = ("--version",)
    minimum: Version = ()
    folders: tuple[str, ...] = ()
    by_hand: str = ""

    def at_least(self, minimum: Version) -> Tool:
        """The same tool, of this version or later."""
        return replace(self, minimum=max(self.minimum, minimum))

    def find(self) -> FoundTool | None:
        """Find the tool; None when it is missing or does not work."""
        path = self.path()
        version = _version(path, self.ask) if path else ""
        return FoundTool(self, Path(path), version) if path and version else None

    def path(self) -> str | None:
        """Path of a program of this name; it may not work."""
        known = map(os.path.expanduser, map(os.path.expandvars, self.folders))
        elsewhere = os.pathsep.join(filter(os.path.isabs, known))
        found = shutil.which(self.name) or shutil.which(self.name, path=elsewhere)
        return str(Path(found).absolute()) if found else None


@dataclass(frozen=True)
class FoundTool:
    """A tool on this machine."""

    tool: Tool
    path: Path
    version: str

    @property
    def recent(self) -> bool:
        """Whether its version is enough."""
        return parse_version(self.version) >= self.tool.minimum


@functools.cache
def _version(path: str, ask: tuple[str, ...]) -> str:
    kept = _system()
    if known := kept.version(path):
        return known
    kept.keep(path, told := _told(path, ask))
    return told


@functools.cache
def _system() -> SystemTools:
    here = (tool.path() for tool in ALL)
    return SystemTools(filter(None, here), surroundings.environment())


def _told(path: str, ask: tuple[str, ...]) -> str:
    try:
        answer = subprocess.run(
            [path, *ask],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ANSWER_LIMIT_S,
            check=False,
            cwd="/",  # rustup runs what a file in its folder names
            env=surroundings.environment(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    # Maven answers in colour, java on standard error.
    plain = (_COLOUR.sub("", text) for text in (answer.stdout, answer.stderr))
    said = (_PICKED_UP.sub("", text) for text in plain)
    number = next(filter(None, map(_NUMBER.search, said)), None)
    return number[0] if answer.returncode == 0 and number else ""


def ask_again() -> None:
    """Forget the versions of this process: programs may have been installed or replaced."""
    _version.cache_clear()
    _system.cache_clear()


def parse_version(text: str) -> Version:
    """``(1, 24)`` of ``"1.24"``; empty when there is no number."""
    number = _NUMBER.search(text)
    return tuple(int(part) for part in number[0].split(".")) if number else ()


def version_text(version: Version) -> str:
    """``"1.24"`` of ``(1, 24)``."""
    return ".".join(map(str, version))


CC = Tool("cc", ("gcc", "libc6-dev"))
MAKE = Tool("make", ("make",))
CMAKE = Tool("cmake", ("cmake",), minimum=(3, 18))
JAVAC = Tool("javac", ("openjdk-17-jdk-headless|default-jdk-headless",), ("-version",), (17,))
JAVA = Tool("java", JAVAC.debian, ("-version",), (17,))
MAVEN = Tool("mvn", ("maven",), minimum=(3, 6, 3))
CARGO = Tool("cargo", ("cargo-web|cargo",))
NODE = Tool("node", ("nodejs",), minimum=(18,))
NPM = Tool("npm", ("npm",), minimum=(8,))
GO = Tool("go", ("golang-go",), ("version",))
DOTNET = Tool(
    "dotnet",
    (),
    minimum=(10,),
    folders=("$DOTNET_ROOT", "~/.dotnet"),
    by_hand="install the .NET SDK 10.0 or later: on PATH, in DOTNET_ROOT or in ~/.dotnet",
)

ALL = (CC, MAKE, CMAKE, JAVA, JAVAC, MAVEN, NODE, NPM, CARGO, GO, DOTNET)
"""Every tool that some builder uses."""

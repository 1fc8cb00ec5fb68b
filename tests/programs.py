"""Programs that tests start: who has them, how they are had, and which tests find them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from wirelab import cache
from wirelab.build import tools
from wirelab.build.debian import Debian
from wirelab.build.unavailable import Unavailable

NEWCOMERS = {"cc", "cmake", "make"}
"""Programs that `./wl test` may use; tests that need others are left to `./wl test --all`."""

TOOLS = {tool.name: tool for tool in tools.ALL}

PACKAGES = {
    "bwrap": "bubblewrap",
    "memcached": "memcached",
    "mosquitto": "mosquitto",
    "nats-server": "nats-server",
    "nginx": "nginx",
    "psql": "postgresql",
    "rabbitmq-server": "rabbitmq-server",
    "redis-server": "redis-server",
    "strace": "strace",
    "valgrind": "valgrind",
}
"""Programs beside the tools of builds: the Debian package of each."""

PROVIDED = {
    **{
        name: tool.by_hand or f"apt-get install {' '.join(tool.debian)}"
        for name, tool in TOOLS.items()
    },
    **{program: f"apt-get install {package}" for program, package in PACKAGES.items()},
    "g++": "apt-get install g++",
    "gofmt": "comes with Go",
    "rustfmt": "rustup component add rustfmt",
}
"""Advice for getting a program."""

_PARTS = {"c++", "epmd", "erl", "pg_isready", "redis-cli"}
"""Programs that come with others."""

HIDDEN = (PROVIDED.keys() | _PARTS) - NEWCOMERS - {"bwrap", "cargo"}
"""Programs that a newcomer may lack. Sandboxes are used where they can be; nothing needs them."""


def is_missing(program: str) -> bool:
    """Whether a test that needs it cannot run here."""
    tool = TOOLS.get(program)
    return (tool.path() if tool else shutil.which(program)) is None


def have_all() -> None:
    """Install what tests need and this machine lacks; what cannot be had is said."""
    try:
        Debian(cache.home(), print).equip(
            (tool for tool in tools.ALL if tool.debian), PACKAGES.values()
        )
    except Unavailable as missing:
        print(f"{missing.reason}: {missing.remedy}")


def path_of_newcomers(path: str, folder: Path) -> str:
    """PATH of a machine that lacks what is hidden: ``folder`` gets links to all other programs.

    A test that does not say what it needs fails here as it would on such a machine.
    """
    for program in _programs(path):
        link = folder / program.name
        if program.name not in HIDDEN and not link.is_symlink():
            link.symlink_to(program)
    return str(folder)


def _programs(path: str) -> Iterator[Path]:
    """Programs that a shell finds on PATH, the first of a name first."""
    for place in map(Path, path.split(os.pathsep)):
        if place.is_dir():
            yield from place.iterdir()

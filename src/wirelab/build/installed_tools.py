"""Parts of a build's tool, where it lies in somebody's home folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from wirelab.build.tools import FoundTool

_BELOW_ITS_FOLDER = {
    "dotnet": (
        *("dotnet", "host", "shared", "sdk", "sdk-manifests", "packs", "templates"),
        *("library-packs", "metadata"),
    ),
}
"""Entries of such a folder that belong to the tool; the others are its user's own, such as a
developer's certificates.
"""

_BELOW_ITS_PREFIX = (
    *("bin", "lib", "lib64", "libexec", "include", "share/cmake*", "share/maven*", "boot"),
    *("conf/logging", "jmods", "release", "pkg", "src", "go.env", "VERSION"),
)
"""Entries of compilers and runtimes, such as a JDK, Go or CMake."""

_RUSTUP = ("toolchains", "settings.toml", "update-hashes", "tmp")


def folders_of(tools: Iterable[FoundTool]) -> Iterator[Path]:
    """Files and folders that these need; those of the system are there anyway."""
    for tool in tools:
        yield tool.path
        real = tool.path.resolve()
        yield real
        if real.name == "rustup":
            home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
            yield from (home / name for name in _RUSTUP)
            # cargo starts the compiler by its name, which is another link to the same program.
            yield from (link for link in tool.path.parent.iterdir() if link.resolve() == real)
        elif below := _BELOW_ITS_FOLDER.get(tool.tool.name):
            yield from (real.parent / name for name in below)
        elif real.parent.name == "bin":
            prefix = real.parent.parent
            yield from (found for name in _BELOW_ITS_PREFIX for found in prefix.glob(name))

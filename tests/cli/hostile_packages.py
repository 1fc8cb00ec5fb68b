"""Packages whose build scripts attack whoever builds them, and what became of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

from cli.command_lines import ROOT, piped

SUITE = ROOT / "tests" / "sabotage" / "closed"

KEY = "the-key-of-somebody"
PASSWORD = "the-password-of-the-registry"

REGISTRIES = (".npmrc", ".m2", ".nuget", ".config/go", ".config/pip")
"""Files of a home folder about registries; some machines fetch nothing without them."""

ATTACK = """\
#!/bin/bash
exec > "$1/told" 2>&1
echo began
touch {home}/planted && echo planted
cat {home}/.ssh/id
env
(exec 3<>/dev/tcp/127.0.0.1/{port}) && echo connected
(exec 3<>/dev/udp/192.0.2.1/9) && echo "routed away"
echo planted > {results}/planted
touch "${{TMPDIR%/tmp}}.ours/planted" && echo "written to what fetches"
setsid sleep {seconds} < /dev/null > /dev/null 2>&1 &
echo ended
exit 0
"""
"""Written in the language that all build scripts can start; ``$1`` is a folder to tell it in."""

MANIFEST = """\
contender = "hostile"
title = "Attacks whoever builds it"
language = "{language}"
roles = ["client"]
provided_by = {{ server = "service:tags" }}

[library]
name = "loopback"
version = "1.0"
licence = "Apache-2.0"

[build]
{build}

[run]
command = ["true"]
"""


class Attacked:
    """A repository with one hostile contender, and a home folder that it is after."""

    def __init__(self, root: Path, port: int) -> None:
        self.root = root
        self.home, self.results = root / "home", root / "results"
        (self.home / ".ssh").mkdir(parents=True)
        (self.home / ".ssh" / "id").write_text(KEY)
        self.results.mkdir()
        for name in REGISTRIES:
            real = Path.home() / name
            if real.exists():
                (self.home / name).parent.mkdir(exist_ok=True)
                (self.home / name).symlink_to(real)
        shutil.copytree(SUITE, root / "suites" / "turns")
        shutil.copytree(SUITE.parent / "workers", root / "suites" / "workers")
        (root / "sdk").symlink_to(ROOT / "sdk")
        self.source = root / "suites" / "turns" / "contenders" / "hostile"
        self.source.mkdir()
        self._seconds = f"9{os.getpid()}{port}"
        (self.source / "attack.sh").write_text(
            ATTACK.format(home=self.home, port=port, seconds=self._seconds, results=self.results)
        )

    def contains(self, language: str, build: str, files: dict[str, str]) -> None:
        """Give the contender its files; ``ATTACK`` in them is the path of the attack."""
        self.source.joinpath("contender.toml").write_text(
            MANIFEST.format(language=language, build=build)
        )
        for name, text in files.items():
            file = self.source / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("ATTACK", str(self.source / "attack.sh")))

    def built(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Output of ``wl build`` about it."""
        own = Path.home()
        known = {
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME") or str(own / ".rustup"),
            "VSS_NUGET_PASSWORD": PASSWORD,
            **variables,
        }
        asked = ("build", "turns", "--contender", "hostile", *options)
        return piped(*asked, cwd=self.root, root=self.root, **known)

    def kept(self, text: str) -> list[Path]:
        """Files of the builds that contain a text."""
        builds = self.root / "cache" / "wirelab" / "builds"
        files = [path for path in builds.rglob("*") if path.is_file() and not path.is_symlink()]
        return [path for path in files if text.encode() in path.read_bytes()]

    def told(self) -> str:
        """Findings of the attack, in the only build."""
        (found,) = self.root.glob("cache/wirelab/builds/turns-hostile-*/**/told")
        text = found.read_text()
        assert text.startswith("began\n")
        assert text.endswith("ended\n")
        return text

    def planted(self) -> list[Path]:
        """Files that it wrote outside of its folder."""
        places = (self.home / "planted", self.results / "planted")
        return [place for place in places if place.exists()]

    def left(self) -> list[int]:
        """Processes of it that are still there."""
        return with_argument(self._seconds)


def with_argument(argument: str) -> list[int]:
    """Processes that have an argument, whatever they are called inside of their sandbox."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            if argument.encode() in words:
                found.append(int(entry.name))
    return found


@contextlib.contextmanager
def attacked(root: Path) -> Iterator[tuple[Attacked, socket.socket]]:
    """The repository, and a server that nobody is to reach."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield Attacked(root, server.getsockname()[1]), server


def reached(server: socket.socket) -> bool:
    """Whether somebody has connected."""
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True

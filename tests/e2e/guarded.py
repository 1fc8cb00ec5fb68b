"""A house whose contenders attack what lies around it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.attackers import Attacker, write_suite
from e2e.conftest import SABOTAGED, SuiteRepository
from wirelab.samples.removal import remove

confined = pytest.mark.needs("bwrap")

Json = dict[str, Any]

CONTENDERS = {
    "honest": Attacker("intruder"),
    "intruder": Attacker("intruder"),
    "daemon": Attacker("intruder"),
    "nests": Attacker("intruder"),
    "signals": Attacker("intruder"),
    "shared": Attacker("intruder", serves=True),
    "leaves-grandchild": Attacker("deviations"),
}

KEY = "the-key-of-the-test"

INVITING = f"""
import ctypes, os, platform, resource, sys
_, hard = resource.getrlimit(resource.RLIMIT_CORE)
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
add, keyctl = {{"x86_64": (248, 250), "aarch64": (217, 219)}}[platform.machine()]
libc = ctypes.CDLL(None)
own_session, new_session = ctypes.c_long(-3), ctypes.c_long(1)
assert libc.syscall(ctypes.c_long(keyctl), new_session, None) > 0
key = libc.syscall(ctypes.c_long(add), b"user", b"{KEY}", b"secret", ctypes.c_long(6), own_session)
assert key > 0
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Starts a program in a session with a key, and with core dumps as large as they may be."""

LIMITS = {
    'ready_limit = "3s"': 'ready_limit = "60s"',
    'stop_limit = "3s"': 'stop_limit = "30s"',
    "smoke = { trials = 1, count = 60": "smoke = { trials = 2, count = 60",
    "smoke = { trials = 2, count = 130": "smoke = { trials = 1, count = 60",
}


class Guarded:
    """A house with victims around it, and what became of them."""

    def __init__(self, root: Path) -> None:
        write_suite(root / "elsewhere" / "guarded", CONTENDERS, LIMITS)
        self.house = SuiteRepository(root, "loopback")
        (root / "suites" / "loopback").unlink()
        (root / "suites" / "guarded").symlink_to(root / "elsewhere" / "guarded")
        self.result = root / "results" / "earlier" / "trials" / "0000" / "trial.json"
        self.result.parent.mkdir(parents=True)
        self.result.write_text("{}")
        self.home = root / "home"
        self.home.mkdir()
        (self.home / "secret").write_text("the key of everything")
        node = self.home / ".local" / "bin" / "node"
        self.beside = self.home / ".local" / "share" / "keyrings" / "login"
        for file in (node, self.beside):
            file.parent.mkdir(parents=True)
            file.write_text("#!/bin/sh\n")
        node.chmod(0o755)
        self.house.environment["PATH"] = f"{node.parent}:{os.environ['PATH']}"
        self.house.environment["HOME"] = str(self.home)
        self.house.launcher = [sys.executable, "-c", INVITING]

    def attacked(self, port: int, pid: int, *more: str) -> subprocess.CompletedProcess[str]:
        victims = {
            "result": str(self.result),
            "secret": str(self.home / "secret"),
            "beside": str(self.beside),
            "key": KEY,
            "port": port,
            "pid": pid,
        }
        self.house.environment["WIRELAB_INTRUDER"] = json.dumps(victims)
        return self.house.wl("run", "guarded", "--profile", "smoke", *more, timeout=600)

    @property
    def run(self) -> Path:
        (found,) = self.house.root.glob("results/*-guarded-*")
        return found

    def records(self, contender: str) -> list[Json]:
        found = sorted(self.run.glob(f"trials/*-{contender}*/trial.json"))
        assert found
        return [json.loads(path.read_bytes()) for path in found]


def measured(found: Guarded, *contenders: str) -> Iterator[Guarded]:
    """The house after a run of these contenders, with victims of theirs around it."""
    sleeper = [sys.executable, "-c", "import time; time.sleep(900)"]
    chosen = [word for name in contenders for word in ("--contender", name)]
    with socket.create_server(("127.0.0.1", 0)) as server, subprocess.Popen(sleeper) as victim:
        try:
            ended = found.attacked(server.getsockname()[1], victim.pid, *chosen)
            assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
            assert victim.poll() is None
            yield found
        finally:
            victim.kill()
            # What removes the folders of tests recurses, and these are deeper.
            for nested in found.run.glob("trials/*-nests"):
                remove(nested)


def refuse_sandboxes(house: SuiteRepository, folder: Path) -> None:
    """A bubblewrap that the machine does not let do its work."""
    refusing = folder / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit 0\n'
        "echo 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"
    )
    refusing.chmod(0o755)
    house.environment["PATH"] = f"{refusing.parent}:{os.environ['PATH']}"

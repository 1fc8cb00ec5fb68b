"""The folder into which tests compile crates: that of all trees, in the user's cache.

What crates depend on is the same in every tree, and compiled once. For packages of the repository
cargo goes by times of files, and would take those of another tree that were compiled later for
those of this one: what was last compiled of another tree, or another content, is compiled again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from wirelab import cache
from wirelab.build.content import content_hash

TARGET = cache.home() / "cargo" / "tested"
_WITHIN_S = 1200


@contextlib.contextmanager
def compiled_here(crate: Path) -> Iterator[None]:
    """Nobody else compiles into the folder meanwhile, and nothing in it is of another tree."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with (TARGET / "tests.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in _changed(crate):
            said = cargo(crate, "clean", "--locked", "--package", name)
            assert said.returncode == 0, said.stderr
        yield


def cargo(crate: Path, *arguments: str, niceness: int = 0) -> subprocess.CompletedProcess[str]:
    """Run cargo on a crate."""
    return subprocess.run(
        ["nice", "-n", str(niceness), "cargo", *arguments],
        cwd=crate,
        env={
            **os.environ,
            "CARGO_TARGET_DIR": str(TARGET),
            # A fifth of the compiler's time; no debugger is attached here.
            "CARGO_PROFILE_DEV_DEBUG": "0",
            # The engine's tests wait for servers and for the schedule most of their time.
            "RUST_TEST_THREADS": "6",
        },
        capture_output=True,
        text=True,
        timeout=_WITHIN_S,
        check=False,
    )


def _changed(crate: Path) -> list[str]:
    """Packages of the repository that were of another tree, or had another content, when they were
    compiled last.
    """
    told = cargo(crate, "metadata", "--format-version", "1", "--locked")
    assert told.returncode == 0, told.stderr
    own = [one for one in json.loads(told.stdout)["packages"] if one["source"] is None]
    assert own, crate
    return [one["id"] for one in own if _is_changed(one["name"], Path(one["manifest_path"]).parent)]


def _is_changed(name: str, folder: Path) -> bool:
    stamp = TARGET / "compiled-from" / hashlib.sha256(name.encode()).hexdigest()
    compiled = f"{content_hash(folder)} {folder}"
    before = stamp.read_text("utf-8") if stamp.exists() else ""
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(compiled, "utf-8")
    return before != compiled

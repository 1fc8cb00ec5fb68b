"""Compiling C programs against the C SDK, for the tests of the SDK."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SDK = ROOT / "sdk" / "c"
PROBE = ROOT / "tests" / "c" / "sdk_probe.c"
# Undefined behaviour ends the program; no sanitizer library is needed for that.
FLAGS = ["-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
FLAGS += ["-fsanitize-undefined-trap-on-error"]


def compile_c(source: Path, program: Path, *flags: str) -> Path:
    """Compiles ``source``, without a warning, into ``program``."""
    command = ["cc", *FLAGS, *flags, f"-I{SDK}", str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return program

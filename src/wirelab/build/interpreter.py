"""The Python that contenders run on: wirelab's own, or the one that ``--python`` names."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirelab.build.unavailable import Unavailable

_PATIENCE_S = 20
_ASK = """
import json, platform, sys, sysconfig
gil = getattr(sys, "_is_gil_enabled", lambda: True)()
packages = sysconfig.get_path("purelib", scheme="venv", vars={"base": ".", "platbase": "."})
print(json.dumps({"build": sys.version, "version": platform.python_version(), "gil": gil,
                  "packages": packages, "base": getattr(sys, "_base_executable", sys.executable)}))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python: ``packages`` is where an environment of it has them, ``build`` its exact build."""

    path: str
    build: str
    version: str
    packages: str
    gil: bool = True

    @property
    def described(self) -> str:
        """Its version, and whether it runs without the global interpreter lock."""
        return self.version if self.gil else f"{self.version} (without GIL)"


def own() -> Interpreter:
    """The interpreter that wirelab's own environment was made with."""
    minor = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return Interpreter(
        path=base_python(),
        build=sys.version,
        version=platform.python_version(),
        packages=f"lib/{minor}/site-packages",
    )


def at(path: str) -> Interpreter:
    """The interpreter at ``path``, asked what it is; raises Unavailable when it is none."""
    try:
        answer = subprocess.run(
            [path, "-I", "-c", _ASK],
            capture_output=True,
            text=True,
            check=True,
            timeout=_PATIENCE_S,
        ).stdout
        said: dict[str, Any] = json.loads(answer)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise Unavailable(
            f"{path} is no Python that contenders could run on: {_why(error)}",
            "name an interpreter of version 3.11 or later",
        ) from None
    return Interpreter(
        path=str(Path(said["base"])),
        build=said["build"],
        version=said["version"],
        packages=said["packages"],
        gil=said["gil"],
    )


def _why(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        last = str(error.stderr).strip().splitlines()[-1:]
        return last[0] if last else f"it ended with exit code {error.returncode}"
    return str(error)


def base_python() -> str:
    """Path of the interpreter that wirelab's own environment was made with."""
    return str(getattr(sys, "_base_executable", sys.executable))

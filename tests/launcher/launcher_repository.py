"""A repository with nothing but the launcher, for its tests."""

from __future__ import annotations

import copy
import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

LAUNCHER = Path(__file__).parents[2] / "wl"
LOCK = LAUNCHER.parent / "requirements-dev.txt"
PYTHON = getattr(sys, "_base_executable", sys.executable)

MAIN = """\
import importlib.util, json, os, sys
print(json.dumps({
    "arguments": sys.argv[1:],
    "folder": os.getcwd(),
    "python": sys.executable,
    "path": os.environ["PYTHONPATH"],
    "packages": [n for n in ("iniconfig", "pluggy") if importlib.util.find_spec(n)],
}))
if "wait" in sys.argv:
    sys.stdout.flush()
    sys.stdin.read()
sys.exit(7 if "fail" in sys.argv else 0)
"""


def pinned(name: str) -> str:
    """The requirement of a package with its hashes, as the repository pins it."""
    lines = LOCK.read_text().splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if line.startswith(f"{name}=="))
    end = next(n for n in range(start + 1, len(lines)) if not lines[n].startswith(" "))
    return "".join(lines[start:end])


class Repository:
    """A repository with nothing but the launcher and a command line that shows its arguments."""

    def __init__(self, root: Path) -> None:
        self.root = root
        package = root / "src" / "wirelab"
        package.mkdir(parents=True)
        shutil.copy2(LAUNCHER, root / "wl")
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(MAIN)
        (root / "requirements.txt").write_text(pinned("iniconfig"))
        (root / "requirements-dev.txt").write_text(pinned("pluggy"))

    def copy(self, root: Path) -> Repository:
        """The same repository at another place, with the environment that it has."""
        copied = copy.copy(self)
        copied.root = shutil.copytree(self.root, root, symlinks=True)
        return copied

    @property
    def environments(self) -> list[Path]:
        return [p for p in (self.root / ".wirelab" / "environments").iterdir() if p.is_dir()]

    def start(self, *arguments: str, **options: object) -> subprocess.Popen[str]:
        launcher = options.pop("launcher", self.root / "wl")
        variables = {**os.environ, **options.pop("variables", {})}
        return subprocess.Popen(
            [PYTHON, str(launcher), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=variables,
            **options,
        )

    def run(self, *arguments: str, **options: object) -> tuple[int, dict, list[str]]:
        """Exit code, what the command line saw, and the lines of standard error."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=120)
        return process.returncode, json.loads(out) if out else {}, err.splitlines()


def load(path: Path) -> ModuleType:
    """The launcher as a module."""
    loader = importlib.machinery.SourceFileLoader("launcher", str(path))
    spec = importlib.util.spec_from_loader("launcher", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module

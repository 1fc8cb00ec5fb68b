"""Parts that the tests build, from the small projects in ``fixtures/``."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from pathlib import Path

from wirelab.build import Part
from wirelab.catalog import LibraryEntry
from wirelab.model.builds import Build, RunCommand
from wirelab.model.contender import Library

FIXTURES = Path(__file__).parent / "fixtures"

COMMANDS = {
    "program": ["{build}/bin/program"],
    "python": ["{python}", "{source}/worker.py"],
    "maven": ["{java}", "-cp", "{build}/app.jar:{build}/lib/*", "demo.Main"],
    "cargo": ["{build}/bin/demo"],
    "npm": ["{node}", "{build}/worker.js"],
    "go": ["{build}/bin/demo"],
    "dotnet": ["{dotnet}", "{build}/app/app.dll"],
}


class Sources:
    """Copies of the projects, which a test may change, in a repository of their own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for language in ("c", "csharp", "java", "node", "rust", "go", "python"):
            folder = root / "sdk" / language
            folder.mkdir(parents=True)
            (folder / "sdk.txt").write_text("version 1\n")

    def folder(self, name: str) -> Path:
        """The copy of a project."""
        copy = self.root / "sources" / name
        if not copy.exists():
            shutil.copytree(FIXTURES / name, copy)
        return copy

    def part(self, name: str, kind: str = "", *, harness: bool = False, **build: object) -> Part:
        """A project as a contender; ``program`` is linked with the library ``greeting``, which may
        be the ``harness`` that it is measured with.
        """
        if name == "program":
            build.setdefault("needs", ["greeting"])
        manifest = Build.model_validate({"kind": kind or name, **build})
        run = RunCommand(command=COMMANDS.get(name, ["true"]))
        return Part(
            suite="demo",
            name=name,
            title=f"contender {name} of demo",
            source=self.folder(name),
            build=manifest,
            run=run,
            libraries={"greeting": self._greeting(harness=harness)},
        )

    def _greeting(self, *, harness: bool) -> LibraryEntry:
        build = Build(kind="cmake")
        manifest = Library(
            library="greeting",
            version="1.2",
            licence="MIT",
            common=["greeting.h"],
            harness=harness,
            build=build,
        )
        return LibraryEntry(manifest, self.folder("greeting"))


def output_of(command: list[str]) -> str:
    """Output of a command, which must succeed."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def started(argument: str) -> list[int]:
    """Processes that have an argument, whatever they are called inside of their sandbox."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            if argument.encode() in words:
                found.append(int(entry.name))
    return found


def ends(pid: int, within_s: float = 10.0) -> bool:
    """Whether a process that was killed has gone: on a busy machine that takes it a moment."""
    end = time.monotonic() + within_s
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(pid)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"

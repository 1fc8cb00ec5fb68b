"""Python contenders: a virtual environment of their own with hash-pinned packages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import file_hash, tree_bytes
from wirelab.build.interpreter import Interpreter
from wirelab.build.licences import UNKNOWN, licence_of_names, licence_of_text
from wirelab.build.part import Part
from wirelab.build.tools import Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

_LOCK = "requirements.txt"
_WANTED = "requirements.in"
_NO_WHEEL = re.compile("No matching distribution found")
_HOW_TO_PIN = "write it as docs/how-to/add-a-contender.md says under Pinned packages"
_HOW_TO_HAVE_A_WHEEL = (
    "only wheels are installed: pin a version that has one for this Python, or make one by pip "
    "wheel, name its folder in PIP_FIND_LINKS and pin its hash (pip hash FILE)"
)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


class PythonBuild(PlainBuilder):
    """The sources run from their folder; ``interpreter`` is wirelab's own unless told otherwise."""

    unconfined = "builds by pip are in none"

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def tools(self, part: Part) -> list[Tool]:  # noqa: ARG002
        """None but the Python that runs this."""
        return []

    def inputs(self, part: Part) -> str:
        """Only the packages are built: the sources run where they are."""
        return (
            f"{file_hash(part.source / _LOCK)} {self._interpreter.path} {self._interpreter.build}"
        )

    def build(self, job: Job) -> None:
        """A virtual environment with the packages of ``requirements.txt``, and nothing else."""
        venv = job.output / "venv"
        # Without pip of its own: what is installed is what the contender needs.
        job.log.run([self._interpreter.path, "-m", "venv", "--without-pip", str(venv)])
        lock = job.part.source / _LOCK
        if not list(_requirements(lock)):
            if list(_requirements(job.part.source / _WANTED)):
                raise Unavailable(
                    f"{_LOCK} is missing: packages must be pinned with hashes", _HOW_TO_PIN
                )
            return
        try:
            self._install(job, venv, lock)
        except Unavailable as failure:
            if _NO_WHEEL.search(failure.reason):
                failure.remedy = _HOW_TO_HAVE_A_WHEEL
            raise

    def _install(self, job: Job, venv: Path, lock: Path) -> None:
        job.log.run(
            [
                *(sys.executable, "-m", "pip", "--python", str(venv / "bin" / "python")),
                *("install", "--no-input", "--disable-pip-version-check"),
                # A source package would fetch what builds it, and that no lock file pins.
                *("--require-hashes", "--only-binary", ":all:"),
                *job.part.build.options,
                *("--requirement", str(lock)),
            ]
        )

    def packages(self, output: Path) -> Path:
        """Folder of the packages in the environment of a build."""
        return output / "venv" / self._interpreter.packages

    def places(self, output: Path) -> dict[str, str]:
        """``{python}`` is the environment's interpreter."""
        return {"python": str(output / "venv" / "bin" / "python")}

    def installed_bytes(self, output: Path) -> int:
        """Bytes of the installed packages."""
        return tree_bytes(self.packages(output))

    def dependencies(self, job: Job) -> list[Dependency]:
        """Every distribution of the environment; direct ones stand in ``requirements.in``."""
        found = list(metadata.distributions(path=[str(self.packages(job.output))]))
        direct = set(_requirements(job.part.source / _WANTED))
        return sorted(
            (
                Dependency(
                    name=distribution.name,
                    version=distribution.version,
                    licence=_licence(distribution),
                    direct=_canonical(distribution.name) in direct,
                )
                for distribution in found
            ),
            key=lambda dependency: dependency.name.lower(),
        )


def _requirements(file: Path) -> Iterator[str]:
    """Canonical names in a requirements file; none when there is no such file."""
    if file.is_file():
        for line in file.read_text("utf-8").splitlines():
            name = _REQUIREMENT.match(line)
            if name and not line.startswith(" "):
                yield _canonical(name[1])


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(distribution: metadata.Distribution) -> str:
    """From the expression, the classifiers, the free text, or the licence file, in this order."""
    about = distribution.metadata
    if expressions := about.get_all("License-Expression"):
        return str(expressions[0])
    classified = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier", [])
        if line.startswith("License ::") and line.count("::") > 1
    ]
    if classified:
        return licence_of_names(classified)
    if (free := licence_of_names(about.get_all("License", []))) != UNKNOWN:
        return free
    for name in about.get_all("License-File", []):
        for text in (distribution.read_text(f"licenses/{name}"), distribution.read_text(name)):
            if text:
                return licence_of_text(text)
    return UNKNOWN

"""Python contenders: a virtual environment of their own with hash-pinned packages."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from packaging.utils import canonicalize_name

from wirelab.build import pip
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import file_hash, tree_bytes
from wirelab.build.interpreter import Interpreter
from wirelab.build.licences import UNKNOWN, is_inside, licence_of_file, licence_of_names
from wirelab.build.part import Part
from wirelab.build.requirements import HOW_TO_PIN, LOCK, WANTED, names, pinned
from wirelab.build.tools import Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

_NO_WHEEL = re.compile("No matching distribution found")
_HOW_TO_HAVE_A_WHEEL = (
    "only wheels are installed: pin a version that has one for this Python, or make one by pip "
    "wheel, name its folder in PIP_FIND_LINKS and pin its hash (pip hash FILE)"
)


class PythonBuild(PlainBuilder):
    """The sources run from their folder; ``interpreter`` is wirelab's own unless told otherwise."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def tools(self, part: Part) -> list[Tool]:  # noqa: ARG002
        """None but the Python that runs this."""
        return []

    def inputs(self, part: Part) -> str:
        """Only the packages are built: the sources run where they are."""
        return f"{file_hash(part.source / LOCK)} {self._interpreter.path} {self._interpreter.build}"

    def build(self, job: Job) -> None:
        """A virtual environment with the packages of ``requirements.txt``, and nothing else."""
        venv = job.output / "venv"
        # Without pip of its own: what is installed is what the contender needs.
        job.log.run([self._interpreter.path, "-m", "venv", "--without-pip", str(venv)])
        if job.part.build.options:
            raise Unavailable("a build of the kind python takes no options: pip is given none")
        wanted = pinned(job.part.source / LOCK)
        if not wanted:
            if names(job.part.source / WANTED):
                raise Unavailable(
                    f"{LOCK} is missing: packages must be pinned with hashes", HOW_TO_PIN
                )
            return
        requirements = job.work / LOCK
        requirements.write_text("".join(f"{one.line}\n" for one in wanted), "utf-8")
        try:
            pip.install(job, venv, requirements, pip.fetch(job, venv, requirements))
        except Unavailable as failure:
            if _NO_WHEEL.search(failure.reason):
                failure.remedy = _HOW_TO_HAVE_A_WHEEL
            raise

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
        folders = self.packages(job.output).glob("*.dist-info")
        found = [(folder, metadata.Distribution.at(folder)) for folder in folders]
        direct = names(job.part.source / WANTED)
        return sorted(
            (
                Dependency(
                    name=distribution.name,
                    version=distribution.version,
                    licence=licence_of_wheel(folder, distribution.metadata),
                    direct=canonicalize_name(distribution.name) in direct,
                )
                for folder, distribution in found
            ),
            key=lambda dependency: dependency.name.lower(),
        )


def licence_of_wheel(folder: Path, about: metadata.PackageMetadata) -> str:
    """From the expression, the classifiers, the free text, or the licence file, in this order."""
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
        for file in (f"licenses/{name}", name):
            if is_inside(name) and (found := licence_of_file(folder, file)) != UNKNOWN:
                return found
    return UNKNOWN

"""CMake projects: configured, built and installed into the build's folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from wirelab.build import tools
from wirelab.build.builder import BuiltLibrary, Job, PlainBuilder
from wirelab.build.cargo import cargo_for
from wirelab.build.content import tree_bytes
from wirelab.build.part import Part
from wirelab.build.tools import Tool
from wirelab.model.participant import Dependency


class CMakeBuild(PlainBuilder):
    """``cmake``, ``cmake --build``, ``cmake --install``."""

    sdk = "c"

    def tools(self, part: Part) -> list[Tool]:
        """CMake, make and a C compiler; cargo where sources come from crates."""
        fetching = [cargo_for(part.source)] if part.build.crates else []
        return [tools.CMAKE, tools.MAKE, tools.CC, *fetching]

    def build(self, job: Job) -> None:
        """Release build, installed into the output folder."""
        cmake, source, objects = job.tool("cmake"), job.part.source, job.work / "cmake"
        prefixes = [str(path) for need in job.needs for path in need.prefixes()]
        definitions = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_INSTALL_PREFIX": str(job.output),
            "CMAKE_PREFIX_PATH": ";".join(dict.fromkeys(prefixes)),
            "WIRELAB_SDK": str(job.sdk),
            "WIRELAB_SUITE": str(job.part.room),
        }
        if job.part.build.crates:
            definitions["WIRELAB_CRATES"] = str(_fetch_crates(job))
        arguments = [f"-D{name}={value}" for name, value in definitions.items()]
        options = job.part.build.options
        job.log.compile([cmake, "-S", str(source), "-B", str(objects), *arguments, *options])
        job.log.compile([cmake, "--build", str(objects), f"-j{job.jobs}"])
        job.log.compile([cmake, "--install", str(objects)])

    def installed_bytes(self, output: Path) -> int:
        """Bytes of the installed programs and of shared libraries beside them."""
        return tree_bytes(output / "bin") + sum(
            file.lstat().st_size for file in (output / "lib").glob("**/*.so*")
        )

    def dependencies(self, job: Job) -> list[Dependency]:
        """The libraries of the suite that were linked in, but for what measures them."""
        linked = [need for need in job.needs if not _measures(need.part)]
        found = {need.part.name: _dependency(need, direct=True) for need in linked}
        for need in linked:
            for below in _below(need):
                found.setdefault(below.part.name, _dependency(below, direct=False))
        return list(found.values())


def _fetch_crates(job: Job) -> Path:
    """The sources pinned by the folder's Cargo.lock, laid out as folders."""
    package, crates = job.ours / "package", job.work / "crates"
    package.mkdir()
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copyfile(job.part.source / name, package / name)
    # cargo wants a package to have something to compile; nothing is compiled here.
    (package / "src").mkdir()
    (package / "src" / "lib.rs").touch()
    manifest = str(package / "Cargo.toml")
    vendor = ["vendor", "--locked", "--quiet", "--manifest-path", manifest, str(crates)]
    # The configuration that cargo answers with is for building with cargo.
    job.log.output([job.tool("cargo"), *vendor], cwd=package)
    return crates


def _measures(part: Part) -> bool:
    """Whether a library is the suite's own; what is not built, but for sources, is that always."""
    return part.libraries[part.name].manifest.harness or part.build.kind == "none"


def _below(library: BuiltLibrary) -> list[BuiltLibrary]:
    return [found for need in library.needs for found in (need, *_below(need))]


def _dependency(library: BuiltLibrary, *, direct: bool) -> Dependency:
    part = library.part
    return Dependency(name=part.name, version=part.version, licence=part.licence, direct=direct)

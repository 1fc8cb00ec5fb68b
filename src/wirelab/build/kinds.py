"""Every kind of build."""

from __future__ import annotations

from wirelab.build.builder import Builder
from wirelab.build.cargo import CargoBuild
from wirelab.build.cmake import CMakeBuild
from wirelab.build.dotnet import DotnetBuild
from wirelab.build.go import GoBuild
from wirelab.build.interpreter import Interpreter
from wirelab.build.maven import MavenBuild
from wirelab.build.none import NoBuild
from wirelab.build.npm import NpmBuild
from wirelab.build.python import PythonBuild
from wirelab.model.builds import BuildKind


def builders(python: Interpreter) -> dict[BuildKind, Builder]:
    """A builder of each kind; Python contenders run on ``python``."""
    return {**_BUILDERS, "python": PythonBuild(python)}


_BUILDERS: dict[BuildKind, Builder] = {
    "maven": MavenBuild(),
    "cmake": CMakeBuild(),
    "cargo": CargoBuild(),
    "npm": NpmBuild(),
    "go": GoBuild(),
    "dotnet": DotnetBuild(),
    "none": NoBuild(),
    # ``engine_part`` has turned it into a build by cargo before it comes here.
    "engine": CargoBuild(),
}

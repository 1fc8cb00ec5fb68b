"""How the parts of a suite are built and started, as manifests say it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from wirelab.model.units import Name, Strict

BuildKind = Literal["python", "maven", "cmake", "cargo", "npm", "go", "none", "engine"]
"""``engine`` is wirelab's own, from ``crates/engine``; everything else is in the folder itself."""


class Build(Strict):
    """How a folder becomes something that can be started."""

    kind: BuildKind
    needs: list[Name] = Field(
        default=[],
        description="libraries of the suite (libraries/<name>) to build first; of kind none: "
        "sources that it is compiled or runs with",
    )
    crates: bool = Field(
        default=False,
        description="cmake: fetch the sources pinned by Cargo.lock and pass their folder "
        "as WIRELAB_CRATES",
    )
    options: list[str] = Field(default=[], description="more arguments of the build tool")
    debian: list[str] = Field(default=[], description="Debian packages the build or run needs")


class RunCommand(Strict):
    """The command of a worker.

    Placeholders, also in the environment: ``{source}`` the folder of the sources, ``{build}``
    the build's output, ``{suite}`` the suite's folder, ``{python}`` ``{java}`` ``{node}`` the
    runtimes, ``{sdk}`` the folder ``sdk/``, ``{role}`` (commands only) the role to fill.
    """

    command: list[str] = Field(min_length=1)
    environment: dict[str, str] = {}

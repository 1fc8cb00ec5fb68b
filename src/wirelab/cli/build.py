"""``wl build``: build contenders without running them."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from wirelab.build import Part, PartBuilds, Unavailable, contender_part, service_part
from wirelab.catalog import SuiteEntry
from wirelab.cli.confining import BuildSandboxOption, wish_of
from wirelab.cli.installing import InstallOption, permission
from wirelab.cli.places import ROOT
from wirelab.cli.suites import SuitesOption, known_suites
from wirelab.model.mistake import MistakeError
from wirelab.plan.fillers import services_of
from wirelab.run.confinement import obstacle_of

SOMETHING_UNAVAILABLE = 1

_NOT_COMPILED = ("none", "python")
"""Kinds of build that run no code of packages, so that they take no sandbox."""


def build(
    suites: Annotated[list[str] | None, typer.Argument(help="Suites; all by default.")] = None,
    contender: Annotated[list[str] | None, typer.Option(help="Only these contenders.")] = None,
    install: InstallOption = False,
    sandbox: BuildSandboxOption = None,
    folders: SuitesOption = None,
) -> None:
    """Build contenders and the services they need; what cannot be built is said with its remedy.

    Exit code 1: something could not be built."""
    console = Console()

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    known = known_suites(folders, suites)
    may_install, wish = permission(install=install), wish_of(sandbox)
    workshop = PartBuilds(ROOT, say, may_install=may_install, sandboxed=wish != "none")
    chosen = [_parts(known.suite(name), contender or []) for name in suites or known.all_suites]
    compiled = any(part.build.kind not in _NOT_COMPILED for parts in chosen for part in parts)
    if wish == "required" or (wish != "none" and compiled):
        _check_sandbox(workshop, required=wish == "required")
    missing = False
    for parts in chosen:
        workshop.foresee(parts)
        for part in parts:
            try:
                built = workshop.prepare(part)
            except Unavailable as unavailable:
                missing = True
                remedy = f"; to mend it: {unavailable.remedy}" if unavailable.remedy else ""
                say(f"{part.title}: unavailable: {unavailable.reason}{remedy}")
            else:
                megabytes = built.ownership.install_bytes / 1e6
                count = len(built.ownership.dependencies)
                say(f"{part.title}: ready, {megabytes:.1f} MB, {count} dependencies")
    raise typer.Exit(SOMETHING_UNAVAILABLE if missing else 0)


def _check_sandbox(workshop: PartBuilds, *, required: bool) -> None:
    """Have what sandboxes take, where that may be installed; who insists on one must get it."""
    found = obstacle_of(workshop, may_ask=required)
    if found is not None and required:
        said = f"{found.reason}; to mend it: {found.remedy}"
        raise MistakeError(f"builds are to be kept in sandboxes: {said}")


def _parts(suite: SuiteEntry, contenders: list[str]) -> list[Part]:
    """The contenders, and before them the services that play roles beside them."""
    entries = suite.chosen_contenders(contenders)
    beside = {name for entry in entries for name in services_of(suite.manifest, entry.manifest)}
    services = [service_part(suite, name) for name in suite.manifest.services if name in beside]
    return [*services, *(contender_part(suite, entry) for entry in entries)]

"""Fetching packages of NuGet, by a restore of a project that we have written, and of no other.

A project is code, and so are the properties and targets that packages bring. Those of packages are
taken up by what is restored next, so that one restore in an empty folder runs none of them. Where
a project lies beside the sources, its packages are those of its lock file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wirelab.build.builder import Job
from wirelab.build.nuget import LOCK
from wirelab.build.project import Project, is_written
from wirelab.build.source_text import text_of
from wirelab.build.templates import template
from wirelab.build.unavailable import Unavailable

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
_VERSION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,254}")

_OF_OTHER_FOLDERS = ("DirectoryBuildProps", "DirectoryBuildTargets", "DirectoryPackagesProps")
"""Files that MSBuild looks for in every folder above, such as the user's home."""


def packages_of(job: Job) -> dict[str, str]:
    """The variable that has NuGet find what was fetched."""
    return {"NUGET_PACKAGES": str(job.downloads)}


def properties(job: Job, *, held: bool) -> list[str]:
    """Properties of every project here; ``held``: to its lock file."""
    said = {
        "WirelabSdk": job.sdk,
        "WirelabSuite": job.part.room,
        "RestoreLockedMode": str(held).lower(),
        **{f"Import{name}": "false" for name in _OF_OTHER_FOLDERS},
    }
    return ["-noAutoResponse", *(f"-p:{name}={value}" for name, value in said.items())]


def write_version(job: Job, folder: Path) -> None:
    """Have dotnet in a folder be of the version that the key of the build names."""
    version = {"version": job.tools["dotnet"].version, "rollForward": "disable"}
    (folder / "global.json").write_text(json.dumps({"sdk": version}), "utf-8")


def fetch(job: Job, project: Project, lock: Path) -> Path | None:
    """Fetch what a part takes; the lock file that a restore without one has made, if it has."""
    folder = job.ours / "fetching"
    folder.mkdir()
    write_version(job, folder)
    written = is_written(project, job.part)
    if written:
        (folder / project.name).write_text(project.text, "utf-8")
        if lock.is_file():
            (folder / LOCK).write_bytes(lock.read_bytes())
    elif lock.is_file():
        packages = sorted(set(_locked(lock)))
        text = template("packages.csproj.j2").render(packages=packages)
        (folder / project.name).write_text(text, "utf-8")
    else:
        return None  # it takes none, or the restore in the sandbox says which are missing
    held = written and lock.is_file()
    restore = [job.tool("dotnet"), "restore", project.name, *properties(job, held=held)]
    with job.fetching():
        job.log.run(restore, cwd=folder, environment=packages_of(job))
    return folder / LOCK if written and not lock.is_file() else None


def _locked(lock: Path) -> Iterator[tuple[str, str]]:
    """Name and version of every package that a lock file pins; projects are none."""
    try:
        content: dict[str, Any] = json.loads(text_of(lock) or "")
    except (OSError, ValueError):
        return  # what is wrong with it is said by NuGet
    for packages in content.get("dependencies", {}).values():
        for name, package in packages.items():
            if package.get("type") == "Project":
                continue
            version = package.get("resolved", "")
            if not _NAME.fullmatch(name) or not _VERSION.fullmatch(version):
                raise Unavailable(f"{lock}: {name!r} {version!r} is no package in a version")
            yield name, version

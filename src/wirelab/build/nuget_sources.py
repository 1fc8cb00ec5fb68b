"""Sources of NuGet, as the user has configured them: which packages none of them has."""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from wirelab import cache
from wirelab.build import surroundings
from wirelab.build.nuget import is_folder
from wirelab.build.unavailable import Unavailable

_REMEDY = "add a NuGet source that has it: dotnet nuget add source FOLDER-OR-ADDRESS"
_ANSWER_LIMIT_S = 30

_NOT_FOUND = re.compile(
    r"NU110[12]: Unable to find package ([\w.-]+?)"
    r"(?: with version \(= ([\w.+-]+)\)|\. No packages)"
)
"""NuGet's message about a package that no source has, or not in the version asked for."""


def absent(packages: Iterable[str], dotnet: Path) -> Unavailable | None:
    """Say that no source has some of ``packages``, each ``id:version``, as far as folders tell.

    A source that is a server may have anything: it is asked when something is built.
    """
    places = _sources(dotnet)
    if places is None or not all(map(is_folder, places)):
        return None
    # What was fetched before is asked of no source.
    kept = [*map(Path, places), cache.downloads() / "dotnet"]
    missing = [package for package in packages if not any(_has(place, package) for place in kept)]
    return _unavailable(dict.fromkeys(package.replace(":", " ") for package in missing))


def refused(failure: Unavailable, packages: Iterable[str]) -> Unavailable | None:
    """The failure of a restore, where it is that no source has some package."""
    versions = dict(package.split(":") for package in packages)
    found = _NOT_FOUND.findall(failure.reason)
    names = (f"{name} {version or versions.get(name, '')}".strip() for name, version in found)
    return _unavailable(dict.fromkeys(names), failure.log)


def _unavailable(names: Iterable[str], log: Path | None = None) -> Unavailable | None:
    if not (said := ", ".join(names)):
        return None
    return Unavailable(f"no source of NuGet has the package {said}", _REMEDY, log)


def _has(place: Path, package: str) -> bool:
    """Whether a folder has a package, in any of the ways in which NuGet lays folders out."""
    name, version = package.lower().split(":")
    file = f"{name}.{version}.nupkg"
    if any((place / below / file).is_file() for below in ("", name, f"{name}/{version}")):
        return True
    return place.is_dir() and any(found.name.lower() == file for found in place.iterdir())


def _sources(dotnet: Path) -> list[str] | None:
    """Folders and addresses that are switched on; None where that is not told."""
    lines = _said(dotnet, "list", "source", "--format", "short")
    if lines is None:
        return None
    told = (line.split(maxsplit=1) for line in lines)
    return [place for flags, place in told if "E" in flags]


def _said(dotnet: Path, *words: str) -> list[str] | None:
    """Lines that ``dotnet nuget`` says; None where it does not work, which a build will tell."""
    answer = _asked(str(dotnet), words, tuple(sorted(surroundings.environment().items())))
    if answer is None:
        return None
    return [line for line in answer.splitlines() if " " in line.strip()]


@functools.cache
def _asked(
    dotnet: str, words: tuple[str, ...], environment: tuple[tuple[str, str], ...]
) -> str | None:
    try:
        answer = subprocess.run(
            [dotnet, "nuget", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ANSWER_LIMIT_S,
            check=False,
            env=dict(environment),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout if answer.returncode == 0 else None

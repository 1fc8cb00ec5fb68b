"""Node.js packages, with what their package-lock.json pins."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

from wirelab.build import npm_lock, tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import source_files, tree_bytes
from wirelab.build.licences import licence_of_names
from wirelab.build.npm_lock import LOCK, PACKAGE
from wirelab.build.part import Part
from wirelab.build.source_text import json_of
from wirelab.build.tools import Tool, parse_version
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency
from wirelab.samples.removal import remove

_SDK = "wirelab-sdk"
_SDK_TESTS = "test"
_PLACED = "placed-packages"
_OF_AN_INSTALLATION = ("preinstall", "install", "postinstall", "prepare")
_SCRIPTS = re.compile(r"--(no-)?ignore-scripts(?:=(\w+))?")
_NO_GIT = ("--allow-git=none", "--git=false")
"""No repository is cloned: an npm that does not know the first is given no program for it."""

_OPTION = re.compile(
    r"--(?:omit|include|install-strategy)=[a-z]+|--(?:legacy-peer-deps|strict-peer-deps|force)"
)
"""Options that choose packages: others name programs and folders, and npm runs with a network."""


class NpmBuild(PlainBuilder):
    """The sources are copied, because Node.js looks for packages beside them.

    The SDK and the suite's own sources that it needs are put among the packages for the same
    reason; ``package.json`` does not name them.
    """

    sdk = "node"

    def tools(self, part: Part) -> list[Tool]:
        """Node.js as new as the package asks for, and npm."""
        engines = json_of(part.source / PACKAGE).get("engines", {})
        return [tools.NODE.at_least(parse_version(engines.get("node", ""))), tools.NPM]

    def build(self, job: Job) -> None:
        """``npm ci`` fetches; then scripts, where the manifest or the package asks for some."""
        _copy(job.part.source, job.output)
        npm_lock.check(job.output, job.part.source)
        npm = [job.tool("npm"), "--no-audit", "--no-fund", "--no-update-notifier"]
        scripts = json_of(job.output / PACKAGE).get("scripts", {})
        allowed, options = _options(job)
        later = "build" in scripts
        wanted = [] if later else ["--omit=dev"]
        job.log.run(
            [*npm, "ci", *options, *wanted, "--ignore-scripts", *_NO_GIT],
            cwd=job.output,
            environment={"npm_config_cache": str(job.downloads)},
        )
        offline = [*npm, "--offline", f"--cache={job.work / 'npm'}"]
        if allowed:
            job.log.compile([*offline, "rebuild", *options], cwd=job.output)
            for name in filter(scripts.__contains__, _OF_AN_INSTALLATION):
                job.log.compile([*offline, "run", name], cwd=job.output)
        job.settle()
        if later:
            _place_sources(job)
            job.log.compile([*offline, "run", "build"], cwd=job.output)
            # Pruning takes these away too, as packages that nobody asked for.
            prune = [*offline, "prune", "--omit=dev", "--ignore-scripts"]
            job.log.compile(prune, cwd=job.output)
            job.settle()
        _place_sources(job)

    def installed_bytes(self, output: Path) -> int:
        """Bytes of ``node_modules`` without the SDK: it is what measuring costs."""
        packages = output / "node_modules"
        placed = (output / _PLACED).read_text("utf-8").split()
        return tree_bytes(packages) - sum(tree_bytes(packages / name) for name in placed)

    def dependencies(self, job: Job) -> list[Dependency]:
        """Packages of the lock file that are installed."""
        packages = json_of(job.part.source / LOCK).get("packages", {})
        direct = packages.get("", {}).get("dependencies", {})
        found = []
        for place, package in packages.items():
            if not place.startswith("node_modules/") or not (job.output / place).is_dir():
                continue
            name = place.rpartition("node_modules/")[2]
            found.append(
                Dependency(
                    name=name,
                    version=package.get("version", ""),
                    licence=_licence(package, job.output / place),
                    direct=place == f"node_modules/{name}" and name in direct,
                )
            )
        return sorted(found, key=lambda dependency: dependency.name)


def _options(job: Job) -> tuple[bool, list[str]]:
    """Whether the manifest lets scripts of packages run, and its other options."""
    said = [_SCRIPTS.fullmatch(option) for option in job.part.build.options]
    others = [
        option for option, found in zip(job.part.build.options, said, strict=True) if not found
    ]
    for option in others:
        if not _OPTION.fullmatch(option):
            raise Unavailable(f"options = [{option!r}]: not one that npm is given here")
    allowed = any(found and (found[1] or found[2] == "false") for found in said)
    return allowed, others


def _place_sources(job: Job) -> None:
    """Put the SDK, and sources of the suite that the part needs, where packages are looked for."""
    packages = {_SDK: job.sdk / "node"}
    for need in job.needs:
        packages[json_of(need.part.source / PACKAGE)["name"]] = need.part.source
    modules, placed = job.output / "node_modules", job.output / _PLACED
    # Scripts of packages may have put links in their places.
    for path in (placed, *(modules / name for name in packages)):
        if os.path.lexists(path):
            remove(path)
    if modules.is_symlink():
        modules.unlink()
    for name, source in packages.items():
        _copy(source, modules / name, without=_SDK_TESTS)
    placed.write_text("\n".join(packages), "utf-8")


def _copy(source: Path, target: Path, without: str = "") -> None:
    """The source files of a folder; ``without`` is a folder in it that is left out."""
    for file in source_files(source):
        inside = file.relative_to(source)
        if inside.parts[0] != without:
            copy = target / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copy, follow_symlinks=False)


def _licence(package: dict[str, Any], folder: Path) -> str:
    """From the lock file; older ones lack it, the installed package has it."""
    stated = package.get("license") or _about(folder).get("license", "")
    if isinstance(stated, dict):
        stated = stated.get("type", "")
    return licence_of_names([str(stated)])


def _about(folder: Path) -> dict[str, Any]:
    """The file of an installed package about itself; empty where it cannot be read."""
    try:
        return json_of(folder / PACKAGE)
    except Unavailable:
        return {}

"""Node.js packages, with what their package-lock.json pins."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

from wirelab.build import tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import source_files, tree_bytes
from wirelab.build.licences import licence_of_names
from wirelab.build.part import Part
from wirelab.build.tools import Tool, parse_version
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

_SDK = "wirelab-sdk"
_SDK_TESTS = "test"
_PLACED = "placed-packages"


class NpmBuild(PlainBuilder):
    """The sources are copied, because Node.js looks for packages beside them.

    The SDK and the suite's own sources that it needs are put among the packages for the same
    reason; ``package.json`` does not name them.
    """

    sdk = "node"

    def tools(self, part: Part) -> list[Tool]:
        """Node.js as new as the package asks for, and npm."""
        engines = _json(part.source / "package.json").get("engines", {})
        return [tools.NODE.at_least(parse_version(engines.get("node", ""))), tools.NPM]

    def build(self, job: Job) -> None:
        """``npm ci``; then the package's own ``build`` script, where it has one."""
        _check_lock(job)
        _copy(job.part.source, job.output)
        npm = [job.tool("npm"), "--no-audit", "--no-fund", "--no-update-notifier"]
        # Scripts of packages run only where the manifest's options allow them.
        install = [*npm, "ci", "--ignore-scripts", *job.part.build.options]
        if "build" in _json(job.part.source / "package.json").get("scripts", {}):
            job.log.run(install, cwd=job.output)
            _place_sources(job)
            job.log.run([*npm, "run", "build"], cwd=job.output)
            # Pruning takes these away too, as packages that nobody asked for.
            prune = [*npm, "prune", "--omit=dev", "--ignore-scripts"]
            job.log.run(prune, cwd=job.output)
        else:
            job.log.run([*install, "--omit=dev"], cwd=job.output)
        _place_sources(job)

    def installed_bytes(self, output: Path) -> int:
        """Bytes of ``node_modules`` without the SDK: it is what measuring costs."""
        packages = output / "node_modules"
        placed = (output / _PLACED).read_text("utf-8").split()
        return tree_bytes(packages) - sum(tree_bytes(packages / name) for name in placed)

    def dependencies(self, job: Job) -> list[Dependency]:
        """Packages of the lock file that are installed."""
        packages = _json(job.part.source / "package-lock.json").get("packages", {})
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


def _place_sources(job: Job) -> None:
    """Put the SDK, and sources of the suite that the part needs, where packages are looked for."""
    packages = {_SDK: job.sdk / "node"}
    for need in job.needs:
        packages[_json(need.part.source / "package.json")["name"]] = need.part.source
    for name, source in packages.items():
        _copy(source, job.output / "node_modules" / name, without=_SDK_TESTS)
    (job.output / _PLACED).write_text("\n".join(packages), "utf-8")


def _copy(source: Path, target: Path, without: str = "") -> None:
    """The source files of a folder; ``without`` is a folder in it that is left out."""
    for file in source_files(source):
        inside = file.relative_to(source)
        if inside.parts[0] != without:
            copy = target / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copy)


def _check_lock(job: Job) -> None:
    lock = job.part.source / "package-lock.json"
    packages = _json(lock).get("packages", {})
    if not packages:
        raise Unavailable(
            f"{lock.name} is missing or of a version before 2: nothing is pinned",
            f"cd {shlex.quote(str(lock.parent))} && npm install --package-lock-only",
        )
    for place, package in packages.items():
        pinned = package.get("integrity") or package.get("link") or package.get("inBundle")
        if place.startswith("node_modules/") and not pinned:
            raise Unavailable(f"{lock.name}: {place} has no integrity hash")


def _json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        # What is wrong with it is said by npm.
        return {}
    return content if isinstance(content, dict) else {}


def _licence(package: dict[str, Any], folder: Path) -> str:
    """From the lock file; older ones lack it, the installed package has it."""
    stated = package.get("license") or _json(folder / "package.json").get("license", "")
    if isinstance(stated, dict):
        stated = stated.get("type", "")
    return licence_of_names([str(stated)])

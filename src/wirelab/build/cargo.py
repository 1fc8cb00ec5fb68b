"""Rust packages, with the crates of their Cargo.lock."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wirelab.build import tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import tree_bytes
from wirelab.build.part import Part
from wirelab.build.tools import Tool, parse_version
from wirelab.build.unavailable import Unavailable
from wirelab.model.run import Dependency

_LOCK_FORMATS = {4: (1, 78)}
"""First version of cargo that reads a format of Cargo.lock (Rust 1.78 release notes)."""


class CargoBuild(PlainBuilder):
    """``cargo build --release --locked``; the programs are copied to ``bin/``."""

    sdk = "rust"

    def tools(self, part: Part) -> list[Tool]:
        """Cargo, and the C compiler it links with."""
        return [cargo_for(part.source), tools.CC]

    def build(self, job: Job) -> None:
        """Release build of every program of the package."""
        said = job.log.output(
            [
                *(job.tool("cargo"), "build", "--release", "--locked"),
                *("--message-format", "json-render-diagnostics"),
                *("--manifest-path", _manifest(job)),
                # One for all: contenders have most of their crates in common.
                *("--target-dir", str(job.repository / ".wirelab" / "cargo")),
                *job.part.build.options,
            ]
        )
        programs = [Path(m["executable"]) for m in _messages(said) if m.get("executable")]
        if not programs:
            raise Unavailable("cargo built no program", f"cat {job.log.path}", job.log.path)
        (job.output / "bin").mkdir()
        for program in programs:
            shutil.copy2(program, job.output / "bin" / program.name)

    def installed_bytes(self, output: Path) -> int:
        """Bytes of the programs."""
        return tree_bytes(output / "bin")

    def dependencies(self, job: Job) -> list[Dependency]:
        """Crates that are linked in, by ``cargo metadata`` for this host."""
        path = ("--manifest-path", _manifest(job))
        arguments = ("metadata", "--format-version", "1", "--locked", *path)
        host = ("--filter-platform", _host(job))
        answer = json.loads(job.log.output([job.tool("cargo"), *arguments, *host]))
        packages = {package["id"]: package for package in answer["packages"]}
        nodes = {node["id"]: node for node in answer["resolve"]["nodes"]}
        own = answer["workspace_members"]
        direct = {crate for member in own for crate in _linked(nodes[member])}
        linked, waiting = set[str](), list(direct)
        while waiting:
            crate = waiting.pop()
            if crate not in linked:
                linked.add(crate)
                waiting.extend(_linked(nodes[crate]))
        return sorted(
            (_dependency(packages[crate], crate in direct) for crate in linked.difference(own)),
            key=lambda found: found.name,
        )


def cargo_for(source: Path) -> Tool:
    """A cargo that reads the folder's lock file and is as new as its package asks for."""
    locked = _toml(source / "Cargo.lock").get("version", 3)
    wanted = _toml(source / "Cargo.toml").get("package", {}).get("rust-version", "")
    asked = parse_version(wanted) if isinstance(wanted, str) else ()
    return tools.CARGO.at_least(_LOCK_FORMATS.get(locked, ())).at_least(asked)


def _manifest(job: Job) -> str:
    """Where it really is: cargo compiles a crate again for every other path to it."""
    return str((job.part.source / "Cargo.toml").resolve())


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        # What is wrong with it is said by cargo.
        return {}


def _messages(said: str) -> Iterator[dict[str, Any]]:
    for line in said.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def _host(job: Job) -> str:
    said = job.log.output([job.tool("cargo"), "--version", "--verbose"])
    return next(line.split()[1] for line in said.splitlines() if line.startswith("host:"))


def _linked(node: dict[str, Any]) -> list[str]:
    """Crates that a crate links, those of its build scripts and tests left out."""
    return [
        dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])
    ]


def _dependency(package: dict[str, Any], direct: bool) -> Dependency:
    licence = package.get("license") or "unknown"
    return Dependency(
        name=package["name"],
        version=package["version"],
        licence=licence.replace("/", " OR "),
        direct=direct,
    )

"""Rust packages, with the crates of their Cargo.lock."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wirelab.build import tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import content_hash, tree_bytes
from wirelab.build.crates import fetch, home_of, sources_of
from wirelab.build.part import Part
from wirelab.build.source_text import toml_of
from wirelab.build.tools import Tool, parse_version
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

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
        with job.fetching():
            fetch(
                job, "fetch", "--locked", "--target", _host(job), "--manifest-path", _manifest(job)
            )
        with job.cargo() as target:
            target.mkdir(parents=True, exist_ok=True)
            _forget_changed(job, target)
            said = _offline(
                job,
                [
                    *("build", "--release", "--locked"),
                    *("--message-format", "json-render-diagnostics"),
                    *("--manifest-path", _manifest(job)),
                    *("--target-dir", str(target)),
                    *job.part.build.options,
                ],
                target,
            )
            programs = [Path(m["executable"]) for m in _messages(said) if m.get("executable")]
            if not programs:
                raise Unavailable("cargo built no program", f"cat {job.log.path}", job.log.path)
            (job.output / "bin").mkdir()
            # In the sandbox as well: a build script may have put a link in the place of a program.
            into = str(job.output / "bin")
            job.log.compile(["cp", "--", *map(str, programs), into], writes=[target])

    def installed_bytes(self, output: Path) -> int:
        """Bytes of the programs."""
        return tree_bytes(output / "bin")

    def dependencies(self, job: Job) -> list[Dependency]:
        """Crates that are linked in, by ``cargo metadata`` for this host."""
        answer = _metadata(job)
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
            # A program may link several versions of a crate.
            key=lambda found: (found.name, found.version),
        )


def cargo_for(source: Path) -> Tool:
    """A cargo that reads the folder's lock file and is as new as its package asks for."""
    locked = toml_of(source / "Cargo.lock").get("version", 3)
    wanted = toml_of(source / "Cargo.toml").get("package", {}).get("rust-version", "")
    asked = parse_version(wanted) if isinstance(wanted, str) else ()
    return tools.CARGO.at_least(_LOCK_FORMATS.get(locked, ())).at_least(asked)


def _manifest(job: Job) -> str:
    """Resolve the real path of the manifest: cargo compiles a crate again for every other path to
    it.
    """
    return str((job.part.source / "Cargo.toml").resolve())


def _metadata(job: Job) -> dict[str, Any]:
    """Cargo's metadata of the package and of everything it depends on, on this host."""
    said = _offline(
        job,
        [
            *("metadata", "--format-version", "1", "--locked"),
            *("--manifest-path", _manifest(job), "--filter-platform", _host(job)),
        ],
    )
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError:
        reason = "cargo metadata did not answer in JSON"
        raise Unavailable(reason, f"cat {job.log.path}", job.log.path) from None
    return answer


def _forget_changed(job: Job, target: Path) -> None:
    """Have packages of the repository compiled again whose content is not what it was.

    cargo compares times, and takes the package of another clone for the same one: the files of this
    clone may be older than what was compiled from that one's.
    """
    for package in _metadata(job)["packages"]:
        if package["source"] is None and _has_changed(job, package, target):
            _offline(
                job,
                [
                    *("clean", "--release", "--locked", "--package", package["id"]),
                    *("--manifest-path", _manifest(job), "--target-dir", str(target)),
                ],
                target,
            )


def _has_changed(job: Job, package: dict[str, Any], target: Path) -> bool:
    """Whether a package had another content when it was last compiled into ``target``, wherever."""
    manifest = Path(package["manifest_path"])
    content = content_hash(manifest.parent)
    if str(manifest) == _manifest(job):
        # Its build script may read them.
        content += "".join(need.key for need in job.needs)
    named = f"{package['name']} {package['version']}"
    # Beside the folder, which build scripts can write to.
    stamps = target.with_name(f"{target.name}-compiled-from")
    stamp = stamps / hashlib.sha256(named.encode()).hexdigest()
    before = stamp.read_text("ascii") if stamp.exists() else ""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(content, "ascii")
    return before != content


def _offline(job: Job, words: Sequence[str], *writes: Path) -> str:
    """Run cargo without a network, in the sandbox of the build."""
    command = [job.tool("cargo"), *words, "--offline", *sources_of()]
    return job.log.compiled(command, environment=home_of(job), writes=writes)


def _messages(said: str) -> Iterator[dict[str, Any]]:
    for line in said.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def _host(job: Job) -> str:
    said = job.log.output([job.tool("cargo"), "--version", "--verbose"])
    hosts = [line.split()[1] for line in said.splitlines() if line.startswith("host: ")]
    if not hosts:
        reason = "cargo --version --verbose names no host"
        raise Unavailable(reason, f"cat {job.log.path}", job.log.path)
    return hosts[0]


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

"""C# contenders, with the packages of NuGet that their packages.lock.json pins."""

from __future__ import annotations

import contextlib
import hashlib
import shlex
import shutil
from pathlib import Path

from wirelab.build import nuget_fetch, nuget_sources, tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import content_hash, source_files, tree_bytes
from wirelab.build.nuget import LOCK, locked
from wirelab.build.part import Part
from wirelab.build.project import WRITTEN, Project, is_written, project_of, shared_folders
from wirelab.build.tools import Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

_SAYS_ANOTHER_LOCK = ("NU1004", "NU1403")
"""NuGet's codes for a lock file of other packages, and for a package of another content."""


class DotnetBuild(PlainBuilder):
    """``dotnet publish -c Release`` with a locked restore, into ``app/``.

    A project that was written stays in the output, for whoever wants it in an editor.
    """

    sdk = "csharp"

    def tools(self, part: Part) -> list[Tool]:  # noqa: ARG002
        """The SDK of .NET, which brings the runtime."""
        return [tools.DOTNET]

    def lacking(self, part: Part) -> Unavailable | None:
        """Packages that no source has, of those that no lock file pins."""
        dotnet = tools.DOTNET.find()
        if dotnet is None or part.build.pinned == "hash":
            return None
        return nuget_sources.absent(part.build.dependencies, dotnet.path)

    def inputs(self, part: Part) -> str:
        """The sources, the project, and the folders of the suite that are compiled in."""
        digest = hashlib.sha256(project_of(part).text.encode()).hexdigest()
        folders = map(content_hash, shared_folders(part))
        pinned = [part.build.pinned] if part.build.pinned == "version" else []
        return " ".join([super().inputs(part), digest, *folders, *pinned])

    def build(self, job: Job) -> None:
        """Publish a copy of the sources with the packages of the lock file, in the sandbox."""
        project = project_of(job.part)
        lock = _lock_of(job)
        try:
            made = nuget_fetch.fetch(job, project, lock)
            if made is not None and locked(made, []):
                _first_lock(job, made, lock)
            copy = _copy(job, project)
            if lock.is_file():
                shutil.copyfile(lock, copy / LOCK)
            self._publish(job, project, copy)
        except Unavailable as failure:
            absent = nuget_sources.refused(failure, job.part.build.dependencies)
            if absent and not lock.is_file() and not is_written(project, job.part):
                absent = _nothing_pins(job, project)
            raise absent or _of_the_lock(failure, lock) from None

    def _publish(self, job: Job, project: Project, copy: Path) -> None:
        nowhere = job.work / "no-source"
        nowhere.mkdir()
        publish = [job.tool("dotnet"), "publish", project.name, "--configuration", "Release"]
        publish += ["--output", str(job.output / "app"), "--nologo", f"-maxCpuCount:{job.jobs}"]
        publish += nuget_fetch.properties(job, held=(copy / LOCK).is_file())
        publish += [f"-p:RestoreSources={nowhere}", *job.part.build.options]
        job.log.compile(publish, cwd=copy, environment=nuget_fetch.packages_of(job))

    def installed_bytes(self, output: Path) -> int:
        """Bytes of what was published."""
        return tree_bytes(output / "app")

    def dependencies(self, job: Job) -> list[Dependency]:
        """Packages of the lock file."""
        lock = _lock_of(job)
        return locked(lock, [job.downloads], held=job.part.build.pinned == "hash")


def runtime_of(program: Path) -> list[Path]:
    """Paths needed to run a published program: ``dotnet``, and the runtimes beside it."""
    real = program.resolve()
    return [program, real, *(real.parent / name for name in ("host", "shared"))]


def _copy(job: Job, project: Project) -> Path:
    """A copy of the sources, in which dotnet is of the version that the key of the build names."""
    copy = job.work / "source"
    copy.mkdir()
    for file in source_files(job.part.source):
        target = copy / file.relative_to(job.part.source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target, follow_symlinks=False)
    if not (copy / project.name).is_file():
        (copy / project.name).write_text(project.text, "utf-8")
        shutil.copyfile(copy / project.name, job.output / WRITTEN)
    nuget_fetch.write_version(job, copy)
    return copy


def _lock_of(job: Job) -> Path:
    """The lock file that holds a restore.

    Where packages are pinned by version alone, it is the one that the first restore has left beside
    the builds, for whoever asks for the same packages.
    """
    part = job.part
    beside = part.source / LOCK
    if part.build.pinned == "hash":
        return beside
    if beside.is_file():
        raise Unavailable(
            f'{beside} pins the packages by hash, and [build] says pinned = "version"',
            "remove the one or the other",
        )
    digest = hashlib.sha256(" ".join(sorted(part.build.dependencies)).encode()).hexdigest()
    return job.output.with_name(f"{part.suite}-{part.source.resolve().name}-{digest[:12]}.{LOCK}")


def _first_lock(job: Job, made: Path, lock: Path) -> None:
    """Keep or reject the lock file of a restore that no lock file has held."""
    if job.part.build.pinned == "hash":
        write = shlex.join(["cp", str(shutil.copy2(made, job.output)), str(lock)])
        raise Unavailable(f"{LOCK} is missing: nothing pins the packages", write, job.log.path)
    whole = shutil.copyfile(made, job.ours / LOCK)
    with contextlib.suppress(FileExistsError):
        lock.hardlink_to(whole)
    if lock.read_bytes() != made.read_bytes():
        raise Unavailable(
            f"another build has written {lock} meanwhile", "build again", job.log.path
        )


def _nothing_pins(job: Job, project: Project) -> Unavailable:
    """Say how to have a lock file beside a project that is not ours to evaluate with a network."""
    write = (
        f"cd {shlex.quote(str(job.part.source))} && dotnet restore --use-lock-file {project.name}"
    )
    return Unavailable(f"{LOCK} is missing: nothing pins the packages", write, job.log.path)


def _of_the_lock(failure: Unavailable, lock: Path) -> Unavailable:
    """The failure with its remedy, where the lock file is its reason."""
    if not any(code in failure.reason for code in _SAYS_ANOTHER_LOCK):
        return failure
    reason = f"the packages are not those of {lock.name}: {failure.reason}"
    remove = shlex.join(["rm", str(lock)])
    return Unavailable(reason, f"if that is meant: {remove}, and build again", failure.log)

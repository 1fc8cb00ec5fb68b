"""C# contenders, with the packages of NuGet that their packages.lock.json pins."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
from pathlib import Path

from wirelab.build import tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import content_hash, source_files, tree_bytes
from wirelab.build.nuget import LOCK, caches_of, locked
from wirelab.build.part import Part
from wirelab.build.project import WRITTEN, Project, project_of, shared_folders
from wirelab.build.tools import Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

_SAYS_ANOTHER_LOCK = ("NU1004", "NU1403")
"""NuGet's codes for a lock file of other packages, and for a package of another content."""

_OF_OTHER_FOLDERS = ("DirectoryBuildProps", "DirectoryBuildTargets", "DirectoryPackagesProps")
"""Files that MSBuild looks for in every folder above, such as the user's home."""


class DotnetBuild(PlainBuilder):
    """``dotnet publish -c Release`` with a locked restore, into ``app/``.

    A project that was written stays in the output, for whoever wants it in an editor.
    """

    sdk = "csharp"

    def tools(self, part: Part) -> list[Tool]:  # noqa: ARG002
        """The SDK of .NET, which brings the runtime."""
        return [tools.DOTNET]

    def inputs(self, part: Part) -> str:
        """The sources, the project, and the folders of the suite that are compiled in."""
        digest = hashlib.sha256(project_of(part).text.encode()).hexdigest()
        folders = map(content_hash, shared_folders(part))
        return " ".join([super().inputs(part), digest, *folders])

    def build(self, job: Job) -> None:
        """Publish a copy of the sources with the packages of the lock file."""
        project = project_of(job.part)
        copy = _copy(job, project)
        lock = job.part.source / LOCK
        properties = {
            "WirelabSdk": job.sdk,
            "WirelabSuite": job.part.room,
            "RestoreLockedMode": str(lock.is_file()).lower(),
            **{f"Import{name}": "false" for name in _OF_OTHER_FOLDERS},
        }
        publish = [job.tool("dotnet"), "publish", project.name, "--configuration", "Release"]
        publish += ["--output", str(job.output / "app"), "--nologo", f"-maxCpuCount:{job.jobs}"]
        publish += [f"-p:{name}={value}" for name, value in properties.items()]
        try:
            job.log.run([*publish, *job.part.build.options], cwd=copy)
        except Unavailable as failure:
            raise _of_the_lock(failure, lock) from None
        if not lock.is_file() and locked(copy / LOCK, []):
            made = shutil.copy2(copy / LOCK, job.output)
            write = shlex.join(["cp", str(made), str(lock)])
            raise Unavailable(f"{LOCK} is missing: nothing pins the packages", write, job.log.path)

    def installed_bytes(self, output: Path) -> int:
        """Bytes of what was published."""
        return tree_bytes(output / "app")

    def dependencies(self, job: Job) -> list[Dependency]:
        """Packages of the lock file."""
        caches = caches_of(job.work / "source" / "obj" / "project.assets.json")
        return locked(job.part.source / LOCK, caches)


def runtime_of(program: Path) -> list[Path]:
    """What has to be there to run what was published: ``dotnet``, and the runtimes beside it."""
    real = program.resolve()
    return [program, real, *(real.parent / name for name in ("host", "shared"))]


def _copy(job: Job, project: Project) -> Path:
    """A copy of the sources, in which dotnet is of the version that the key of the build names."""
    copy = job.work / "source"
    copy.mkdir()
    for file in source_files(job.part.source):
        target = copy / file.relative_to(job.part.source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    if not (copy / project.name).is_file():
        (copy / project.name).write_text(project.text, "utf-8")
        shutil.copyfile(copy / project.name, job.output / WRITTEN)
    version = {"version": job.tools["dotnet"].version, "rollForward": "disable"}
    (copy / "global.json").write_text(json.dumps({"sdk": version}), "utf-8")
    return copy


def _of_the_lock(failure: Unavailable, lock: Path) -> Unavailable:
    """The failure with its remedy, where the lock file is its reason."""
    if not any(code in failure.reason for code in _SAYS_ANOTHER_LOCK):
        return failure
    reason = f"the packages are not those of {LOCK}: {failure.reason}"
    remove = shlex.join(["rm", str(lock)])
    return Unavailable(reason, f"if that is meant: {remove}, and build again", failure.log)

"""Java contenders: Maven, with a lock of our own over the jars it resolved."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
import shutil
from pathlib import Path

from wirelab.build import tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import content_hash, file_hash, files_below, source_files
from wirelab.build.jars import dependencies_of
from wirelab.build.maven_repository import (
    compile_with_what_it_asks_for,
    fetch_own,
    fetch_written,
    offline,
    places,
)
from wirelab.build.part import Part
from wirelab.build.pom import pom_of
from wirelab.build.tools import Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency
from wirelab.samples.removal import remove

_LOCK = "dependencies.sha256"
_POM = "pom.xml"

_OF_SUITE = re.compile(r"\$\{wirelab\.suite\}([^<$]*)")


class MavenBuild(PlainBuilder):
    """``mvn package``: the POM puts ``app.jar`` and ``lib/*.jar`` into ``wirelab.output``.

    A POM that was written stays there too, for whoever wants it in an editor. Maven pins versions
    but not contents, so ``dependencies.sha256`` holds the SHA-256 of every jar as ``sha256sum``
    writes it: beside the manifest or, for all that share them, beside the sources.
    """

    sdk = "java"

    def tools(self, part: Part) -> list[Tool]:  # noqa: ARG002
        """A JDK, and Maven."""
        return [tools.JAVAC, tools.JAVA, tools.MAVEN]

    def inputs(self, part: Part) -> str:
        """The sources, the POM, and every folder of the suite that it names."""
        pom = pom_of(part)
        folders = sorted({part.room / name.lstrip("/") for name in _OF_SUITE.findall(pom)})
        digest = hashlib.sha256(pom.encode()).hexdigest()
        lock = _lock_of(part)
        own = [file_hash(lock)] if lock.parent != part.source and lock.is_file() else []
        return " ".join([super().inputs(part), digest, *own, *map(content_hash, folders)])

    def build(self, job: Job) -> None:
        """Package a copy of the sources, then compare the jars with the lock."""
        copy = job.work / "source"
        for file in source_files(job.part.source):
            target = copy / file.relative_to(job.part.source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, target, follow_symlinks=False)
        written = not (copy / _POM).is_file()
        if written:
            copy.mkdir(exist_ok=True)
            (copy / _POM).write_text(pom_of(job.part), "utf-8")
            shutil.copyfile(copy / _POM, job.output / _POM)
        if written:
            fetch_written(job, copy / _POM)
        else:
            fetch_own(job, copy / _POM)
        command = [*offline(job), *places(job), *job.part.build.options, "package"]
        compile_with_what_it_asks_for(job, command, copy)
        job.settle()
        with contextlib.suppress(FileNotFoundError):
            remove(job.output / "target")
        _check_lock(job)

    def installed_bytes(self, output: Path) -> int:
        """Bytes of the jars."""
        return sum(jar.lstat().st_size for jar in files_below(output) if jar.suffix == ".jar")

    def dependencies(self, job: Job) -> list[Dependency]:
        """Every jar of ``lib/``; direct ones stand in the POM."""
        return dependencies_of(job.output / "lib", pom_of(job.part), job.downloads)


def _lock_of(part: Part) -> Path:
    """Return the lock beside the manifest, or that of the sources where it has none."""
    own = part.folder / _LOCK if part.folder is not None else None
    return own if own is not None and own.is_file() else part.source / _LOCK


def _check_lock(job: Job) -> None:
    library, lock = job.output / "lib", _lock_of(job.part)
    relock = f"(cd {shlex.quote(str(library))} && sha256sum *.jar) > {shlex.quote(str(lock))}"
    built = {jar.name: file_hash(jar) for jar in library.glob("*.jar")}
    if not lock.is_file():
        if built:
            raise Unavailable(f"{_LOCK} is missing: nothing pins the jars", relock, job.log.path)
        return
    locked = {}
    for line in lock.read_text("utf-8").splitlines():
        digest, _, name = line.partition("  ")
        locked[name] = digest
    differences = [
        *(f"{name} is not in the lock" for name in sorted(built.keys() - locked.keys())),
        *(f"{name} was not resolved" for name in sorted(locked.keys() - built.keys())),
        *(
            f"{name} has another content"
            for name in sorted(built.keys() & locked.keys())
            if built[name] != locked[name]
        ),
    ]
    if differences:
        reason = f"the jars are not those of {_LOCK}: {'; '.join(differences)}"
        raise Unavailable(reason, f"if that is meant: {relock}", job.log.path)

"""Go modules, with what their go.sum pins."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

from wirelab.build import go_sums, tools
from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.content import tree_bytes
from wirelab.build.licences import licence_of_folder
from wirelab.build.part import Part
from wirelab.build.source_text import text_of
from wirelab.build.tools import Tool, parse_version
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

_UNTIDY = re.compile(
    r"disabled by -mod=readonly|missing go\.sum entry|updates to go\.mod needed|go get "
)
_GO_LINE = re.compile(r"^go\s+(\S+)", re.MULTILINE)

# A newer toolchain that go would fetch by itself is pinned by nothing.
_ENVIRONMENT = {"GOTOOLCHAIN": "local", "GOWORK": "off"}
_OFFLINE = {"GOPROXY": "off", "GOSUMDB": "off", "GOENV": "off"}
"""Sums are in go.sum: nobody has to be asked for them."""


class GoBuild(PlainBuilder):
    """``go build``; every program of the module lands in ``bin/``."""

    sdk = "go"

    def tools(self, part: Part) -> list[Tool]:
        """Go as new as ``go.mod`` asks for."""
        asked = _GO_LINE.search(text_of(part.source / "go.mod") or "")
        return [tools.GO.at_least(parse_version(asked[1]) if asked else ())]

    def build(self, job: Job) -> None:
        """Build every program; go.mod and go.sum are left as they are."""
        programs = job.output / "bin"
        programs.mkdir()
        try:
            self._compile(job, programs)
        except Unavailable as failure:
            if _UNTIDY.search(failure.reason):
                failure.remedy = f"cd {shlex.quote(str(job.part.source))} && go mod tidy"
            raise
        if not any(programs.iterdir()):
            raise Unavailable("go built no program", f"cat {job.log.path}", job.log.path)

    def _compile(self, job: Job, programs: Path) -> None:
        go, cache = job.tool("go"), {"GOMODCACHE": str(job.downloads)}
        go_sums.check(job, go_sums.described(job, _ENVIRONMENT))
        with job.fetching():
            # What cannot be written to could not be removed either.
            fetch = [go, "mod", "download", "-modcacherw", f"-modfile={_copied(job)}"]
            job.log.run(fetch, cwd=job.part.source, environment={**_ENVIRONMENT, **cache})
        compiled = _compiled(job)
        job.log.compile(
            [
                *(go, "build", "-mod=readonly", "-trimpath", "-buildvcs=false"),
                *("-o", f"{programs}/", *job.part.build.options, "./..."),
            ],
            cwd=job.part.source,
            environment={**_ENVIRONMENT, **_OFFLINE, **cache, "GOCACHE": str(compiled)},
            writes=[compiled],
        )

    def installed_bytes(self, output: Path) -> int:
        """Bytes of the programs."""
        return tree_bytes(output / "bin")

    def dependencies(self, job: Job) -> list[Dependency]:
        """Modules that the programs say they were linked from."""
        go = job.tool("go")
        linked = set[tuple[str, str]]()
        for program in (job.output / "bin").iterdir():
            said = job.log.compiled([go, "version", "-m", str(program)])
            fields = [line.split() for line in said.splitlines()]
            linked.update((f[1], f[2]) for f in fields if len(f) > 3 and f[0] == "dep")
        module = go_sums.described(job, _ENVIRONMENT)
        direct = {r["Path"] for r in module.get("Require") or [] if not r.get("Indirect")}
        return [
            Dependency(
                name=name,
                version=version,
                licence=licence_of_folder(job.downloads / f"{_escaped(name)}@{_escaped(version)}"),
                direct=name in direct,
            )
            for name, version in sorted(linked)
        ]


def _copied(job: Job) -> Path:
    """A copy of go.mod, beside one of go.sum: fetching adds to it what is missing there."""
    copy = job.ours / "fetching"
    copy.mkdir()
    for name in ("go.mod", "go.sum"):
        if (job.part.source / name).is_file():
            shutil.copyfile(job.part.source / name, copy / name)
    return copy / "go.mod"


def _compiled(job: Job) -> Path:
    """Go's cache of compiled packages, for all its builds: compiling Go runs no code of packages.

    Options of a manifest may let any program take part, and such a build shares nothing.
    """
    shared = all(option.startswith("-tags=") for option in job.part.build.options)
    folder = job.downloads.with_name("go-compiled") if shared else job.work / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _escaped(text: str) -> str:
    """A module path as its folder in the cache is called: ``!b`` for ``B``."""
    return re.sub("[A-Z]", lambda letter: f"!{letter[0].lower()}", text)

"""Preparing parts: built when their content is new, taken from the store when not.

A build happens at its final place in the store under a lock, because compilers and Python write
that place into what they make; a folder without ``build.json`` is what an interrupted build left
behind. Nothing in it knows where the repository is, so that all clones share it.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wirelab.build import runtime_sizes, tools
from wirelab.build.bounds import BuildBounds
from wirelab.build.brought import brought_folders, lacking_folder, with_brought
from wirelab.build.builder import Builder, BuiltLibrary, Job
from wirelab.build.built import BuildRecord, Built
from wirelab.build.commands import Log
from wirelab.build.content import code_lines, common_lines, content_hash, tree_bytes
from wirelab.build.debian import Debian, Say, missing_packages
from wirelab.build.interpreter import Interpreter, base_python, own
from wirelab.build.key import code_of, key_of
from wirelab.build.kinds import builders
from wirelab.build.part import Part
from wirelab.build.permission import Permission, if_allowed
from wirelab.build.python import PythonBuild
from wirelab.build.sandboxes import BuildSandboxes
from wirelab.build.store import Store
from wirelab.build.tools import FoundTool, Tool
from wirelab.build.unavailable import Unavailable, understood
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.model.participant import Dependency, Ownership
from wirelab.processes import guardian, leftovers
from wirelab.samples.removal import remove

_HASH_DIGITS = 16
_RUNTIMES = {"java": tools.JAVA, "node": tools.NODE, "dotnet": tools.DOTNET}


def _quiet(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class _Plan:
    """A part with all that decides what its build gives."""

    part: Part
    builder: Builder
    tools: Mapping[str, FoundTool]
    needs: tuple[BuiltLibrary, ...]
    key: str

    @property
    def folder(self) -> str:
        # Named after the sources: contenders that share them, in two modes, share the build.
        return f"{self.part.suite}-{self.part.source.resolve().name}-{self.key}"


class PartBuilds:
    """The workshop that builds the parts of a repository. ``say`` gets one line for what takes
    long.

    Parts of the kind python run on ``python``; wirelab's own when None. Builds are kept in
    ``store``; the user's own when None. ``may_install`` decides over packages of the system.
    Builds are in sandboxes where this machine can start one, unless they are not ``sandboxed``, and
    in control groups where it has them, unless they are not ``grouped``.
    """

    def __init__(
        self,
        repository: Path,
        say: Say = _quiet,
        *,
        python: Interpreter | None = None,
        store: Store | None = None,
        may_install: Permission = if_allowed,
        sandboxed: bool = True,
        grouped: bool = True,
    ) -> None:
        self._repository = repository.resolve()
        self._python = python or own()
        self._builders = builders(self._python)
        self._say = say
        self._grouped = grouped
        self._store = store or Store()
        self._debian = Debian(self._store.home, say, may_install)
        self._failures: dict[str, Unavailable] = {}
        self._sandboxes = BuildSandboxes(self._repository, self._python.path, say, wanted=sandboxed)

    def prepare(self, part: Part) -> Built:
        """The part, built when it is not yet; raises Unavailable when it cannot be had here."""
        try:
            plan = self._plan(part)
            return self._built(plan, self._record(plan))
        except OSError as error:
            raise _of_the_host(error) from None

    def lacking(self, part: Part) -> Unavailable | None:
        """Find what stands in the way of ``prepare`` on this machine; nothing is built or
        installed.

        None also where installing it was allowed beforehand.
        """
        if part.unavailable:
            return Unavailable(part.unavailable)
        try:
            needs = part.needs()
        except Unavailable as broken:
            return broken
        for need in needs:
            if found := self.lacking(need):
                return _of_library(need, found)
        try:
            refused = self._debian.refusal(self._tools_of(part), part.build.debian)
            with understood(f"the sources of {part.title}"):
                own = self._builders[part.build.kind].lacking(part)
        except Unavailable as odd:
            return odd
        return refused or lacking_folder(part) or own

    def foresee(self, parts: Iterable[Part]) -> None:
        """Ask, once, for everything that ``parts`` will want installed."""
        self._debian.foresee(package for part in parts for package in self._missing(part))

    @property
    def builds(self) -> Path:
        """The folder below which everything that was built lies; there even before the first."""
        self._store.builds.mkdir(parents=True, exist_ok=True)
        return self._store.builds

    def tool(self, wanted: Tool) -> FoundTool:
        """A program that trials need beside the parts; raises Unavailable when it cannot be had."""
        return self._debian.equip([wanted], ())[wanted.name]

    def _missing(self, part: Part) -> list[str]:
        if part.unavailable or not part.source.is_dir():
            return []
        try:
            needs, own = part.needs(), self._tools_of(part)
        except Unavailable:
            return []
        below = [package for need in needs for package in self._missing(need)]
        return [*below, *missing_packages(own, part.build.debian)]

    # ------------------------------------------------------------------ what to build

    def _plan(self, part: Part) -> _Plan:
        if part.unavailable:
            raise Unavailable(part.unavailable)
        if not part.source.is_dir():
            raise Unavailable(f"there is no folder {part.source}")
        part = with_brought(part)
        needs = tuple(self._library(need) for need in part.needs())
        found = self._debian.equip(self._tools_of(part), part.build.debian)
        builder = self._builders[part.build.kind]
        sdks = self._repository / "sdk"
        with understood(f"the sources of {part.title}"):
            key = key_of(part, builder, found, needs, sdks=sdks, store=self._store.home)
        return _Plan(part, builder, found, needs, key)

    def _library(self, part: Part) -> BuiltLibrary:
        try:
            plan = self._plan(part)
            self._record(plan)
        except Unavailable as failure:
            raise _of_library(part, failure) from None
        return BuiltLibrary(part, self._output(plan), plan.key, plan.needs)

    # ------------------------------------------------------------------ building

    def _output(self, plan: _Plan) -> Path:
        return self._store.output(plan.folder)

    def _record(self, plan: _Plan) -> BuildRecord:
        """The record of the build, which happens now when there is none."""
        while (record := self._store.use(plan.folder)) is None:
            if plan.key in self._failures:
                raise self._failures[plan.key]
            with self._store.change(plan.folder, self._say, plan.part.title) as missing:
                if missing:
                    self._try(plan)
        return record

    def _try(self, plan: _Plan) -> None:
        try:
            self._make(plan)
        except Unavailable as failure:
            self._failures[plan.key] = failure
            raise
        self._store.trim()

    def _make(self, plan: _Plan) -> None:
        part, output, work = plan.part, self._output(plan), self._store.making(plan.folder)
        ours = self._store.ours(plan.folder)
        self._say(f"building {part.title} ({part.build.kind})")
        mark = guardian.session_of(f"build {output}")
        for folder in filter(os.path.lexists, (output, work, ours)):
            # What a build that was killed has left running would go on writing here.
            leftovers.end(guardian.of_run(f"build {output}"))
            remove(folder)
        for folder in (output, work, ours):
            folder.mkdir(parents=True)
        began = time.monotonic()
        (work / "tmp").mkdir()
        downloads = self._store.downloads(part.build.kind)
        readable = [downloads, *(path for need in plan.needs for path in need.prefixes())]
        readable += brought_folders(part)
        sandbox = self._sandboxes.of(part, plan.tools.values(), readable, [output, work])
        log, own = output / "build.log", [output, work, ours]
        bounds = BuildBounds(f"build {output}", own, self._store.shared(), log, self._grouping)
        with guardian.Guardian(f"build {output}"), sandbox, bounds:
            say_still = functools.partial(self._say_still, part.title)
            private = {"TMPDIR": str(work / "tmp")}
            with Log(
                log, say_still, mark=mark, enter=sandbox.enter, private=private, bounds=bounds
            ) as opened:
                job = self._job(plan, downloads, opened)
                dependencies = _carried_out(plan.builder, job)
        with understood("what was built", log):
            installed = plan.builder.installed_bytes(output)
        record = BuildRecord(
            part=part.title,
            kind=part.build.kind,
            key=plan.key,
            built_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - began, 1),
            install_bytes=installed,
            disk_bytes=tree_bytes(output),
            dependencies=dependencies,
            toolchain=self._toolchain(plan),
            unconfined=sandbox.unconfined,
        )
        self._store.write_record(plan.folder, record)
        for folder in (work, ours):
            with contextlib.suppress(OSError):
                remove(folder)
        self._say(f"built {part.title} in {record.seconds:.0f} s")

    def _job(self, plan: _Plan, downloads: Path, log: Log) -> Job:
        return Job(
            part=plan.part,
            repository=self._repository,
            output=self._output(plan),
            work=self._store.making(plan.folder),
            ours=self._store.ours(plan.folder),
            log=log,
            tools=plan.tools,
            needs=plan.needs,
            cargo=functools.partial(self._store.cargo, self._say),
            downloads=downloads,
            seen=[Path(self._python.path).resolve().parents[1]],
            fetching=functools.partial(self._store.fetching, self._say),
        )

    @functools.cached_property
    def _grouping(self) -> Grouping | None:
        """The control groups of builds, found with the first of them."""
        return Grouping.of(offered(hierarchies())) if self._grouped else None

    def _say_still(self, title: str, command: str, seconds: float) -> None:
        self._say(f"    {title}: {command}, {seconds:.0f} s so far")

    # ------------------------------------------------------------------ what was built

    def _built(self, plan: _Plan, record: BuildRecord) -> Built:
        part, output = plan.part, self._output(plan)
        ours, needed = code_lines(part.source), part.all_needs()
        places = {
            "source": str(part.source),
            "suite": str(part.room),
            "build": str(output),
            "sdk": str(self._repository / "sdk"),
            "python": base_python(),
            **{name: str(plan.tools[t.name].path) for name, t in _runtimes_of(part).items()},
            **plan.builder.places(output),
        }
        return Built(
            part=part,
            output=output,
            folder_hash=content_hash(part.source)[:_HASH_DIGITS],
            code=code_of(part, plan.builder, plan.tools, self._repository / "sdk")[:_HASH_DIGITS],
            ownership=Ownership(
                install_bytes=record.install_bytes,
                runtime_bytes=runtime_sizes.of_command(_command(part), self._python, plan.tools),
                dependencies=record.dependencies,
                lines=ours,
                worker_lines=ours + sum(code_lines(one.source) for one in needed),
                common_lines=_common_lines([part, *needed]),
                toolchain=record.toolchain,
            ),
            places=places,
            variables=self._variables(plan),
            unconfined=record.unconfined,
        )

    def _variables(self, plan: _Plan) -> dict[str, str]:
        """A worker in Python finds the SDK and what it needs, and none of wirelab's packages."""
        if not plan.part.is_run_by_python:
            return {}
        places = [self._repository / "sdk" / "python"]
        for need in plan.needs:
            places.append(need.part.source)
            builder = self._builders[need.part.build.kind]
            if isinstance(builder, PythonBuild):
                places.append(builder.packages(need.output))
        return {"PYTHONPATH": os.pathsep.join(map(str, places))}

    def _toolchain(self, plan: _Plan) -> dict[str, str]:
        if plan.part.build.kind == "python":
            return {"python": self._python.described}
        return {name: tool.version for name, tool in plan.tools.items()}

    def _tools_of(self, part: Part) -> list[Tool]:
        """Tools of the build, and the runtimes that the command names."""
        with understood(f"the sources of {part.title}"):
            wanted = self._builders[part.build.kind].tools(part)
        named = {tool.name for tool in wanted}
        return [*wanted, *(t for t in _runtimes_of(part).values() if t.name not in named)]


def _common_lines(parts: Sequence[Part]) -> int | None:
    """Lines of the files that the manifests of a contender and its libraries name as common."""
    named = [part for part in parts if part.common]
    return sum(common_lines(part.source, part.common) for part in named) if named else None


def _carried_out(builder: Builder, job: Job) -> list[Dependency]:
    """Build, and the packages in what was built.

    What tools answer is read as they mean it; where code of packages had a hand in it, an answer
    can be anything.
    """
    with understood("what its build tool answered", job.log.path):
        builder.build(job)
        job.settle()
        return builder.dependencies(job)


def _command(part: Part) -> str:
    return " ".join(part.run.command) if part.run else ""


def _runtimes_of(part: Part) -> dict[str, Tool]:
    return {name: tool for name, tool in _RUNTIMES.items() if f"{{{name}}}" in _command(part)}


def _of_library(part: Part, failure: Unavailable) -> Unavailable:
    reason = f"its library {part.name}: {failure.reason}"
    return Unavailable(reason, failure.remedy, failure.log)


def _of_the_host(error: OSError) -> Unavailable:
    where = f" ({error.filename})" if error.filename else ""
    return Unavailable(f"{error.strerror or error}{where}")

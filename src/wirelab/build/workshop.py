"""Preparing parts: built when their content is new, taken from the last build when not.

    .wirelab/builds/<suite>-<sources>-<key>/    output, build.json (written last), build.log
    .wirelab/builds/<suite>-<sources>-<key>.lock
    .wirelab/making/<suite>-<sources>-<key>/      what is not needed afterwards

A build happens at its final place under a lock, because compilers and Python write that place
into what they make; a folder without ``build.json`` is what an interrupted build left behind.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import platform
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from wirelab.build import tools
from wirelab.build.builder import Builder, Job, Library
from wirelab.build.built import BuildRecord, Built
from wirelab.build.commands import Log
from wirelab.build.content import code_lines, content_hash
from wirelab.build.debian import Debian, Say
from wirelab.build.interpreter import Interpreter, base_python, own
from wirelab.build.kinds import builders
from wirelab.build.lock import locked
from wirelab.build.part import Part
from wirelab.build.python import PythonBuild
from wirelab.build.tools import Found, Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.run import Ownership

_FORMAT = 1
_KEY_DIGITS = 12
_HASH_DIGITS = 16
_RUNTIMES = {"java": tools.JAVA, "node": tools.NODE}


def _quiet(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class _Plan:
    """A part with all that decides what its build gives."""

    part: Part
    builder: Builder
    tools: Mapping[str, Found]
    needs: tuple[Library, ...]
    key: str

    @property
    def folder(self) -> str:
        # Named after the sources: contenders that share them, in two modes, share the build.
        return f"{self.part.suite}-{self.part.source.resolve().name}-{self.key}"


class Workshop:
    """Where the parts of a repository are built. ``say`` gets one line for what takes long.

    Parts of the kind python run on ``python``; wirelab's own when None.
    """

    def __init__(
        self, repository: Path, say: Say = _quiet, *, python: Interpreter | None = None
    ) -> None:
        self._repository = repository.resolve()
        self._python = python or own()
        self._builders = builders(self._python)
        self._say = say
        self._home = self._repository / ".wirelab"
        self._debian = Debian(self._home / "builds", say)
        self._failures: dict[str, Unavailable] = {}

    def prepare(self, part: Part) -> Built:
        """The part, built when it is not yet; raises Unavailable when it cannot be had here."""
        try:
            plan = self._plan(part)
            return self._built(plan, self._record(plan))
        except OSError as error:
            raise _of_the_host(error) from None

    def lacking(self, part: Part) -> Unavailable | None:
        """What stands in the way of ``prepare`` on this machine; nothing is built or installed.

        None also when it would be installed without asking.
        """
        if part.unavailable:
            return Unavailable(part.unavailable)
        for need in part.needs():
            if found := self.lacking(need):
                return _of_library(need, found)
        return self._debian.refusal(self._tools_of(part), part.build.debian)

    def tool(self, wanted: Tool) -> Found:
        """A program that trials need beside the parts; raises Unavailable when it cannot be had."""
        return self._debian.equip([wanted], ())[wanted.name]

    # ------------------------------------------------------------------ what to build

    def _plan(self, part: Part) -> _Plan:
        if part.unavailable:
            raise Unavailable(part.unavailable)
        if not part.source.is_dir():
            raise Unavailable(f"there is no folder {part.source}")
        needs = tuple(self._library(need) for need in part.needs())
        found = self._debian.equip(self._tools_of(part), part.build.debian)
        builder = self._builders[part.build.kind]
        return _Plan(part, builder, found, needs, self._key(part, builder, found, needs))

    def _library(self, part: Part) -> Library:
        try:
            plan = self._plan(part)
            self._record(plan)
        except Unavailable as failure:
            raise _of_library(part, failure) from None
        return Library(part, self._output(plan), plan.key, plan.needs)

    def _key(
        self,
        part: Part,
        builder: Builder,
        found: Mapping[str, Found],
        needs: tuple[Library, ...],
    ) -> str:
        """Hash of everything that decides what the build gives."""
        material = {
            "format": _FORMAT,
            # Builds know their place: a repository that was moved builds again.
            "repository": str(self._repository),
            "machine": platform.machine(),
            "build": part.build.model_dump(),
            "source": builder.inputs(part),
            "sdk": content_hash(self._repository / "sdk" / builder.sdk) if builder.sdk else "",
            "needs": [need.key for need in needs],
            "tools": {name: tool.version for name, tool in found.items()},
        }
        text = json.dumps(material, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:_KEY_DIGITS]

    # ------------------------------------------------------------------ building

    def _output(self, plan: _Plan) -> Path:
        return self._home / "builds" / plan.folder

    def _record(self, plan: _Plan) -> BuildRecord:
        """The record of the build, which happens now when there is none."""
        output = self._output(plan)
        if record := _read_record(output):
            return record
        if plan.key in self._failures:
            raise self._failures[plan.key]
        with locked(output.with_name(f"{output.name}.lock"), self._say, plan.part.title):
            if record := _read_record(output):
                return record
            try:
                return self._make(plan, output)
            except Unavailable as failure:
                self._failures[plan.key] = failure
                raise

    def _make(self, plan: _Plan, output: Path) -> BuildRecord:
        part, work = plan.part, self._home / "making" / plan.folder
        self._say(f"building {part.title} ({part.build.kind})")
        for folder in (output, work):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        began = time.monotonic()
        log = Log(output / "build.log")
        job = Job(part, self._repository, output, work, log, plan.tools, plan.needs)
        plan.builder.build(job)
        record = BuildRecord(
            part=part.title,
            kind=part.build.kind,
            key=plan.key,
            built_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - began, 1),
            install_bytes=plan.builder.installed_bytes(output),
            dependencies=plan.builder.dependencies(job),
            toolchain=self._toolchain(plan),
        )
        _write_record(record, output)
        shutil.rmtree(work, ignore_errors=True)
        self._say(f"built {part.title} in {record.seconds:.0f} s")
        return record

    # ------------------------------------------------------------------ what was built

    def _built(self, plan: _Plan, record: BuildRecord) -> Built:
        part, output = plan.part, self._output(plan)
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
            ownership=Ownership(
                install_bytes=record.install_bytes,
                dependencies=record.dependencies,
                lines=code_lines(part.source),
                toolchain=record.toolchain,
            ),
            places=places,
            variables=self._variables(plan),
        )

    def _variables(self, plan: _Plan) -> dict[str, str]:
        """A worker in Python finds the SDK and what it needs, and none of wirelab's packages."""
        if "{python}" not in _command(plan.part):
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
        wanted = self._builders[part.build.kind].tools(part)
        named = {tool.name for tool in wanted}
        return [*wanted, *(t for t in _runtimes_of(part).values() if t.name not in named)]


def _command(part: Part) -> str:
    return " ".join(part.run.command) if part.run else ""


def _runtimes_of(part: Part) -> dict[str, Tool]:
    return {name: tool for name, tool in _RUNTIMES.items() if f"{{{name}}}" in _command(part)}


def _read_record(output: Path) -> BuildRecord | None:
    try:
        return BuildRecord.model_validate_json((output / "build.json").read_bytes())
    except (OSError, ValidationError):
        return None


def _write_record(record: BuildRecord, output: Path) -> None:
    partial = output / "build.json.partial"
    partial.write_text(record.model_dump_json(indent=1), "utf-8")
    partial.replace(output / "build.json")


def _of_library(part: Part, failure: Unavailable) -> Unavailable:
    reason = f"its library {part.name}: {failure.reason}"
    return Unavailable(reason, failure.remedy, failure.log)


def _of_the_host(error: OSError) -> Unavailable:
    where = f" ({error.filename})" if error.filename else ""
    return Unavailable(f"{error.strerror or error}{where}")

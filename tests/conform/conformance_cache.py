"""Verdicts that are not reached again: a contender that passed with exactly this content.

A verdict is kept in the user's cache, a small file for each contender and scenario, and only when
it is a pass. It is taken while everything that it came from is as it was then.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirelab import cache
from wirelab.build import Part, contender_part, service_part
from wirelab.build.content import content_hash, file_hash, source_files
from wirelab.build.interpreter import own
from wirelab.build.kinds import builders
from wirelab.build.packages import versions
from wirelab.build.tools import JAVA, NODE, Tool
from wirelab.catalog import ContenderEntry, SuiteEntry

PROPERTY = "conformance"
TAKEN, ANEW = "taken from the cache", "checked anew"
"""Words of a test about its verdict, under ``PROPERTY``."""

_CHECKERS = ("src/wirelab/conform", "src/wirelab/build", "src/wirelab/run/checking.py")
"""Sources of the checker, and of everything that builds and starts a worker."""

_ONLY_TELLS = {"report.py", "chapters", "published.toml", "locale", "README.md", "README.ko.md"}
"""Files of a suite for its report and its readers."""


@dataclass(frozen=True)
class Machine:
    """Versions outside of the repository that decide a verdict, by ``tool`` and ``package``."""

    kernel: str
    python: str
    tool: Callable[[Tool], str]
    package: Callable[[str], str]


def this_machine() -> Machine:
    """The machine that the tests run on."""
    kernel = " ".join((platform.system(), platform.release(), platform.machine()))
    return Machine(kernel, sys.version, _tool_version, _package_version)


def _tool_version(tool: Tool) -> str:
    found = tool.find()
    return f"{found.path} {found.version}" if found else ""


def _package_version(name: str) -> str:
    """As Debian says, or the program of that name."""
    return versions([name]).get(name) or _tool_version(Tool(name, ()))


def content_of(  # noqa: PLR0917  # what a verdict is of
    repository: Path,
    suite: SuiteEntry,
    contender: ContenderEntry,
    scenario: str,
    programs: Sequence[str],
    environment: Mapping[str, str],
    machine: Machine,
) -> dict[str, str]:
    """Everything that a verdict comes from, by what it is: hashes, versions and names.

    ``programs`` are those of the suite that ``scenario`` starts.
    """
    parts = {"contender": contender_part(suite, contender)}
    parts |= {f"program {name}": service_part(suite, name) for name in programs}
    content = {
        "scenario": scenario,
        "environment": json.dumps(dict(environment), sort_keys=True),
        "kernel": machine.kernel,
        "python": machine.python,
        "packages of wirelab": file_hash(repository / "requirements.txt"),
        "suite": _suite_hash(suite),
        "contender": content_hash(contender.folder),
    }
    for place in _CHECKERS:
        path = repository / place
        content[place] = content_hash(path) if path.is_dir() else file_hash(path)
    for title, part in parts.items():
        content |= _content_of_part(title, part, suite, repository / "sdk", machine)
    return content


def _suite_hash(suite: SuiteEntry) -> str:
    """Files that all contenders of a suite share: ``suite.toml``, ``verify.py``, their inputs."""
    programs = [*suite.manifest.services.values(), *suite.manifest.generators.values()]
    apart = [suite.folder / name for name in ("contenders", "libraries", *_ONLY_TELLS)]
    apart += [(suite.folder / program.source).resolve() for program in programs]
    shared = {
        file.relative_to(suite.folder).as_posix(): file_hash(file)
        for file in source_files(suite.folder)
        if not any(file.resolve().is_relative_to(folder) for folder in apart)
    }
    return hashlib.sha256(json.dumps(shared, sort_keys=True).encode()).hexdigest()


def _content_of_part(
    title: str, part: Part, suite: SuiteEntry, sdk: Path, machine: Machine
) -> Iterator[tuple[str, str]]:
    """The sources of a part and of its libraries, the SDKs that they use, and their tools."""
    yield f"{title}: sources", content_hash(part.source)
    languages: set[str] = set()
    for each in (part, *_libraries(part)):
        if each is not part:
            yield f"library {each.name}: sources", content_hash(each.source)
            folder = suite.libraries[each.name].folder
            yield f"library {each.name}: folder", content_hash(folder)
        languages |= _languages(each)
        for tool in _tools(each):
            yield f"tool {tool.name}", machine.tool(tool)
        for package in (name for names in each.build.debian for name in names.split("|")):
            yield f"package {package}", machine.package(package)
    for language in languages:
        yield f"sdk/{language}", content_hash(sdk / language)


def _libraries(part: Part) -> Iterator[Part]:
    for need in part.needs():
        yield need
        yield from _libraries(need)


def _languages(part: Part) -> set[str]:
    """The SDKs that a part is built or run with; their folder where it does not say with which."""
    if built_with := builders(own())[part.build.kind].sdk:
        return {built_with}
    if part.run is None:
        return set()
    return {"python" if "{python}" in _command(part) else ""}


def tools_of(part: Part) -> set[str]:
    """The programs that build and run a part and its libraries."""
    return {tool.name for each in (part, *_libraries(part)) for tool in _tools(each)}


def _tools(part: Part) -> Iterator[Tool]:
    yield from builders(own())[part.build.kind].tools(part)
    yield from (tool for tool in (JAVA, NODE) if f"{{{tool.name}}}" in _command(part))


def _command(part: Part) -> str:
    return " ".join(part.run.command) if part.run else ""


class Verdicts:
    """The passes of this user. ``fresh``: none is taken, and those that are reached are kept."""

    def __init__(self, *, fresh: bool, folder: Path | None = None) -> None:
        self._fresh = fresh or os.environ.get("CI") == "true"
        self._folder = folder or cache.home() / "conformance"

    def has(self, name: str, content: Mapping[str, str]) -> bool:
        """Whether ``name`` has passed with exactly this content."""
        if self._fresh:
            return False
        try:
            kept = json.loads(self._file(name).read_bytes())
        except (OSError, ValueError):
            return False
        return bool(kept == dict(content))

    def keep(self, name: str, content: Mapping[str, str]) -> None:
        """``name`` has passed with this content."""
        file = self._file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
        partial.write_text(json.dumps(dict(content), indent=1, sort_keys=True), "utf-8")
        partial.replace(file)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def told(reports: Iterable[Any]) -> str:
    """Numbers of verdicts from the cache and of new ones; empty without any."""
    found = Counter(
        value
        for report in reports
        if getattr(report, "when", "") == "call" and not report.skipped
        for name, value in report.user_properties
        if name == PROPERTY
    )
    if not found:
        return ""
    return f"{found[TAKEN]} conformance verdicts {TAKEN}, {found[ANEW]} {ANEW}"

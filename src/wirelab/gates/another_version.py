"""The version of the library that a worker says, beside the one that was built."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import EVERY
from wirelab.model.participant import Dependency
from wirelab.model.result import Verdict
from wirelab.model.scenario import Scenario
from wirelab.model.trial import RoleRecord
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words

_BEYOND = re.compile(r"[ (+/]")
"""The end of a version: a build follows, or the version of another library."""

_GENERIC = frozenset(
    {"c", "client", "com", "core", "cpp", "go", "io", "java", "js", "json", "net", "node", "org"}
    | {"py", "python", "rust"}
)
"""Words that say nothing of which library it is."""


class BuiltVersions(Strict):
    """Packages of the library that were built, by name, and what differs from all of them.

    ``said``: by the worker; ``declared``: by the manifest.
    """

    built: dict[str, str]
    said: str = ""
    declared: str = ""


def _check(cell: CellFacts) -> Iterator[TypedFinding[BuiltVersions]]:
    """Another version than that of the packages which were built and have the library's name, said
    by the worker or by its manifest: a warning. Nothing is said where none has its name, as of what
    a language or the system brings.
    """
    if cell.library is None or not (built := packages_of(cell.library.name, cell.packages)):
        return
    versions = [package.version for package in built]
    others = {}
    speaker = _speaker(cell.scenario)
    roles = (one for record in cell.records.values() for one in record.processes_of(speaker))
    if said := next((v for role in roles if (v := _unlike(role, versions))), ""):
        others["said"] = said
    if not agrees(cell.library.version, versions):
        others["declared"] = cell.library.version
    if others:
        named = {package.name: package.version for package in built}
        yield TypedFinding(Verdict.WARN, BuiltVersions(built=named, **others))


def packages_of(library: str, packages: Iterable[Dependency]) -> list[Dependency]:
    """Packages that a build asks for by itself and that have the library's name, or it theirs."""
    own = _words(library)
    return [
        package
        for package in packages
        if package.direct
        and (own <= (its := _words(package.name)) or its <= own)
        and (own & its) - _GENERIC
    ]


def agrees(said: str, versions: Sequence[str]) -> bool:
    """Whether each version that is said is one of these, as far as both are told."""
    return all(
        any(_same(_numbers(one), _numbers(version)) for version in versions)
        for one in said.split(", ")
    )


def _unlike(role: RoleRecord, versions: Sequence[str]) -> str:
    """The version that a role said, where it is none of these; empty where it said none."""
    library = role.ready.get("library") or {}
    said = str(library.get("version", ""))
    return said if _numbers(said) and not agrees(said, versions) else ""


def _speaker(scenario: Scenario) -> str:
    """The contender's role that is measured, by itself or by a generator."""
    measured = scenario.measured_role
    return measured if scenario.roles[measured].is_contenders else scenario.subject_role


def _words(name: str) -> set[str]:
    return set(re.findall("[a-z0-9]+", name.lower()))


def _numbers(version: str) -> list[str]:
    return re.findall("[0-9]+", _BEYOND.split(version.strip(), maxsplit=1)[0])


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    told = min(len(one), len(other))
    # One number says little of a longer version, and all of one that has no more.
    return one[:told] == other[:told] and (told > 1 or (told == 1 and len(one) == len(other)))


def _lines(evidence: BuiltVersions, words: Words) -> list[str]:
    _ = words.gettext
    built = ", ".join(f"{name} {version}" for name, version in evidence.built.items())
    lines = [_("built: {packages}").format(packages=built)]
    if evidence.said:
        lines.append(_("the worker says {version}").format(version=evidence.said))
    if evidence.declared:
        lines.append(_("the manifest says {version}").format(version=evidence.declared))
    return lines


GATE = Gate(
    code="another-version",
    title=N_("another version than was built"),
    meaning=N_(
        "The version that is told of the library is none of those that were built: the figures may "
        "be of another one than the report names."
    ),
    remedy=N_("Have the worker ask its library for the version, and correct the manifest."),
    looks_at="the version that a worker says of its library, and that of its manifest, beside the "
    "packages that its build asks for by name (lock files, jars, modules)",
    verdicts={Verdict.WARN: "it is that of none of the packages that have the library's name"},
    loads=EVERY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=BuiltVersions,
    lines=_lines,
)

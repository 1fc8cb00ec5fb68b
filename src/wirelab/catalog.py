"""Everything that can be measured: suites, their contenders and libraries, and contenders
elsewhere.

A suite is a folder with a ``suite.toml``, below ``suites/`` or below a folder that the user
names; its contenders are the folders of ``contenders/`` and its libraries those of ``libraries/``.
One that cannot be read is kept as broken, so that it is named where it matters and stops nothing
else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from wirelab.manifest import (
    ManifestError,
    Problem,
    check_published,
    load_contender,
    load_library,
    load_suite,
)
from wirelab.manifest.cycles import check_cycle
from wirelab.manifest.sources import check_source, check_sources
from wirelab.model.builds import Build
from wirelab.model.contender import Contender, Library
from wirelab.model.known_name import UnknownNameError, known_name
from wirelab.model.mistake import MistakeError
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite


@dataclass(frozen=True)
class ContenderEntry:
    """A contender and the folder it lives in."""

    manifest: Contender
    folder: Path

    @property
    def name(self) -> str:
        """Its name in commands and reports."""
        return self.manifest.contender


@dataclass(frozen=True)
class LibraryEntry:
    """A library of a suite and the folder it lives in."""

    manifest: Library
    folder: Path

    @property
    def name(self) -> str:
        """Its name in the ``needs`` of builds."""
        return self.manifest.library


_Entry = TypeVar("_Entry", ContenderEntry, LibraryEntry)


@dataclass(frozen=True)
class SuiteEntry:
    """A suite with everything in its folder. ``broken``: folder name to what is wrong there."""

    manifest: Suite
    folder: Path
    contenders: dict[str, ContenderEntry] = field(default_factory=dict)
    libraries: dict[str, LibraryEntry] = field(default_factory=dict)
    broken: dict[str, ManifestError] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name in commands and reports."""
        return self.manifest.suite

    @property
    def runnable(self) -> list[Contender]:
        """The manifests of the contenders that can run somewhere, were everything at hand."""
        known = (entry.manifest for entry in self.contenders.values())
        return [manifest for manifest in known if not manifest.unavailable.en]

    def scenario(self, name: str) -> Scenario:
        """The scenario ``name``; UnknownNameError when the suite has none."""
        scenarios = self.manifest.scenarios
        return scenarios[known_name("scenario", name, scenarios, f"suite {self.name}")]

    def chosen_scenarios(
        self, names: Sequence[str], profile: str, *, own: bool = False
    ) -> list[str]:
        """``names``, or every scenario that has ``profile``; UnknownNameError for others.

        Without names, those for servers of the user's ``own`` alone come where there is one.

        A scenario whose generator has a ceiling brings the scenario that finds it; one that
        reads what contenders answered in another brings that one, before it.
        """
        for name in names:
            known_name("profile", profile, self.scenario(name).profiles, f"scenario {name}")
        if names:
            read = [other for name in names if (other := self.scenario(name).reads)]
            ceilings = [c.scenario for name in names if (c := self.scenario(name).ceiling)]
            return list(dict.fromkeys([*read, *names, *ceilings]))
        scenarios = self.manifest.scenarios
        if chosen := [
            n for n, s in scenarios.items() if profile in s.profiles and (own or not s.listed)
        ]:
            return chosen
        known = {p for s in scenarios.values() for p in s.profiles}
        raise UnknownNameError("profile", profile, known, f"suite {self.name}")

    def chosen_contenders(self, names: Sequence[str]) -> list[ContenderEntry]:
        """The contenders called ``names``, or all of the suite.

        A name with a slash is the folder of a contender outside the tree. The suite's reference
        contenders always come along, or those of the same languages where contenders are only
        compared within one. Raises UnknownNameError, and the ManifestError of one that is asked
        for but broken.
        """
        if not names and self.broken:
            problems = [p for error in self.broken.values() for p in error.problems]
            raise ManifestError(problems)
        chosen: dict[str, ContenderEntry] = {}
        for name in names or self.contenders:
            entry = self._contender(name)
            if chosen.setdefault(entry.name, entry) != entry:
                raise _taken(entry.folder / "contender.toml", chosen[entry.name].folder)
        return [*chosen.values(), *self._references_beside(chosen)]

    def _references_beside(self, chosen: Mapping[str, ContenderEntry]) -> list[ContenderEntry]:
        languages = {entry.manifest.language for entry in chosen.values()}
        apart = all(s.ranked_within == "language" for s in self.manifest.scenarios.values())
        return [
            entry
            for name, entry in self.contenders.items()
            if entry.manifest.reference
            and name not in chosen
            and (not apart or entry.manifest.language in languages)
        ]

    def _contender(self, name: str) -> ContenderEntry:
        if os.sep in name or name in (".", ".."):
            return _contender(Path(name).resolve() / "contender.toml", self)
        if name in self.broken:
            raise self.broken[name]
        return self.contenders[known_name("contender", name, self.contenders, f"suite {self.name}")]


@dataclass(frozen=True)
class Catalog:
    """Every suite that is known. ``broken``: folder name to what is wrong there."""

    suites: dict[str, SuiteEntry]
    broken: dict[str, ManifestError]

    @property
    def all_suites(self) -> list[str]:
        """The names of all suites; ManifestError where one is broken: it is not left out unsaid."""
        if problems := [p for error in self.broken.values() for p in error.problems]:
            raise ManifestError(problems)
        return list(self.suites)

    def suite(self, name: str) -> SuiteEntry:
        """The suite ``name``; UnknownNameError, or the ManifestError of one that is broken."""
        if name in self.broken:
            raise self.broken[name]
        return self.suites[known_name("suite", name, self.suites)]


class SuitesError(MistakeError):
    """A folder of the user's that gives no suites, or some of which the names are taken."""


def find_catalog(root: Path, elsewhere: Iterable[Path] = (), names: Iterable[str] = ()) -> Catalog:
    """The suites of the repository at ``root``, and of the user's folders ``elsewhere``.

    Where all ``names`` are folders of the repository, its other suites are not read: that of two
    hundred contenders takes a third of a second. Raises SuitesError for a folder without suites,
    and where a suite has the name of another.
    """
    catalog = Catalog({}, {})
    files = sorted((root / "suites").glob("*/suite.toml"))
    wanted = {*names}
    asked = [file for file in files if file.parent.name in wanted]
    for file in asked if len(asked) == len(wanted) > 0 else files:
        try:
            entry = suite_at(file)
            if entry.name in catalog.suites:
                raise _taken(file, catalog.suites[entry.name].folder)
            catalog.suites[entry.name] = entry
        except ManifestError as error:
            catalog.broken[file.parent.name] = error
    return with_suites_elsewhere(catalog, root, elsewhere)


def with_suites_elsewhere(tree: Catalog, root: Path, elsewhere: Iterable[Path]) -> Catalog:
    """The suites of the ``tree`` at ``root``, and of the user's folders, as ``find_catalog``."""
    catalog = Catalog(dict(tree.suites), dict(tree.broken))
    for folder in dict.fromkeys(folder.resolve() for folder in elsewhere):
        if folder != (root / "suites").resolve():
            _add_suites(catalog, folder)
    return catalog


def _add_suites(catalog: Catalog, folder: Path) -> None:
    """Add the suites of a folder outside of the tree, where a mistake is the user's own."""
    files = sorted(folder.glob("*/suite.toml"))
    if not files:
        raise SuitesError(f"no suites in {folder}: {_why_none(folder)}")
    for file in files:
        try:
            entry = suite_at(file)
        except ManifestError as error:
            catalog.broken[file.parent.name] = error
            continue
        if (other := catalog.suites.get(entry.name)) is not None:
            raise SuitesError(
                f'two suites are called "{entry.name}", in {other.folder} and in {entry.folder}: '
                "give one of them another name"
            )
        catalog.suites[entry.name] = entry


def _why_none(folder: Path) -> str:
    if not folder.is_dir():
        return "there is no such folder"
    if (folder / "suite.toml").is_file():
        return f"it is a suite itself; name the folder around it, {folder.parent}"
    return "expected folders with a suite.toml"


def suite_at(file: Path) -> SuiteEntry:
    """The suite of a ``suite.toml`` with everything in its folder; ManifestError when broken."""
    suite = SuiteEntry(load_suite(file), file.parent)
    if (published := file.with_name("published.toml")).is_file():
        check_published(published, suite.manifest)
    _fill(suite.libraries, suite, "libraries/*/library.toml", partial(_library, suite=suite))
    _check_libraries(suite)
    _fill(suite.contenders, suite, "contenders/*/contender.toml", partial(_contender, suite=suite))
    for name, service in suite.manifest.services.items():
        _check_needs(file, service.build, suite, ("services", name))
    check_sources(file, suite.manifest)
    return suite


def _fill(
    entries: dict[str, _Entry], suite: SuiteEntry, pattern: str, read: Callable[[Path], _Entry]
) -> None:
    for file in sorted(suite.folder.glob(pattern)):
        try:
            entry = read(file)
            if entry.name in entries:
                raise _taken(file, entries[entry.name].folder)
            entries[entry.name] = entry
        except ManifestError as error:
            suite.broken[file.parent.name] = error


def _check_libraries(suite: SuiteEntry) -> None:
    """Keep those as broken that need something that is not there, or each other."""
    needs = {name: entry.manifest.build.needs for name, entry in suite.libraries.items()}
    for name, entry in list(suite.libraries.items()):
        file = entry.folder / "library.toml"
        try:
            _check_needs(file, entry.manifest.build, suite, ())
            check_cycle(file, name, needs)
        except ManifestError as error:
            suite.broken[entry.folder.name] = error
    for name, entry in list(suite.libraries.items()):
        if entry.folder.name in suite.broken:
            del suite.libraries[name]


def _library(file: Path, suite: SuiteEntry) -> LibraryEntry:
    manifest = load_library(file)
    check_source(file, manifest.source, suite.folder)
    return LibraryEntry(manifest, file.parent)


def _contender(file: Path, suite: SuiteEntry) -> ContenderEntry:
    manifest = load_contender(file, suite.manifest)
    _check_needs(file, manifest.build, suite, ())
    check_source(file, manifest.source, suite.folder)
    return ContenderEntry(manifest, file.parent)


def _check_needs(file: Path, build: Build, suite: SuiteEntry, inside: tuple[str, ...]) -> None:
    for number, need in enumerate(build.needs):
        # What is wrong with a broken library is said by its own manifest.
        if need not in suite.libraries and need not in suite.broken:
            known = ", ".join(suite.libraries) or "none"
            message = f'no library "{need}" in suite {suite.name}, known: {known}'
            raise ManifestError([Problem(file, None, (*inside, "build", "needs", number), message)])


def _taken(file: Path, owner: Path) -> ManifestError:
    message = f"the name is taken by {owner}"
    return ManifestError([Problem(file, None, (file.stem,), message)])

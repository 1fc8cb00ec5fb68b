"""A part to build: a contender, a neutral service of a suite, or a library of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from wirelab.build.unavailable import Unavailable
from wirelab.catalog import ContenderEntry, LibraryEntry, SuiteEntry
from wirelab.model.builds import Build, RunCommand

_ENGINE = Path("crates", "engine")
_WITNESS = Path("crates", "witness")


@dataclass(frozen=True)
class Part:
    """Something with a source folder and a ``[build]``.

    ``title`` is what it is called in messages; ``unavailable`` is the manifest's own word that
    it runs nowhere yet; ``room`` is the folder of its suite; ``folder`` is that of a contender's
    manifest, which may take its sources from another one; ``libraries`` are those of the suite,
    by name; ``common`` are its files that connect and help; ``version`` and ``licence`` are known
    of libraries only.
    """

    suite: str
    name: str
    title: str
    source: Path
    build: Build
    room: Path = Path()
    folder: Path | None = None
    run: RunCommand | None = None
    unavailable: str = ""
    version: str = ""
    licence: str = ""
    libraries: Mapping[str, LibraryEntry] = field(default_factory=dict)
    common: tuple[str, ...] = ()

    @property
    def is_run_by_python(self) -> bool:
        """Whether its command starts the interpreter that the SDK for Python is told to."""
        return self.run is not None and any("{python}" in word for word in self.run.command)

    def needs(self) -> list[Part]:
        """The libraries it is built on; raises Unavailable for one whose manifest is broken."""
        for name in self.build.needs:
            if name not in self.libraries:
                raise Unavailable(f"its library {name} has a manifest that cannot be read")
        return [_library_part(self, self.libraries[name]) for name in self.build.needs]

    def all_needs(self) -> list[Part]:
        """The libraries it is built on and those that these are built on, each once."""
        found: dict[str, Part] = {}
        for need in self.needs():
            found |= {one.name: one for one in (need, *need.all_needs())}
        return [*found.values()]


def contender_part(suite: SuiteEntry, contender: ContenderEntry) -> Part:
    """A contender as something to build."""
    manifest = contender.manifest
    if manifest.build.kind == "engine":
        return replace(engine_part(_repository_around(suite.folder)), run=manifest.run)
    return Part(
        suite=suite.name,
        name=contender.name,
        title=f"contender {contender.name} of {suite.name}",
        source=contender.folder / manifest.source,
        build=manifest.build,
        room=suite.folder,
        folder=contender.folder,
        run=manifest.run,
        unavailable=manifest.unavailable.en,
        libraries=suite.libraries,
        common=tuple(manifest.common),
    )


def service_part(suite: SuiteEntry, name: str) -> Part:
    """A neutral service of a suite as something to build."""
    service = suite.manifest.services[name]
    return Part(
        suite=suite.name,
        name=name,
        title=f"{name} of {suite.name}",
        source=suite.folder / service.source,
        build=service.build,
        room=suite.folder,
        run=service.run,
        libraries=suite.libraries,
    )


def generator_part(suite: SuiteEntry, name: str) -> Part:
    """Another load generator of a suite as something to build."""
    generator = suite.manifest.generators[name]
    return Part(
        suite=suite.name,
        name=name,
        title=f"generator {name} of {suite.name}",
        source=suite.folder / generator.source,
        build=generator.build,
        room=suite.folder,
        run=generator.run,
        libraries=suite.libraries,
    )


def engine_part(repository: Path, load: str = "") -> Part:
    """wirelab's own engine as something to build; ``load`` is the kind of load it is run for."""
    return Part(
        suite="wirelab",
        name="engine",
        title="wirelab's engine",
        source=repository / _ENGINE,
        build=Build(kind="cargo"),
        run=RunCommand(command=["{build}/bin/wirelab-engine", load]),
    )


def witness_part(repository: Path) -> Part:
    """wirelab's own witness of the wire as something to build."""
    return Part(
        suite="wirelab",
        name="witness",
        title="wirelab's witness",
        source=repository / _WITNESS,
        build=Build(kind="cargo"),
        run=RunCommand(command=["{build}/bin/wirelab-witness"]),
    )


def _repository_around(suite: Path) -> Path:
    """The nearest folder above a suite that has the engine; the one right above where none has."""
    around = (folder for folder in suite.parents if (folder / _ENGINE).is_dir())
    return next(around, suite.parent)


def _library_part(user: Part, library: LibraryEntry) -> Part:
    return Part(
        suite=user.suite,
        name=library.name,
        title=f"library {library.name} of {user.suite}",
        source=library.folder / library.manifest.source,
        build=library.manifest.build,
        room=user.room,
        version=library.manifest.version,
        licence=library.manifest.licence,
        libraries=user.libraries,
        common=tuple(library.manifest.common),
    )

"""The sandboxes of a run: what its roles see in them, or why there are none."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wirelab.build import PartBuilds, Unavailable, debian, tools
from wirelab.build.dotnet import runtime_of
from wirelab.build.permission import allowed
from wirelab.build.tools import Tool
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.units import Scalar
from wirelab.plan.selection import SandboxWish
from wirelab.run.cannot import CannotRunError
from wirelab.sandbox import ability, bubblewrap
from wirelab.sandbox.ability import Obstacle
from wirelab.sandbox.surroundings import surroundings
from wirelab.sandbox.view import View

_TO_ALL = stat.S_IROTH | stat.S_IXOTH

_BUBBLEWRAP = Tool(bubblewrap.PROGRAM, (ability.DEBIAN,))


@dataclass(frozen=True)
class Confinement:
    """Sandbox of the roles of a run; ``reason`` is empty where going without was asked for."""

    view: View | None = None
    program: str = ""
    reason: str = ""
    granted: list[str] = field(default_factory=list)


def confinement(
    wish: SandboxWish,
    workshop: PartBuilds,
    *,
    repository: Path,
    suite: SuiteEntry,
    contenders: Iterable[ContenderEntry],
    interpreter: str,
    settings: Mapping[str, Scalar],
) -> Confinement:
    """Try a sandbox as it was wished; CannotRunError where one is required and cannot be had."""
    if wish == "none":
        return Confinement()
    required = wish == "required"
    if (obstacle := obstacle_of(workshop, may_ask=required)) is not None:
        said = f"{obstacle.reason}; to mend it: {obstacle.remedy}"
        if required:
            raise CannotRunError(f"the roles of this run are to be kept in sandboxes: {said}")
        return Confinement(reason=said)
    entries = list(contenders)
    known = [suite.folder, *_granted(suite), *(entry.folder for entry in entries)]
    known += [*_dotnet(entries), *_named(settings)]
    view = surroundings(repository, workshop.builds, known, interpreter)
    return Confinement(view, ability.version(), granted=suite.manifest.sees)


def _dotnet(contenders: Iterable[ContenderEntry]) -> list[Path]:
    """The runtime of .NET where a contender runs on it: it may lie in the user's home folder."""
    wanted = any(entry.manifest.build.kind == "dotnet" for entry in contenders)
    found = tools.DOTNET.find() if wanted else None
    return runtime_of(found.path) if found else []


def _named(settings: Mapping[str, Scalar]) -> Iterator[Path]:
    """Folders that ``--set`` names, of those that everybody may look into."""
    for path in (Path(value) for value in settings.values() if isinstance(value, str)):
        if path.is_absolute() and path != Path("/") and path.is_dir():
            way = (path.resolve(), *path.resolve().parents)
            if all(stat.S_IMODE(folder.stat().st_mode) & _TO_ALL == _TO_ALL for folder in way):
                yield path


def _granted(suite: SuiteEntry) -> Iterator[Path]:
    """By their own names: where the suite is a link, its folder inside is one as well."""
    for name in suite.manifest.sees:
        folder = (suite.folder / name).resolve()
        if not folder.is_dir():
            raise CannotRunError(f"suite {suite.name} sees {name}, which is no folder: {folder}")
        yield folder


def obstacle_of(workshop: PartBuilds, *, may_ask: bool) -> Obstacle | None:
    """Find what stands in the way; bubblewrap is installed where that is allowed.

    Who did not ask for a sandbox is not asked whether to install one.
    """
    missing = debian.missing_packages([_BUBBLEWRAP], ())
    if missing and not may_ask and not allowed():
        return Obstacle(f"{bubblewrap.PROGRAM} is not installed", debian.remedy(missing))
    try:
        workshop.tool(_BUBBLEWRAP)
    except Unavailable as refused:
        return Obstacle(refused.reason, refused.remedy)
    return ability.obstacle()

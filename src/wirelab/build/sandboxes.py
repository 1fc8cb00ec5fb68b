"""The sandboxes of builds: what runs code of a package sees its sources, and has no network.

A builder fetches first, as the user and with the network, by commands that run no code of what they
fetch. What compiles comes after that, in a sandbox where this machine can start one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from wirelab.build.installed_tools import folders_of
from wirelab.build.part import Part
from wirelab.build.tools import FoundTool
from wirelab.build.unavailable import Unavailable
from wirelab.sandbox import ability, bubblewrap
from wirelab.sandbox.namespaces import Namespaces
from wirelab.sandbox.surroundings import surroundings
from wirelab.sandbox.view import View

Enter = Callable[[Sequence[str], Path, Sequence[Path]], Sequence[str]]
"""A command, the folder in which it starts and folders that it may write to: how it is run."""

WITHOUT = "--no-sandbox"
"""Option of ``wl``: builds go without."""

_SECRETIVE = (
    *("/etc/pip.conf", "/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc"),
    *("/etc/maven/settings.xml", "/etc/opt/NuGet", "/etc/NuGet", "/etc/netrc", "/etc/gitconfig"),
)
"""Files that say for the whole machine where packages are, and may hold a password."""


class BuildSandbox:
    """The sandbox of one build, started with its first command; use as a context manager."""

    def __init__(self, hindered: Callable[[], str], view: Callable[[], View]) -> None:
        self._hindered = hindered
        self._view = functools.cache(view)
        self._namespaces: Namespaces | None = None
        self.unconfined = ""
        """The reason why commands were run outside; empty while none was."""

    def enter(
        self, command: Sequence[str], folder: Path, writes: Sequence[Path] = ()
    ) -> Sequence[str]:
        """The command that is started for a command: itself, where there is no sandbox."""
        if hindered := self._hindered():
            self.unconfined = hindered
            return command
        view = self._view()
        own = view.of_role([], [*view.writable, *writes])
        try:
            self._namespaces = self._namespaces or Namespaces("own")
        except OSError as error:
            reason = f"no sandbox can be started for the build: {error.strerror}"
            raise Unavailable(reason, f"see docs/concepts/security.md, or say {WITHOUT}") from None
        return self._namespaces.entered(bubblewrap.command_of_a_build(own, command, folder))

    def __enter__(self) -> BuildSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of what its commands shared."""
        if self._namespaces is not None:
            self._namespaces.close()


class BuildSandboxes:
    """Sandboxes for the builds of a repository; ``wanted`` unless the user goes without."""

    def __init__(
        self, repository: Path, interpreter: str, say: Callable[[str], None], *, wanted: bool
    ) -> None:
        self._repository = repository
        self._interpreter = interpreter
        self._say = say
        self._wanted = wanted

    def of(
        self,
        part: Part,
        tools: Iterable[FoundTool],
        readable: Sequence[Path],
        writable: Sequence[Path],
    ) -> BuildSandbox:
        """The sandbox of the build of ``part``."""
        found = list(tools)

        def view() -> View:
            places = [part.room, part.source, *(need.source for need in part.needs())]
            places += [*readable, *folders_of(found)]
            known = [place.absolute() for place in places if place != Path() and place.exists()]
            sdk = self._repository / "sdk"
            shown = surroundings(self._repository, sdk, known, self._interpreter)
            for path in filter(Path.exists, map(Path, _SECRETIVE)):
                shown = shown.hiding(path)
            return shown.of_role([], writable)

        return BuildSandbox(lambda: self._hindered, view)

    @cached_property
    def _hindered(self) -> str:
        """The reason why builds are in none, which is said with the remedy; empty: they are."""
        if not self._wanted:
            return f"as asked for ({WITHOUT})"
        hindered = ability.obstacle()
        if hindered is None:
            return ""
        why = f"{hindered.reason}; to mend it: {hindered.remedy}"
        self._say(f"builds run with all your rights, in no sandbox: {why}")
        return why

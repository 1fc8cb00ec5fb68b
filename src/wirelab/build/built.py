"""A part that has been built: how it is started, and what it costs to own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wirelab.build.part import Part
from wirelab.model.participant import Dependency, Ownership
from wirelab.model.units import Strict

_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")


class BuildRecord(Strict):
    """``build.json``: written last, so a folder without it is no build.

    ``unconfined`` is why code of packages ran outside of a sandbox; empty where none did.
    """

    part: str
    kind: str
    key: str
    built_at: str
    seconds: float
    install_bytes: int
    disk_bytes: int
    dependencies: list[Dependency]
    toolchain: dict[str, str]
    unconfined: str = ""


@dataclass(frozen=True)
class Built:
    """A part that can be started.

    ``output`` is the build's folder, ``folder_hash`` identifies the sources (SHA-256, first 16
    digits), ``code`` everything that runs (``code_of``), ``places`` are the values of placeholders
    in commands, ``unconfined`` is why it was built without a sandbox; empty: it was in one, or
    nothing was compiled.
    """

    part: Part
    output: Path
    folder_hash: str
    code: str
    ownership: Ownership
    places: Mapping[str, str]
    variables: Mapping[str, str]
    unconfined: str = ""

    def command(self, role: str, memory: int | None = None) -> list[str]:
        """The command that fills ``role``, which a variant may limit to so much memory; ``{role}``
        in it is the role's name.
        """
        return self.filled(self.part.run.within_memory(memory), role) if self.part.run else []

    def filled(self, words: Sequence[str], role: str) -> list[str]:
        """``words`` of a command with the placeholders that the manifest's may have."""
        return [self._filled(text, role) for text in words]

    @property
    def environment(self) -> dict[str, str]:
        """Variables to add to the environment, the manifest's last."""
        own = self.part.run.environment if self.part.run else {}
        return {**self.variables, **{name: self._filled(text) for name, text in own.items()}}

    def _filled(self, text: str, role: str = "") -> str:
        values = {**self.places, "role": role}
        return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)

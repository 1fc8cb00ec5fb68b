"""The part of this machine that a role sees, and what of it the role may change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class View:
    """Paths that are the same inside and outside; everything else is not there.

    ``readable`` is seen by every role of a run, but for what is ``covered``, which is empty.
    ``private`` folders are empty too, in memory, bounded, and gone with the role. ``inputs`` and
    ``writable`` are the role's own.
    """

    readable: Sequence[Path]
    private: Sequence[Path] = ()
    covered: Sequence[Path] = ()
    inputs: Sequence[Path] = ()
    writable: Sequence[Path] = ()

    def hiding(self, folder: Path) -> View:
        """The same without ``folder``, where it lies in what is readable or in a private folder."""
        if any(folder.is_relative_to(path) for path in (*self.readable, *self.private)):
            return replace(self, covered=[*self.covered, folder])
        return self

    def of_role(self, inputs: Sequence[Path], writable: Sequence[Path]) -> View:
        """The same with what one role has of its own."""
        return replace(self, inputs=inputs, writable=writable)

"""A name that a user gives, which must be one of those that are known."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

from wirelab.model.mistake import MistakeError


class UnknownNameError(MistakeError, LookupError):
    """A name that nothing has; ``nearest`` are names like it, ``known`` all there are."""

    def __init__(self, kind: str, name: str, known: Iterable[str], place: str = "") -> None:
        self.kind = kind
        self.name = name
        self.known = sorted(known)
        self.nearest = difflib.get_close_matches(name.lower(), self.known, n=3, cutoff=0.5)
        inside = f" in {place}" if place else ""
        if self.nearest:
            hint = f"nearest: {', '.join(self.nearest)}"
        else:
            hint = f"known: {', '.join(self.known) or 'none'}"
        super().__init__(f'no {kind} "{name}"{inside}; {hint}')


def known_name(kind: str, name: str, known: Collection[str], place: str = "") -> str:
    """``name`` when it is known; otherwise UnknownNameError."""
    if name not in known:
        raise UnknownNameError(kind, name, known, place)
    return name

"""Names in a row, so that a reader sees where each of them ends."""

from __future__ import annotations

from collections.abc import Iterable


def series(names: Iterable[str]) -> str:
    """The names with commas between them; with semicolons where a name has a comma of its own."""
    listed = list(names)
    return ("; " if any("," in name for name in listed) else ", ").join(listed)

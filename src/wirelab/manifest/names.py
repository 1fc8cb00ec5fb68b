"""Names that must exist, with what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from wirelab.manifest.problems import Findings, Key


def must_exist(key: Key, kind: str, name: str, known: Collection[str]) -> Findings:
    """A finding unless ``name`` is known."""
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=1)
    choice = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known) or 'none'}"
    yield key, f'no {kind} "{name}", {choice}'

"""Times of the fixed loop on a machine of this kind when nothing is in its way.

Kept in the user's cache for each model of processor, kernel and interpreter, because a run beside
other programs cannot know it: there the median accuses the quietest trial.
"""

from __future__ import annotations

import contextlib
import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wirelab import cache
from wirelab.samples import foreign_json
from wirelab.samples.replacing import replacing

MOST_KEPT = 2_000
"""Times of a kind of machine; the oldest go first."""

_MOST_KINDS = 50
_LARGEST_FILE = 1 << 22
_TENTH = 10
"""A single time may be an accident of the clock."""


def fastest_ns(host: Mapping[str, Any], fresh: Sequence[int]) -> int:
    """The fastest decile of all times known of such a machine, with those just taken.

    A cache that cannot be read or written is none: then it is that of the fresh ones.
    """
    path = cache.home() / "canaries.json"
    kept = _read(path)
    kind = _kind(host)
    own = [*kept.pop(kind, []), *fresh][-MOST_KEPT:]
    kinds = [*kept.items()][-(_MOST_KINDS - 1) :]
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps({**dict(kinds), kind: own}).encode())
    return sorted(own)[len(own) // _TENTH]


def _kind(host: Mapping[str, Any]) -> str:
    """Key of everything that the time of the loop depends on."""
    runtime = f"{platform.python_implementation()} {platform.python_version()}"
    return " / ".join((str(host.get("cpu", "")), str(host.get("kernel", "")), runtime))


def _read(path: Path) -> dict[str, list[int]]:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            return {}
        found = foreign_json.parsed(path.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        str(kind): own
        for kind, own in found.items()
        if isinstance(own, list) and all(type(one) is int and one > 0 for one in own)
    }

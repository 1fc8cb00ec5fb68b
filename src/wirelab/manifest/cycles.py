"""Libraries that need each other, which no order can satisfy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from wirelab.manifest.problems import ManifestError, Problem


def check_cycle(file: Path, name: str, needs: Mapping[str, Sequence[str]]) -> None:
    """Raise ManifestError, with the way, where a library needs itself in the end."""
    if cycle := _cycle_of(name, needs):
        message = f"libraries need each other: {' needs '.join(cycle)}"
        raise ManifestError([Problem(file, None, ("build", "needs"), message)])


def _cycle_of(name: str, needs: Mapping[str, Sequence[str]]) -> list[str]:
    """A way of needs from ``name`` back to itself; empty where there is none."""
    ways = [[name]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for need in needs[way[-1]]:
            if need == name:
                return [*way, need]
            if need in needs and need not in seen:
                seen.add(need)
                ways.append([*way, need])
    return []

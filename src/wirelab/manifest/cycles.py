"""Things that need each other, which no order can satisfy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cycle_of(name: str, needs: Mapping[str, Sequence[str]]) -> list[str]:
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

"""Threads of roles that had another priority or other processors than their role was given."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wirelab.cells.resources import Rows
from wirelab.cells.window import Window
from wirelab.gates.facts import DeviatingThreads

_WAYS = ("raised", "lowered", "elsewhere", "narrowed")


def deviating_threads(
    monitored: Mapping[str, Rows], window: Window
) -> dict[str, dict[str, DeviatingThreads]]:
    """By role and by how: what the monitor saw of it within the window. Nothing of a role whose
    threads all had what it was given, and of runs of versions that did not look.
    """
    found = {role: _ways_of(rows, window) for role, rows in monitored.items()}
    return {role: ways for role, ways in found.items() if ways}


def _ways_of(rows: Rows, window: Window) -> dict[str, DeviatingThreads]:
    at = rows["monotonic_ns"]
    inside = (at >= window.begin_ns) & (at <= window.end_ns)
    ways = {}
    for way in _WAYS:
        threads = rows.get(f"threads_{way}", np.zeros(len(at)))[inside]
        if np.any(threads):
            share = float(np.count_nonzero(threads)) / len(threads)
            ways[way] = DeviatingThreads(int(threads.max()), share)
    return ways

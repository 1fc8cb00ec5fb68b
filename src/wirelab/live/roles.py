"""The roles of a trial under way: their process trees, and what they say of themselves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from wirelab.live.figures import RoleFigures
from wirelab.live.tail import LineTail
from wirelab.monitor.census import CORE, ThreadCensus
from wirelab.monitor.proc_files import OpenFiles, open_limit
from wirelab.monitor.process_tree import ProcessTree, Reading
from wirelab.processes import kept, leftovers
from wirelab.samples import foreign_json

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_MOST_NUMBERS = 32


class RoleTrees:
    """CPU time and memory of each role's process tree, and of the core.

    Read by the code of the monitor, but apart from it and once a second: the monitor of the trial
    neither waits for a look nor knows of it.
    """

    def __init__(self, mark: str, roles: Iterable[str], core: int) -> None:
        self._mark = mark
        self._roles = set(roles)
        self._core = core
        self._children: set[int] = set()
        # The core needs its open files itself.
        self._files = OpenFiles(open_limit() // 2)
        self._trees = {CORE: ProcessTree(self._files)}
        self._census = ThreadCensus(core)

    def look(self) -> dict[str, Reading]:
        """Figures of every role that has been started."""
        self._find_started(self._census.look())
        for one in self._census.arrived():
            if one.owner in self._trees:
                self._trees[one.owner].add(one.pid, one.tid)
        return {role: tree.read(slowly=False) for role, tree in self._trees.items()}

    def close(self) -> None:
        """Release the open files."""
        for tree in self._trees.values():
            tree.close()
        self._census.close()

    def _find_started(self, processes: Iterable[int]) -> None:
        """All processes of a role are below its keepers, which are children of the core."""
        for pid in processes:
            if (stat := leftovers.stat_of(pid)) is not None and stat[1] == self._core:
                self._children.add(pid)
        # One that was just forked still looks like the core: every look asks again.
        for pid in list(self._children):
            role, keeper = kept.kept_by(pid, self._mark) or ("", 0)
            if role in self._roles:
                self._children.discard(pid)
                self._census.introduce(role, keeper)
                self._trees.setdefault(role, ProcessTree(self._files))
            elif leftovers.stat_of(pid) is None:
                self._children.discard(pid)


class RoleEvents:
    """The events file of a role; after a restart, that of its latest process."""

    def __init__(self, folder: Path, role: str) -> None:
        self._folder, self._role, self._times = folder, role, 1
        self._tail = LineTail(folder / f"{role}.events.jsonl")
        self.ready_ns: int | None = None
        """The time at which the core first heard its ``ready``, on CLOCK_MONOTONIC."""
        self.progress: dict[str, float] = {}
        self.runtime: dict[str, float] = {}

    def look(self) -> None:
        """Take in what was said since the last look."""
        self._take(self._tail.gained())
        following = self._folder / f"{self._role}-{self._times + 1}.events.jsonl"
        if following.exists():
            self._times += 1
            self._tail.close()
            self._tail = LineTail(following)
            self._take(self._tail.gained())

    def close(self) -> None:
        """Let go of the file."""
        self._tail.close()

    def figures(self, reading: Reading) -> RoleFigures:
        """The role, with what its process tree uses."""
        return replace(used(reading), progress=dict(self.progress), runtime=dict(self.runtime))

    def _take(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            # Written by the core, after it has validated the event; others may write there too.
            try:
                kept = foreign_json.parsed(line)
                event = {"event": "", **kept["event"]}
            except (ValueError, KeyError, TypeError):
                continue
            match event["event"]:
                case "ready" if self.ready_ns is None and "received_ns" in kept:
                    self.ready_ns = int(kept["received_ns"])
                case "progress":
                    self.progress = numbers_of(event)
                case "runtime":
                    self.runtime = numbers_of(event)


def used(reading: Reading) -> RoleFigures:
    """Resources that a process tree uses."""
    return RoleFigures(reading.cpu_ns, reading.rss_bytes, reading.processes)


def numbers_of(event: dict[str, Any]) -> dict[str, float]:
    """The finite numbers of an event by their keys, its time left out; 32 at most."""
    found = {
        key: value
        for key, value in event.items()
        if key != "monotonic_ns"
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and _NAME.fullmatch(key)
    }
    return dict(list(found.items())[:_MOST_NUMBERS])

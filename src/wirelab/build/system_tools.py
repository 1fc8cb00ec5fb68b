"""Versions of tools that belong to the system, asked for again where any tool has changed.

``javac``, ``mvn`` and ``npm`` start a whole runtime to say their version, and every run discloses
it. Packages of the system put new files in place of old ones. What users install for themselves may
be a stub that answers for another program, so it is asked every time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from wirelab import cache
from wirelab.samples import foreign_json
from wirelab.samples.replacing import replacing

OF_THE_SYSTEM = "/usr/"
OF_ITS_USERS = "/usr/local/"

_MOST_STATES = 50
_LARGEST_FILE = 1 << 20


class SystemTools:
    """Answers of tools in this state of the machine: these files, in this environment."""

    def __init__(self, paths: Iterable[str], environment: Mapping[str, str]) -> None:
        """``paths`` of all tools: one may need another."""
        # Our own variables say where things are of this run; no tool reads them.
        foreign = sorted(one for one in environment.items() if not one[0].startswith("WIRELAB_"))
        state = [foreign, [_file(path) for path in paths]]
        self._state = hashlib.sha256(json.dumps(state).encode()).hexdigest()
        self._file = cache.home() / "tools.json"

    def version(self, path: str) -> str:
        """The version that the tool at ``path`` told; empty where it has to be asked."""
        return self._kept().get(self._state, {}).get(path, "")

    def keep(self, path: str, version: str) -> None:
        """Keep what a tool has told, where it belongs to the system."""
        real = os.path.realpath(path)
        if not version or not real.startswith(OF_THE_SYSTEM) or real.startswith(OF_ITS_USERS):
            return
        states = self._kept()
        own = states.pop(self._state, {}) | {path: version}
        last = dict([*states.items()][-(_MOST_STATES - 1) :])
        # A cache that cannot be written is none.
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._file) as file:
                file.write(json.dumps(last | {self._state: own}).encode())

    def _kept(self) -> dict[str, dict[str, str]]:
        try:
            if self._file.stat().st_size > _LARGEST_FILE:
                return {}
            found = foreign_json.parsed(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            str(state): own
            for state, own in found.items()
            if isinstance(own, dict) and all(isinstance(one, str) for one in own.values())
        }


def _file(path: str) -> tuple[str, list[int]]:
    """The target of a path, with numbers that change when the file is replaced."""
    real = Path(os.path.realpath(path))
    try:
        found = real.stat()
    except OSError:
        return str(real), []
    return str(real), [
        found.st_dev,
        found.st_ino,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
    ]

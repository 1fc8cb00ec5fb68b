"""Tests side by side: a file of them in one process, and one process behind the others.

Tests that start servers and clients wait for most of their time, and must not be late: more of them
at a time would be. So one more process, of a low priority, takes what the others leave of the
processors, for tests that only compute, count or build: those may take as long as they like.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

BEHIND = "WIRELAB_TESTS_BEHIND"
"""Variable that ``./wl test`` sets: the process that works behind the others."""

COMPUTING = {
    *("capacity", "cells", "codec", "compare", "fuzz", "gates", "manifest", "pages", "plan"),
    *("report", "rules", "samples", "stats"),
}
"""Folders of tests that start no server and no client, and wait for nothing."""

PATIENT = {"test_codec_instructions.py", "test_hostile_fetching.py", "test_java_units.py"}
"""Files of long tests that count or build, and for which nothing is too late either. They are last
in line, where the process behind begins, so that no other one is held up by them."""

SPREAD = {
    "test_conform.py",
    "test_conform_abuse.py",
    "test_conform_closed.py",
    "test_conform_datagrams.py",
    "test_conform_lanes.py",
    "test_conform_partners.py",
    "test_conform_servers.py",
    "test_contenders.py",
}
"""Files of many long tests that share no fixture."""

_NICER_BY = 10


def scheduler(config: pytest.Config, log: Any) -> Any:
    """A scheduler that keeps a file in one process, so that its fixtures are made once."""
    from xdist.scheduler import LoadScopeScheduling

    class SideBySide(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return nodeid if Path(file).name in SPREAD else file

        def _assign_work_unit(self, node: Any) -> None:
            if is_behind(node.gateway.id):
                # From the end: the others begin with what takes long.
                own = next(filter(_may_be_late, reversed(self.workqueue)), None)
                if own is None:
                    node.shutdown()
                    return
                self.workqueue.move_to_end(own, last=False)
            super()._assign_work_unit(node)

    return SideBySide(config, log)


def is_behind(process: str) -> bool:
    """Whether a process of the tests works behind the others."""
    return process == os.environ.get(BEHIND)


def stand_behind(config: pytest.Config) -> None:
    """Lower the priority of this process, and of all that it starts, if that is its part."""
    if is_behind(getattr(config, "workerinput", {}).get("workerid", "")):
        os.nice(_NICER_BY)


def is_patient(file: Path) -> bool:
    """Whether a file of tests is one of ``PATIENT``."""
    return file.name in PATIENT


def _may_be_late(scope: str) -> bool:
    return Path(scope).parent.name in COMPUTING or is_patient(Path(scope))

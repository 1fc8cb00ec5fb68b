"""Builds before tests that need them, behind everything else that goes on meanwhile.

A compiler takes all processors for a minute, in which whatever other tests have started would be
late. What cannot be built is for those to say who need it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

REPOSITORY = Path(__file__).parents[2]
WITHIN_S = 3600

QUICKLY_BEGUN = {
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1",
    "WIRELAB_INHERIT": "JAVA_TOOL_OPTIONS",
}
"""Variables of workers that run for a moment each, and whose speed nobody looks at: half of the
CPU time of a Java server's went to the compiler for what runs for long."""

_NICER_BY = 10
_Result = TypeVar("_Result")

_BUILD_ENGINE = """
import sys, pathlib, wirelab.build as build
repository = pathlib.Path(sys.argv[1])
build.PartBuilds(repository).prepare(build.engine_part(repository))
"""
_BUILD_PROGRAM = """
import sys, pathlib, wirelab.build as build, wirelab.catalog as catalog
repository = pathlib.Path(sys.argv[1])
suite = catalog.find_catalog(repository).suite(sys.argv[2])
build.PartBuilds(repository).prepare(build.service_part(suite, sys.argv[3]))
"""


def build_behind_others(suite: str, *contenders: str) -> None:
    """Contenders (all of them where none is named), and the programs of their suite."""
    chosen = [word for name in contenders for word in ("--contender", name)]
    _last(["-m", "wirelab", "build", suite, *chosen])


def build_program_behind_others(suite: str, program: str) -> None:
    """One program of a suite, and nothing else of it."""
    _last(["-c", _BUILD_PROGRAM, str(REPOSITORY), suite, program])


def build_engine_behind_others() -> None:
    """wirelab's engine."""
    _last(["-c", _BUILD_ENGINE, str(REPOSITORY)])


def behind_others(work: Callable[[], _Result]) -> _Result:
    """Result of ``work``, done in a thread of low priority, as are its processes."""

    def lowered() -> _Result:
        thread = threading.get_native_id()
        lower = os.getpriority(os.PRIO_PROCESS, thread) + _NICER_BY
        os.setpriority(os.PRIO_PROCESS, thread, lower)
        return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lowered).result()


def _last(arguments: list[str]) -> None:
    """Run Python at a low priority."""
    subprocess.run(
        ["nice", "-n", str(_NICER_BY), sys.executable, *arguments],
        cwd=REPOSITORY,
        env=os.environ,
        capture_output=True,
        timeout=WITHIN_S,
        check=False,
    )

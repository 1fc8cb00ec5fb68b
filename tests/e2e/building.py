"""Builds before tests that need them, behind everything else that goes on meanwhile.

A compiler takes all processors for a minute, in which whatever other tests have started would be
late. What cannot be built is for those to say who need it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from tree import suites_of_the_tree
from wirelab.build import (
    Part,
    PartBuilds,
    Unavailable,
    contender_part,
    engine_part,
    service_part,
)
from wirelab.plan.fillers import services_of

REPOSITORY = Path(__file__).parents[2]

QUICKLY_BEGUN = {
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
    "WIRELAB_INHERIT": "JAVA_TOOL_OPTIONS",
}
"""Variables of workers that run for a moment each, and whose speed nobody looks at: half of the
CPU time of a Java server's went to the compiler for what runs for long, and a sixth of that of a
client with many classes to the proof that javac made them well."""

_NICER_BY = 10
_Result = TypeVar("_Result")


def build_behind_others(suite: str, *contenders: str) -> None:
    """Contenders (all of them where none is named), and the programs of their suite."""
    known = suites_of_the_tree().suite(suite)
    chosen = known.chosen_contenders(contenders)
    beside = {name for one in chosen for name in services_of(known.manifest, one.manifest)}
    services = [service_part(known, name) for name in known.manifest.services if name in beside]
    _last([*services, *(contender_part(known, one) for one in chosen)])


def build_program_behind_others(suite: str, program: str) -> None:
    """One program of a suite, and nothing else of it."""
    _last([service_part(suites_of_the_tree().suite(suite), program)])


def build_engine_behind_others() -> None:
    """wirelab's engine."""
    _last([engine_part(REPOSITORY)])


def behind_others(work: Callable[[], _Result]) -> _Result:
    """Result of ``work``, done in a thread of low priority, as are its processes."""

    def lowered() -> _Result:
        thread = threading.get_native_id()
        lower = os.getpriority(os.PRIO_PROCESS, thread) + _NICER_BY
        os.setpriority(os.PRIO_PROCESS, thread, lower)
        return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lowered).result()


def _last(parts: Sequence[Part]) -> None:
    """Have these parts, at a low priority; what is built already is looked up, and no more."""
    workshop = PartBuilds(REPOSITORY)

    def prepare() -> None:
        workshop.foresee(parts)
        for part in parts:
            with contextlib.suppress(Unavailable):
                workshop.prepare(part)

    behind_others(prepare)

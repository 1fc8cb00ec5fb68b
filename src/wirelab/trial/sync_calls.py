"""Sync calls of a role, by which a program has the disk take what it wrote, counted by strace.

Each of them stops the role for strace, so that such trials have no figures of time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from wirelab.build import PartBuilds, Unavailable
from wirelab.build.tools import FoundTool, Tool
from wirelab.model.contender import Contender
from wirelab.model.participant import Barred
from wirelab.model.scenario import Scenario
from wirelab.model.span import Span
from wirelab.model.suite import Suite
from wirelab.model.units import Text
from wirelab.plan.fillers import taken
from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.trial.failure import TrialError
from wirelab.trial.launch import Launch

MOST_BYTES = 64 << 20
"""Most bytes of the list of calls: a million of them."""

_STRACE = Tool("strace", ("strace",), minimum=(5, 3))

_CALLS = "sync-calls.txt"
"""In the role's scratch folder, its own place."""

_TRACED = ("fsync", "fdatasync", "sync", "syncfs", "msync")

_OPTIONS = (
    # All else that a role does passes without a stop.
    *("--seccomp-bpf", "-f", "-qq", "-e", f"trace={','.join(_TRACED)}", "-e", "signal=none"),
    *("-ttt", "-o", _CALLS),
)

_CALL = re.compile(
    rb"^\d{1,12} +(\d{1,12})\.(\d{6}) "
    rb"(?:f(?:data)?sync\(|sync(?:fs)?\(|msync\([^)\n]{0,80}\bMS_SYNC\b)",
    re.MULTILINE,
)
"""The begin of a call: its process, and the wall clock in seconds and microseconds.

``msync`` waits for the disk with ``MS_SYNC`` alone (msync(2)).
"""


class SyncCalls:
    """Looks for strace where one of ``scenarios`` counts sync calls, and only there."""

    def __init__(self, scenarios: Mapping[str, Scenario], workshop: PartBuilds) -> None:
        self._scenarios = [name for name, scenario in scenarios.items() if scenario.syncs_of]
        self._found: FoundTool | None = None
        self._missing = Unavailable("no scenario of this run counts sync calls")
        if self._scenarios:
            try:
                self._found = workshop.tool(_STRACE)
            except Unavailable as missing:
                self._missing = missing

    def bars(self, contender: Contender, suite: Suite) -> dict[str, Barred]:
        """By scenario that counts sync calls: why the contender has no part in it."""
        if self._found is not None:
            return {}
        why = Barred(reason=Text(en=self._missing.reason), remedy=Text(en=self._missing.remedy))
        return dict.fromkeys(taken(suite, contender, self._scenarios), why)

    def beneath(self, launches: Mapping[str, Launch], role: str) -> dict[str, Launch]:
        """The roles of a trial, ``role`` under strace; raises Unavailable without it."""
        if self._found is None:
            raise self._missing
        launch = launches[role]
        command = [str(self._found.path), *_OPTIONS, *launch.command]
        return {**launches, role: replace(launch, command=command)}


def counted(
    scratch: Path, role: str, spans: Mapping[str, Span], *, ahead_ns: int
) -> dict[str, int]:
    """Sync calls that began within each span of CLOCK_MONOTONIC, by what the role left in its
    folder; raises TrialError. ``ahead_ns``: what the wall clock is ahead of that.
    """
    try:
        calls = regular_file.content(scratch / _CALLS, MOST_BYTES)
    except UnsafeFileError as error:
        raise TrialError("no-count", str(error), role) from None
    except OSError as error:
        said = f"strace left no {_CALLS}: {error.strerror}"
        raise TrialError("no-count", said, role) from None
    at = [
        int(seconds) * 1_000_000_000 + int(fraction) * 1_000 - ahead_ns
        for seconds, fraction in _CALL.findall(calls)
    ]
    return {name: sum(begin <= one < end for one in at) for name, (begin, end) in spans.items()}

"""Answers of the measured role: asked for while it is at work, and verified afterwards.

Whenever one is due, its files are looked at. Where the role is several processes, each is asked for
answers of the lane that it is to the core, and its own file has them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wirelab.model.planned import PlannedTrial
from wirelab.model.span import Span
from wirelab.trial.askings import Askings, unforeseen
from wirelab.trial.load import TrialLoad
from wirelab.trial.published import PublishedFiles
from wirelab.trial.setup import TrialSetup
from wirelab.trial.spec import asked_for, is_told
from wirelab.trial.steps import Steps
from wirelab.trial.verification import Verification
from wirelab.trial.worker import Worker

Json = dict[str, Any]

ENOUGH = 10
"""Answers from which on the time of one is told: the first ones of a runtime take long."""


class MeasuredAnswers:
    """Asks the measured role, unless it is told beforehand which answers to write."""

    def __init__(
        self, planned: PlannedTrial, setup: TrialSetup, load: TrialLoad, verification: Verification
    ) -> None:
        self._planned = planned
        self._scenario = setup.scenario
        self._load = load
        self._verification = verification
        self._is_asked = not is_told(setup.scenario, setup.scenario.measured_role)
        self._askings = Askings()
        self._workers: Sequence[Worker] = ()
        self.files: list[PublishedFiles] = []
        """Files of each process."""

    def begin(self, measured: Sequence[Worker], tick0_ns: int, steps: Steps) -> None:
        """Ask from now on, at random moments."""
        self._workers = measured
        self.files = [PublishedFiles(worker.spec["paths"]) for worker in measured]
        if self._is_asked:
            chosen = {name: self._scenario.operations[name] for name in self._planned.operations}
            operations = {name: chosen[name] for name in asked_for(chosen)}
            moments = self._load.moments(operations, unforeseen(), lambda: len(steps.ended))
            self._askings = Askings(moments, self._ask)
        self._askings.begin(tick0_ns)

    def _ask(self, number: int, operation: str, lane: int) -> bool:
        if len(self._workers) == 1:
            return self._workers[0].ask(number, operation, lane)
        return self._workers[lane].ask(number, operation, 0)

    @property
    def next_ns(self) -> int:
        """The time at which the next answer is asked for; the end of time where none is."""
        return self._askings.next_ns

    def carry_out(self) -> None:
        """Ask for everything that is due, after a look at what has been written so far."""
        if self.next_ns <= time.monotonic_ns():
            self.files[self._askings.next_lane if len(self.files) > 1 else 0].look()
        self._askings.carry_out()

    def complete(self) -> None:
        """Look at all that was written: there will be no more."""
        for files in self.files:
            files.complete()

    @property
    def asked(self) -> int | None:
        """Number of answers asked for; None where the role was told which ones to write."""
        return len(self._askings.sent) if self._is_asked else None

    @property
    def pauses(self) -> list[Span]:
        """Times in which answers were given, at ticks."""
        is_paced = self._is_asked and self._scenario.is_paced
        return sorted(self._verification.pauses) if is_paced else []

    @property
    def answering_ns(self) -> dict[str, int]:
        """By operation: the lower quartile of the time that an answer took at ticks, where there
        were enough of them.
        """
        if not (self._is_asked and self._scenario.is_paced):
            return {}
        times = {name: sorted(took) for name, took in self._verification.answering.items()}
        return {name: t[len(t) // 4] for name, t in times.items() if len(t) >= ENOUGH}

    def paused(self, steps: Steps) -> dict[str, int]:
        """Time of each step of a closed loop in which answers were given."""
        load = self._planned.load
        lanes = {step.name: step.lanes for step in load.steps} if load.type == "closed" else {}
        return steps.paused(self._verification.pauses, lanes)

    def verify(
        self,
        specs: Mapping[str, Json],
        facts: Mapping[str, Any],
        kept: Path,
        *,
        excused: int,
        stopped_early: bool,
    ) -> None:
        """Verify all answers; ``specs`` are those of each process by name, ``kept`` is the Parquet
        file of the trial's samples, ``excused`` of its operations failed or never began.
        """
        if self._is_asked:
            self._verification.asked(specs, facts, self._askings.sent, kept)
        else:
            self._verification.told(specs, facts, excused=excused, stopped_early=stopped_early)

"""Following a run: a look a second at the trial under way, pushed and ready to be scraped."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from wirelab.live.exposition import text
from wirelab.live.figures import LiveCost, LiveFigures, RunFigures
from wirelab.live.view import TrialView
from wirelab.model.capacity import Probe, Search
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord
from wirelab.run.session import Watcher
from wirelab.samples.run_folder import RunFolder

PERIOD = 1.0
"""Seconds between looks."""

_OPENING = 0.1
"""Seconds between attempts to open the files of a trial that has just begun."""

Say = Callable[[str], None]


class PushTarget(Protocol):
    """A target that texts are pushed to."""

    pushed: int
    failed: int
    cpu_ns: int

    def offer(self, text: bytes) -> None:
        """Take a text, without keeping the caller waiting."""


class LiveLooks:
    """Looks at the trial under way once a second, in a thread of its own.

    Whatever goes wrong here is said once and ends the looking, never the run.
    """

    def __init__(self, outlet: PushTarget | None, say: Say) -> None:
        self.figures = LiveFigures()
        self._outlet = outlet
        self._say = say
        self._view: TrialView | None = None
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._ended = False
        self._cpu_ns = 0
        self._thread = threading.Thread(target=self._work, name="live", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the looking."""
        self._ended = True
        self._wake.set()
        self._thread.join()
        with self._lock:
            self._let_go()

    @property
    def cost(self) -> LiveCost:
        """Resources that live metrics took so far."""
        if self._outlet is None:
            return LiveCost(self._cpu_ns)
        cpu_ns = self._cpu_ns + self._outlet.cpu_ns
        return LiveCost(cpu_ns, self._outlet.pushed, self._outlet.failed)

    # ------------------------------------------------------------------ told by the run

    def run_is(self, run: RunFigures) -> None:
        """The run goes on like this."""
        with self._lock:
            self.figures = replace(self.figures, run=run, cost=self.cost)

    def begin(self, make: Callable[[], TrialView]) -> None:
        """A trial begins."""
        with self._lock:
            self._let_go()
            self._harmlessly(lambda: self._follow(make()))
        self._wake.set()

    def end(self) -> None:
        """The trial has ended: a last look, which has its final totals."""
        with self._lock:
            self._harmlessly(self._look_last)
            self._let_go()

    # ------------------------------------------------------------------ looking

    def _work(self) -> None:
        due = time.monotonic()
        while not self._ended:
            with self._lock:
                now = time.monotonic()
                if now >= due:
                    self._harmlessly(self._look)
                    # A look that comes late moves the next one; it is not made up for.
                    due = max(due, now - PERIOD) + PERIOD
                pause = max(0.0, due - now)
                if self._view is not None and not self._view.open_files():
                    pause = min(pause, _OPENING)
            self._wake.wait(pause)
            self._wake.clear()

    def _follow(self, view: TrialView) -> None:
        self._view = view

    def _look(self) -> None:
        if self._view is not None:
            self.figures = replace(self.figures, trial=self._view.look(), cost=self.cost)
            self._push()

    def _look_last(self) -> None:
        if self._view is not None:
            last = self._view.last_look()
            self.figures = replace(self.figures, trial=last, cost=self.cost)
            self._push()
            self.figures = replace(self.figures, trial=last.at_rest())

    def _push(self) -> None:
        if self._outlet is not None:
            self._outlet.offer(text(self.figures, time.time()))

    def _let_go(self) -> None:
        view, self._view = self._view, None
        if view is not None:
            view.close()

    def _harmlessly(self, work: Callable[[], None]) -> None:
        if self._ended:
            return
        began = time.thread_time_ns()
        try:
            work()
        except Exception as error:
            self._ended = True
            self.figures = LiveFigures()
            self._say(f"live metrics end here: {type(error).__name__}: {error}; the run goes on")
        self._cpu_ns += time.thread_time_ns() - began


class FollowedRun:
    """A watcher that tells another one first, then the live metrics."""

    def __init__(self, folder: RunFolder, other: Watcher, looking: LiveLooks) -> None:
        self._folder, self._other, self._looking = folder, other, looking
        self._run = folder.read_run()
        self._planned = 0
        self._ended: Counter[str] = Counter()

    def planned(self, trials: Sequence[PlannedTrial], done: int) -> None:
        """Take over the amount of work; what an earlier session did is not counted as ended."""
        self._other.planned(trials, done)
        self._planned = len(trials)
        self._tell()

    def trial_started(self, trial: PlannedTrial) -> None:
        """Follow it."""
        self._other.trial_started(trial)
        self._looking.begin(lambda: TrialView(self._folder, self._run, trial))

    def trial_ended(self, record: TrialRecord) -> None:
        """Take its last figures."""
        self._ended[record.status.value] += 1
        self._tell()
        self._looking.end()
        self._other.trial_ended(record)

    def rerunning(self, trials: Sequence[PlannedTrial]) -> None:
        """More trials follow."""
        self._other.rerunning(trials)
        self._planned += len(trials)
        self._tell()

    def making_up(self, trials: Sequence[PlannedTrial]) -> None:
        """More trials follow."""
        self._other.making_up(trials)
        self._planned += len(trials)
        self._tell()

    def adding(self, trial: PlannedTrial) -> None:
        """One more trial follows."""
        self._other.adding(trial)
        self._planned += 1
        self._tell()

    def probed(self, trial: PlannedTrial, probe: Probe) -> None:
        """Nothing of the trial itself."""
        self._other.probed(trial, probe)

    def searched(self, trial: PlannedTrial, found: Search) -> None:
        """Likewise."""
        self._other.searched(trial, found)

    def _tell(self) -> None:
        self._looking.run_is(
            RunFigures(self._run.id, self._run.suite, self._planned, dict(self._ended))
        )

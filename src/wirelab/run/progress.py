"""Progress of a run on screen: a bar with the time left, and a table that fills."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from wirelab.capacity.told import probe_line, search_line
from wirelab.model.capacity import Probe, Search
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.plan.load import expected_seconds
from wirelab.words.numbers import about, percent

TableOf = Callable[[], RenderableType | None]
"""The figures so far as a table, or None when there are none."""

PlacesOf = Callable[[TrialRecord], Sequence[str]]
"""A function that names the files to look at after a trial failed, a line each."""

_OVERHEAD_GUESS = 3.0


class _Remaining:
    """Time left: scheduled time, plus what starting and stopping has cost so far."""

    def __init__(self) -> None:
        self._left: list[PlannedTrial] = []
        self._overheads: list[float] = []
        self._started = 0.0

    def plan(self, trials: Sequence[PlannedTrial]) -> None:
        self._left.extend(trials)

    def begin(self) -> None:
        self._started = time.monotonic()

    def end(self, trial: PlannedTrial) -> None:
        self._left = [other for other in self._left if other.id != trial.id]
        self._overheads.append(time.monotonic() - self._started - _scheduled(trial))

    def seconds(self) -> float:
        overheads = self._overheads or [_OVERHEAD_GUESS]
        overhead = sum(overheads) / len(overheads)
        return max(0.0, sum(_scheduled(trial) + overhead for trial in self._left))


def _scheduled(trial: PlannedTrial) -> float:
    return expected_seconds([trial])


def name_of(trial: PlannedTrial) -> str:
    """A trial as it is called on a terminal: scenario, variant, contender, load of a probe."""
    load = f"{trial.probe.load}" if trial.probe else ""
    parts = [trial.scenario, trial.variant, trial.contender, load]
    return " / ".join(part for part in parts if part)


def outcome_of(record: TrialRecord) -> str:
    """Describe the end of a trial, in one line."""
    if record.status is not TrialStatus.OK:
        return f"{record.reason}: {record.detail}"
    if record.wrong_answers:
        return f"wrong answers: {record.wrong_answers[0]}"
    checked = f"ok, {record.verified} answers checked" if record.verified else "ok"
    if record.lost and record.disturbed is not None:
        return f"{checked}; lost to the host, disturbed {percent(record.disturbed)} of its time"
    return checked


def made_up_line(trials: Sequence[PlannedTrial]) -> str:
    """Trials that are run again because the host took them, and those beside them."""
    again = ", ".join(name_of(trial) for trial in trials if trial.repeats)
    beside = ", ".join(name_of(trial) for trial in trials if not trial.repeats)
    company = f"; beside {beside}" if beside else ""
    return f"lost to the host, run again: {again}{company}"


class PlainProgress:
    """A line for each thing that happens, for logs and pipes."""

    def __init__(self, console: Console, places_of: PlacesOf) -> None:
        self._console = console
        self._places_of = places_of
        self._remaining = _Remaining()
        self._total = self._done = 0

    def planned(self, trials: Sequence[PlannedTrial], done: int) -> None:
        """Say how much there is to do."""
        self._total, self._done = len(trials), done
        self._remaining.plan(trials[done:])
        counted = "1 trial" if len(trials) == 1 else f"{len(trials)} trials"
        self._say(f"{counted}, about {_clock(self._remaining.seconds())}")
        if searches := [trial.probe for trial in trials if trial.probe and not trial.probe.number]:
            most = max(probe.most for probe in searches)
            self._say(f"{len(searches)} of them begin a search of at most {most} probes")

    def trial_started(self, trial: PlannedTrial) -> None:  # noqa: ARG002 - part of Watcher
        """Remember when it began."""
        self._remaining.begin()

    def trial_ended(self, record: TrialRecord) -> None:
        """A line with its outcome and the time left."""
        self._done += 1
        self._remaining.end(record.planned)
        left = _clock(self._remaining.seconds())
        self._say(
            f"[{self._done}/{self._total}] {name_of(record.planned)}: {outcome_of(record)} "
            f"({left} left)"
        )
        for line in self._places_of(record):
            self._say(f"    {line}")

    def rerunning(self, trials: Sequence[PlannedTrial]) -> None:
        """Say which cells get another trial."""
        self._total += len(trials)
        self._remaining.plan(trials)
        cells = ", ".join(name_of(trial) for trial in trials)
        self._say(f"unstable, one more trial each: {cells}")

    def making_up(self, trials: Sequence[PlannedTrial]) -> None:
        """Say which trials are repeated, and beside whom."""
        self._total += len(trials)
        self._remaining.plan(trials)
        self._say(made_up_line(trials))

    def adding(self, trial: PlannedTrial) -> None:
        """One more trial than was planned."""
        self._total += 1
        self._remaining.plan([trial])

    def probed(self, trial: PlannedTrial, probe: Probe) -> None:
        """Whether the load held, and why not."""
        self._say(f"    {probe_line(trial, probe)}")

    def searched(self, trial: PlannedTrial, found: Search) -> None:
        """Show the result of a search."""
        self._say(f"{trial.scenario} / {trial.contender}: {search_line(found)}")

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class LiveProgress:
    """A bar, and the table of figures so far, drawn in place. Use as a context manager."""

    def __init__(self, console: Console, table_of: TableOf, places_of: PlacesOf) -> None:
        self._table_of = table_of
        self._places_of = places_of
        self._remaining = _Remaining()
        self._progress = Progress(
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            BarColumn(),
            TextColumn("{task.fields[left]} left"),
            TextColumn("{task.description}", markup=False),
            console=console,
        )
        self._task: TaskID = self._progress.add_task("", total=0, left="")
        self._console = console
        # Transient: the summary that follows has the table in its final state.
        self._live = Live(self._progress, console=console, refresh_per_second=1, transient=True)

    def __enter__(self) -> LiveProgress:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def planned(self, trials: Sequence[PlannedTrial], done: int) -> None:
        """Set the bar's length."""
        self._remaining.plan(trials[done:])
        self._progress.update(self._task, total=len(trials), completed=done)
        self._show("")

    def trial_started(self, trial: PlannedTrial) -> None:
        """Name the trial beside the bar."""
        self._remaining.begin()
        self._show(name_of(trial))

    def trial_ended(self, record: TrialRecord) -> None:
        """Advance the bar, and draw the figures anew."""
        self._remaining.end(record.planned)
        self._progress.advance(self._task)
        if record.status is not TrialStatus.OK or record.wrong_answers:
            self._console.print(
                f"{name_of(record.planned)}: {outcome_of(record)}", style="yellow", markup=False
            )
        for line in self._places_of(record):
            self._console.print(f"    {line}", markup=False, highlight=False, soft_wrap=True)
        self._show(name_of(record.planned))

    def rerunning(self, trials: Sequence[PlannedTrial]) -> None:
        """Lengthen the bar."""
        self._remaining.plan(trials)
        total = self._progress.tasks[0].total or 0
        self._progress.update(self._task, total=total + len(trials))
        self._show("reruns of unstable cells")

    def making_up(self, trials: Sequence[PlannedTrial]) -> None:
        """Lengthen the bar, and say why in a line that stays."""
        self._remaining.plan(trials)
        total = self._progress.tasks[0].total or 0
        self._progress.update(self._task, total=total + len(trials))
        self._console.print(made_up_line(trials), markup=False, highlight=False)
        self._show("trials lost to the host")

    def adding(self, trial: PlannedTrial) -> None:
        """Lengthen the bar by one."""
        self._remaining.plan([trial])
        self._progress.update(self._task, total=(self._progress.tasks[0].total or 0) + 1)

    def probed(self, trial: PlannedTrial, probe: Probe) -> None:
        """Say beside the bar whether the load held."""
        self._show(f"{name_of(trial)}: {probe_line(trial, probe)}")

    def searched(self, trial: PlannedTrial, found: Search) -> None:
        """A line that stays."""
        line = f"{trial.scenario} / {trial.contender}: {search_line(found)}"
        self._console.print(line, markup=False, highlight=False)

    def _show(self, description: str) -> None:
        left = _clock(self._remaining.seconds())
        self._progress.update(self._task, description=description, left=left)
        table = self._table_of()
        self._live.update(Group(table, self._progress) if table else self._progress)


def _clock(seconds: float) -> str:
    """A time that is left, to the second where it is less than an hour."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return about(seconds)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"

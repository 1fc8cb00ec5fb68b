"""A run that is measured, with its progress, its interruptions and its end."""

from __future__ import annotations

import errno
import shlex
from functools import partial

from rich.console import Console, RenderableType

from wirelab.catalog import SuiteEntry
from wirelab.cells.analysis import Analysis, unstable_cells
from wirelab.cells.probes import judged_probe
from wirelab.cli.ending import conclude
from wirelab.cli.exit_codes import DISK_FULL
from wirelab.cli.looks import announce_rule, told_looks
from wirelab.cli.make_up import announce_make_up
from wirelab.cli.nights import announce_nights
from wirelab.cli.places import called
from wirelab.cli.shown import RunDisplay
from wirelab.processes.interrupts import INTERRUPTED, terminated_as_interrupted
from wirelab.report import terminal
from wirelab.run.progress import LiveProgress, PlainProgress
from wirelab.run.session import InterruptedRun, Session, Watcher
from wirelab.run.setups import TrialSetups
from wirelab.run.visits import visited
from wirelab.samples.run_folder import RunFolder
from wirelab.trial.crashes import places_to_look


def carry_out(folder: RunFolder, suite: SuiteEntry, setups: TrialSetups, shown: RunDisplay) -> int:
    """Measure what the plan has left, then analyse and report; returns the exit code."""
    console = shown.console
    rest = shlex.join([called(), "run", "--resume", str(folder.path)])
    try:
        with terminated_as_interrupted():
            finished = _measure(folder, setups, shown)
            if not finished:  # without it, nothing tells that the signal has come
                shown.say("interrupted: analysing the trials that have ended")
            code = conclude(
                folder, suite.folder, console, shown.lang, shown.reports, finished=finished
            )
    except KeyboardInterrupt:
        path, wl = shlex.quote(str(folder.path)), shlex.quote(called())
        kept = "interrupted while the report was written; every finished trial is kept"
        _warn(console, f"{kept}. To write it: {wl} analyse {path}; {wl} report {path}")
        return INTERRUPTED
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        console.print(
            f"no space left while writing {error.filename or folder.path}; finished trials are "
            f"kept. Free some, then go on: {rest}",
            style="red",
            markup=False,
            soft_wrap=True,
        )
        return DISK_FULL
    if finished:
        return code
    _warn(console, f"interrupted; finished trials are kept. To go on: {rest}")
    return INTERRUPTED


def _measure(folder: RunFolder, setups: TrialSetups, shown: RunDisplay) -> bool:
    """Carry the plan out; False when that was interrupted."""
    announce_nights(folder, shown.say)
    announce_rule(folder, shown.say)
    announce_make_up(folder, shown.say)
    unstable = partial(unstable_cells, folder.path)
    judged = partial(judged_probe, folder.path)
    places_of = partial(places_to_look, folder)

    analysis = Analysis(folder.path)

    def so_far() -> RenderableType | None:
        return terminal.so_far(analysis.result()[0], shown.lang.value, setups.suite.folder)

    looks = told_looks(analysis, shown.say)

    def watched(progress: Watcher) -> Watcher:
        return shown.live.following(folder, progress) if shown.live else progress

    try:
        with visited(folder, setups, shown.say):
            if shown.console.is_terminal:
                with LiveProgress(shown.console, so_far, places_of) as drawn:
                    Session(folder, setups, watched(drawn)).carry_out(unstable, judged, looks)
            else:
                plain = PlainProgress(shown.console, places_of)
                Session(folder, setups, watched(plain)).carry_out(unstable, judged, looks)
    except (InterruptedRun, KeyboardInterrupt):
        return False
    return True


def _warn(console: Console, line: str) -> None:
    console.print(line, style="yellow", soft_wrap=True)

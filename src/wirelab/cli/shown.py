"""The showing of a run while it goes on: its console, its language, its live metrics."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console

from wirelab.build.permission import Permission
from wirelab.cli.report import Language
from wirelab.cli.wanted_reports import WantedReports
from wirelab.run.cannot import CannotRunError

if TYPE_CHECKING:
    from wirelab.live.metrics import LiveMetrics


@dataclass(frozen=True)
class RunDisplay:
    """Place and language in which a run is shown while it goes on, who is asked before it, and
    what is written after it.
    """

    console: Console
    lang: Language
    live: LiveMetrics | None
    may_install: Permission
    reports: WantedReports

    def say(self, line: str) -> None:
        """A line that is never broken or cut."""
        say(self.console, line)


def live_metrics(
    push: str | None, metrics: str | None, console: Console
) -> AbstractContextManager[LiveMetrics | None]:
    """Live metrics where an option asks for them; nothing of them is loaded otherwise."""
    if push is None and metrics is None:
        return nullcontext()
    from wirelab.live.metrics import CannotServeError, LiveMetrics, WantedMetric

    try:
        return LiveMetrics(WantedMetric.of(push, metrics), partial(say, console))
    except (ValueError, CannotServeError) as error:
        raise CannotRunError(str(error)) from None


def say(console: Console, line: str) -> None:
    """Print a line that is never broken or cut."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)

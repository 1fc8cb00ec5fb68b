"""Live metrics as ``wl run`` has them: begun with the options, ended with what they did."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass

from wirelab.live.address import ListenAddress, listening
from wirelab.live.exposition import Exposition
from wirelab.live.push import Pusher
from wirelab.live.serve import CannotServeError, LiveServer
from wirelab.live.watching import FollowedRun, LiveLooks, Say
from wirelab.run.session import Watcher
from wirelab.samples.run_folder import RunFolder

__all__ = ["CannotServeError", "LiveMetrics", "WantedMetric"]


@dataclass(frozen=True)
class WantedMetric:
    """The live metrics that the options ask for."""

    push: ListenAddress | None = None
    metrics: tuple[str, int] | None = None

    @staticmethod
    def of(push: str | None, metrics: str | None) -> WantedMetric:
        """The options as given; ValueError says what is wrong with one."""
        return WantedMetric(
            None if push is None else ListenAddress.of(push),
            None if metrics is None else listening(metrics),
        )


class LiveMetrics:
    """Pushes and serves while it is used as a context manager.

    Raises CannotServeError where the address of ``--metrics`` cannot be had.
    """

    def __init__(self, wanted: WantedMetric, say: Say) -> None:
        self._wanted, self._say = wanted, say
        self._pusher = Pusher(wanted.push, say) if wanted.push else None
        self._looking = LiveLooks(self._pusher, say)
        self._served: LiveServer | None = None
        self._folders: list[RunFolder] = []
        if wanted.metrics is not None:
            try:
                self._served = LiveServer(
                    *wanted.metrics, Exposition(lambda: self._looking.figures)
                )
            except CannotServeError:
                self._end()
                raise
            say(f"live metrics: {self._served.url}")

    def __enter__(self) -> LiveMetrics:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._conclude()

    def following(self, folder: RunFolder, other: Watcher) -> Watcher:
        """A watcher for the run in ``folder`` that tells ``other`` as well."""
        self._folders.append(folder)
        return FollowedRun(folder, other, self._looking)

    def _end(self) -> None:
        self._looking.close()
        if self._pusher is not None:
            self._pusher.close()
        if self._served is not None:
            self._served.close()

    def _conclude(self) -> None:
        """Say what was pushed, and disclose beside the results that somebody was looking."""
        cost = self._looking.cost
        if self._pusher is not None:
            lost = self._pusher.undelivered
            missing = f", the figures of {lost} looks never arrived" if lost else ""
            self._say(f"live metrics: {cost.pushed} pushes, {cost.failed} failed{missing}")
        disclosed = {
            "push": self._wanted.push.shown if self._wanted.push else None,
            "metrics": self._served.url if self._served else None,
            "pushed": cost.pushed,
            "failed": cost.failed,
            "cpu_seconds": round(cost.cpu_ns / 1e9, 3),
        }
        for folder in self._folders:
            # A full disk has been said by then, and the run's own files come first.
            with contextlib.suppress(OSError):
                folder.write_text("live.json", json.dumps(disclosed, indent=1) + "\n")

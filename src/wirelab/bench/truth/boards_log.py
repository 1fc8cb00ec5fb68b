"""The log of a server of boards: every delivery, beside the ruler's counts and its own copies.

The server records each drawing's copies as it sends them. The ruler has a record of each user's own
copy, and counts what others were sent. A user's drawings come in the order in which they were sent,
so that the n-th own copy of one is the n-th of the other; by it the intended time of all copies of
a drawing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wirelab.bench.truth.replay import released
from wirelab.bench.truth.server_log import GENERATOR, Ints, SpoiltLogError, log_of
from wirelab.cells.trial_files import Samples, TrialFiles
from wirelab.cells.window import Window
from wirelab.samples import format as samples

_RTT, _DELIVERY = "rtt", "delivery"
_OWN, _OTHERS = 1, 2
_US = 1000


@dataclass(frozen=True)
class TrueDeliveries:
    """Copies of drawings that others than their users were sent; times in ns of one clock."""

    intended: Ints
    started: Ints
    decided: Ints
    """Time for which the server was to keep the drawing."""
    answered: Ints
    """The time at which this copy had been handed to its socket."""

    def decided_latencies(self, facts: Mapping[str, Any]) -> Ints:
        """From the intended time to when the copy was to be sent."""
        until = released(facts)
        due = self.intended + self.decided
        # Copies of a drawing are due together.
        times, which = np.unique(due, return_inverse=True)
        ended = np.array([until(at) for at in times.tolist()], dtype=np.int64)
        found: Ints = ended[which] - self.intended
        return found

    def answered_latencies(self) -> Ints:
        """From the intended time to when it was sent, less what the generator was late by."""
        return self.answered - self.started


def deliveries_of(trial: Path, window: Window, codes: Mapping[str, int]) -> TrueDeliveries:
    """Deliveries of a trial's window; SpoiltLogError where the log tells of others.

    ``codes`` are those of the ruler's operations.
    """
    files = TrialFiles(trial, GENERATOR)
    own = files.samples.where(files.samples.op == codes[_RTT])
    found = _matched(own, log_of(trial), trial.name)
    second = (found.intended - window.tick0_ns) // 1_000_000_000
    seconds = window.whole_seconds
    chosen = (second >= seconds.start) & (second < seconds.stop)
    counted = files.intervals[_DELIVERY].counts(window).get("received", 0)
    if counted != (sent := int(np.count_nonzero(chosen))):
        raise SpoiltLogError(
            f"{trial.name}: the ruler has counted {counted} deliveries, the server has sent {sent}"
        )
    return TrueDeliveries(**{name: column[chosen] for name, column in vars(found).items()})


def _matched(ruler: Samples, log: samples.Records, trial: str) -> TrueDeliveries:
    if failed := int(np.count_nonzero(ruler.status != samples.OK)):
        raise SpoiltLogError(f"{trial}: {failed} drawings failed, and when they came is unknown")
    # When nothing is due any more, the engine tries whether who has joined gets what is drawn.
    log = log[log["intended_ns"] <= np.max(ruler.end_ns, initial=0)]
    own, others = log[log["op"] == _OWN], log[log["op"] == _OTHERS]
    if len(ruler) != len(own):
        raise SpoiltLogError(
            f"{trial}: the ruler has records of {len(ruler)} drawings, the server of {len(own)}"
        )
    ruler = ruler.where(np.lexsort((ruler.start_ns, ruler.lane)))
    own = own[np.lexsort((own["intended_ns"], own["lane"]))]
    arrived, answered = own["intended_ns"].astype(np.int64), own["end_ns"].astype(np.int64)
    wrong = ruler.lane != own["lane"]
    wrong |= (ruler.start_ns > arrived) | (arrived > ruler.end_ns) | (arrived > answered)
    if count := int(np.count_nonzero(wrong)):
        raise SpoiltLogError(
            f"{trial}: {count} of {len(ruler)} drawings are not those that the server tells of"
        )
    drawing = _drawings(own, others, trial)
    return TrueDeliveries(
        intended=ruler.intended_ns[drawing],
        started=ruler.start_ns[drawing],
        decided=others["size"].astype(np.int64) * _US,
        answered=others["end_ns"].astype(np.int64),
    )


def _drawings(own: samples.Records, others: samples.Records, trial: str) -> Ints:
    """The number of the own copy of each copy's drawing: no two came at one time."""
    came = own["intended_ns"]
    order = np.argsort(came, kind="stable")
    at = np.searchsorted(came[order], others["intended_ns"])
    found: Ints = order[np.minimum(at, len(order) - 1)]
    strangers = (came[found] != others["intended_ns"]) | (own["lane"][found] != others["lane"])
    if count := int(np.count_nonzero(strangers)):
        raise SpoiltLogError(f"{trial}: {count} deliveries are of no drawing of the ruler's")
    return found

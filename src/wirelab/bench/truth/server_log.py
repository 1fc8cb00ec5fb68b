"""The log of a server of known truth, request by request beside the records of the ruler.

The server records every request as it answers it: when it came, when its turn began, when it was
answered, and for how long it was to be kept. Its answer has as many bytes as the number of its
connection and one, so that the ruler's records, which keep sizes, say whose connection it was. On a
connection requests follow each other, so the n-th of one is the n-th of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.bench.figure import BenchError
from wirelab.cells.trial_files import Samples, TrialFiles
from wirelab.samples import format as samples

GENERATOR, SERVER = "generator", "server"
_US = 1000

Ints = npt.NDArray[np.int64]


class SpoiltLogError(BenchError):
    """A log of the server that does not tell of the requests that the ruler has records of."""


@dataclass(frozen=True)
class Requests:
    """Requests of one trial, in the order of their intended times; times in ns of one clock."""

    intended: Ints
    started: Ints
    ended: Ints
    connection: Ints
    arrived: Ints
    turn: Ints
    answered: Ints
    decided: Ints
    """Time for which the server was to keep it."""

    def __len__(self) -> int:
        """Number of requests."""
        return len(self.intended)

    def where(self, chosen: npt.NDArray[Any] | slice) -> Requests:
        """The requests that ``chosen`` selects."""
        return Requests(**{name: column[chosen] for name, column in vars(self).items()})


def requests_of(trial: Path) -> Requests:
    """All requests of a trial; SpoiltLogError where log and records differ."""
    return matched(TrialFiles(trial, GENERATOR).samples, log_of(trial), trial.name)


def log_of(trial: Path) -> samples.Records:
    """The records of a trial's server; SpoiltLogError where they cannot be read."""
    try:
        return samples.read(trial / f"{SERVER}.samples")
    except samples.SampleFileError as error:
        raise SpoiltLogError(f"{trial}: {error}") from None


def matched(ruler: Samples, log: samples.Records, trial: str) -> Requests:
    """Each record of the ruler beside that of the server."""
    if failed := int(np.count_nonzero(ruler.status != samples.OK)):
        raise SpoiltLogError(f"{trial}: {failed} requests failed, and their answers are unknown")
    if len(ruler) != len(log):
        raise SpoiltLogError(
            f"{trial}: the ruler has records of {len(ruler)} requests, the server of {len(log)}"
        )
    connection = ruler.size.astype(np.int64) - 1
    own = np.lexsort((ruler.end_ns, connection))
    other = np.lexsort((log["end_ns"], log["lane"]))
    found = Requests(
        intended=ruler.intended_ns[own],
        started=ruler.start_ns[own],
        ended=ruler.end_ns[own],
        connection=connection[own],
        arrived=log["intended_ns"][other].astype(np.int64),
        turn=log["start_ns"][other].astype(np.int64),
        answered=log["end_ns"][other].astype(np.int64),
        decided=log["size"][other].astype(np.int64) * _US,
    )
    _check(found, log["lane"][other].astype(np.int64), trial)
    return found.where(np.argsort(found.intended, kind="stable"))


def _check(found: Requests, connection: Ints, trial: str) -> None:
    """Each request came after it was sent, had its turn, and was there before its answer was.

    The server stamps its answer after it was sent, so that this may be later than its end.
    """
    wrong = found.connection != connection
    wrong |= (found.started > found.arrived) | (found.arrived > found.turn)
    wrong |= (found.turn > found.ended) | (found.turn > found.answered)
    if count := int(np.count_nonzero(wrong)):
        raise SpoiltLogError(
            f"{trial}: {count} of {len(found)} requests are not those that the server tells of"
        )
